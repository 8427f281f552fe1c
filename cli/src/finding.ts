/** The result of one check of the doctor. */
export interface Finding {
  isOk: boolean;
  what: string;
  fix?: string;
}

export const ok = (what: string, fix?: string): Finding => ({ isOk: true, what, ...(fix && { fix }) });
export const notOk = (what: string, fix: string): Finding => ({ isOk: false, what, fix });
