/** Number of consecutive ids on a page. A change copies its page. */
const pageIds = 256;

const pageOf = (id: number): number => Math.floor(id / pageIds);

/**
 * Rows by id, in versions that share unchanged pages. A version is filled row by row and then only read. The next version starts with a
 * copy of the map of pages, and copies a page before its first change there. So a version in use never changes, and versions are never
 * merged.
 */
export class SharedRows<Row> {
  readonly #pages: Map<number, Map<number, Row>>;
  /** Pages that this version has copied or created; no other version reads them. */
  readonly #own = new Set<number>();
  #size: number;
  #isSealed = false;

  /** Creates the next version of `before`, which can no longer be changed. */
  constructor(before?: SharedRows<Row>) {
    this.#pages = new Map(before ? before.#pages : []);
    this.#size = before ? before.#size : 0;
    if (before) before.#isSealed = true;
  }

  get size(): number {
    return this.#size;
  }

  get(id: number): Row | undefined {
    return this.#pages.get(pageOf(id))?.get(id);
  }

  set(id: number, row: Row): void {
    const page = this.#ownPage(pageOf(id));
    if (!page.has(id)) this.#size++;
    page.set(id, row);
  }

  delete(id: number): void {
    if (this.get(id) === undefined) return;
    const number = pageOf(id);
    const page = this.#ownPage(number);
    page.delete(id);
    this.#size--;
    if (page.size === 0) this.#pages.delete(number);
  }

  #ownPage(number: number): Map<number, Row> {
    if (this.#isSealed) throw new Error('this version of the rows has a successor and cannot be changed');
    const shared = this.#pages.get(number);
    if (shared && this.#own.has(number)) return shared;
    const page = new Map(shared);
    this.#own.add(number);
    this.#pages.set(number, page);
    return page;
  }
}
