/** Writes files that are made from declarations. */
export interface Generator {
  /** What it writes from what, for the usage. */
  doc: string;
  /** The text of each file, by its path in the repository. */
  files(): Promise<Readonly<Record<string, string>>>;
  /** A folder that has nothing but these files: others in it are removed. */
  folder?: string;
  /** Its files are not checked in: they are written whenever they differ, without a review. */
  isProduct?: boolean;
  /** What differs, where the reader needs more than the name of the file. */
  difference?(stored: string, wanted: string): string;
}
