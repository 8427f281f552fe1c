/** A first page is small, so that rows are there soon; those after it are larger. */
const first = 60;
const furtherPageRows = 100;

/** The page that a row is on. */
export const pageOfRow = (row: number): number => (row < first ? 0 : 1 + Math.floor((row - first) / furtherPageRows));

/** The rows of a page. */
export const rowsOfPage = (page: number): { start: number; count: number } =>
  page === 0 ? { start: 0, count: first } : { start: first + (page - 1) * furtherPageRows, count: furtherPageRows };

/** The place of a row on its page. */
export const placeOfRow = (row: number): { page: number; index: number } => {
  const page = pageOfRow(row);
  return { page, index: row - rowsOfPage(page).start };
};

/** The pages that have rows from `from` up to, not including, `to`. */
export const pagesBetween = (start: number, end: number): number[] => {
  const [low, high] = [pageOfRow(start), pageOfRow(Math.max(start, end - 1))];
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
};
