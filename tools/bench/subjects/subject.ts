/** Records of a family have consecutive ids: family 1 has the ids 1 to 250. */
export const familySize = 250;
/** In addition to the records that are requested, there is one that the writer replaces all the time. */
export const spareRows = 1;

export type SubjectName = 'port' | 'host' | 'adapter';

/** The content of a database; hosts include their adapters. */
export type Filling = 'ports' | 'hosts';

/**
 * A kind of record that is measured: how it is requested, how it is changed meanwhile, and how a bare server reads it.
 */
export interface Subject {
  name: SubjectName;
  plural: string;
  /** The path of the API, after `/api/v2`. */
  path: string;
  filling: Filling;
  /** The permissions of the caller. */
  permissions: object;
  /** Returns the number of records in a filling of this size, without the spare one. */
  rows(size: number): number;
  /** Returns the number of families. */
  families(size: number): number;
  /** Returns the filter that finds a family. */
  familyFilter(family: number): string;
  /** Returns the filter that finds one single record by a part of a text; `rareText` describes it. */
  rareFilter(id: number): string;
  rareText: string;
  /** The fields in which a response shows identity and last change, as patterns. */
  captured: Readonly<Record<string, string>>;
  /** Changes the record `$1` as an administrator would, and returns its new version. */
  changeSql: string;
  bare: {
    /**
     * Reads these rows of the table: columns in the order and with the names of the record, unless `recordOf` differs.
     */
    select(rows: string): string;
    recordOf?(row: Readonly<Record<string, unknown>>): object;
    /** The condition on the row `r` for the family `$1`. */
    isFamily: string;
    /** Records that are parts of a fetched one: by ids `$1`, each with the id of its owner. */
    parts?: { field: string; owner: string; select: string };
  };
}

/** Distinct for every id, and unordered: multiplication by an odd number is reversible. */
const scatterFactor = 2_654_435_761n;

/** Returns eight hexadecimal digits that no other id has. */
export const rareTextOf = (id: number): string =>
  ((BigInt(id) * scatterFactor) % 4_294_967_296n).toString(16).padStart(8, '0');

/** The same as SQL. */
export const rareTextSql = (id: string): string =>
  `lpad(to_hex((${id}::numeric * ${scatterFactor} % 4294967296)::bigint), 8, '0')`;
