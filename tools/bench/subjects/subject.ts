/** Records of a family lie in a row of ids: family 1 are the ids 1 to 250. */
export const familySize = 250;
/** Beyond the records that are drawn from stands one more, which the writer replaces all the time. */
export const spareRows = 1;

export type SubjectName = 'port' | 'host' | 'adapter';

/** What a database is filled with; hosts bring their adapters with them. */
export type Filling = 'ports' | 'hosts';

/** A kind of record that is measured: how it is asked for, how it is changed meanwhile, and how a bare server would read it. */
export interface Subject {
  name: SubjectName;
  plural: string;
  /** Of the API, behind `/api/v2`. */
  path: string;
  filling: Filling;
  /** What the caller may, and nothing else. */
  permissions: object;
  /** Records in a filling of this size, without the spare one. */
  rows(size: number): number;
  /** How many families there are to ask for. */
  families(size: number): number;
  /** The filter that finds a family. */
  familyFilter(family: number): string;
  /** The filter that finds one single record by a part of a text, and the words for it. */
  rareFilter(id: number): string;
  rareText: string;
  /** The fields by which an answer shows its identity and its last change, as patterns. */
  captured: Readonly<Record<string, string>>;
  /** Changes the record `$1` as an administrator would, and returns its new version. */
  changeSql: string;
  bare: {
    /** Reads these rows of the table: columns in the order and with the names of the record, where nothing else is said. */
    select(rows: string): string;
    recordOf?(row: Readonly<Record<string, unknown>>): object;
    /** The condition on the row `r` for the family `$1`. */
    isFamily: string;
    /** Records that stand inside of one that is fetched: by ids `$1`, each with the id of whom it belongs to. */
    parts?: { field: string; owner: string; select: string };
  };
}

/** Distinct for every id, and without an order: multiplying by an odd number loses nothing. */
const scatterFactor = 2_654_435_761n;

/** Eight hexadecimal digits that no other id has. */
export const rareTextOf = (id: number): string =>
  ((BigInt(id) * scatterFactor) % 4_294_967_296n).toString(16).padStart(8, '0');

/** The same as SQL. */
export const rareTextSql = (id: string): string =>
  `lpad(to_hex((${id}::numeric * ${scatterFactor} % 4294967296)::bigint), 8, '0')`;
