import { textOf } from './shown-value.ts';

/** What a spreadsheet would run: a name that a stranger chose must not become a formula. */
const formula = /^[=+\-@](?!\d+(?:\.\d+)?$)/;

/** A line of CSV (RFC 4180). A cell that a spreadsheet would run gets an apostrophe in front. */
export const csvLine = (values: readonly unknown[]): string => values.map((value) => quoted(textOf(value))).join(',');

function quoted(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
