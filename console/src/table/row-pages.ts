/** The first page is smaller, so that its rows are shown sooner. */
const first = 60;
const furtherPageRows = 100;

/** Returns the page of a row. */
export const pageOfRow = (row: number): number => (row < first ? 0 : 1 + Math.floor((row - first) / furtherPageRows));

/** Returns the rows of a page. */
export const rowsOfPage = (page: number): { start: number; count: number } =>
  page === 0 ? { start: 0, count: first } : { start: first + (page - 1) * furtherPageRows, count: furtherPageRows };

/** Returns the position of a row on its page. */
export const placeOfRow = (row: number): { page: number; index: number } => {
  const page = pageOfRow(row);
  return { page, index: row - rowsOfPage(page).start };
};

/** Returns the pages with the rows from `start` up to, not including, `end`. */
export const pagesBetween = (start: number, end: number): number[] => {
  const [low, high] = [pageOfRow(start), pageOfRow(Math.max(start, end - 1))];
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
};
