import { textOf } from './shown-value.ts';

/** What a spreadsheet would run: a name that a stranger chose must not become a formula. */
const formula = /^[=+\-@](?!\d+(?:\.\d+)?$)/;

/** A line of CSV (RFC 4180). A cell that a spreadsheet would run gets an apostrophe in front. */
export const csvLine = (values: readonly unknown[]): string => values.map((value) => quoted(textOf(value))).join(',');

const quoted = (text: string): string => csvCell(formula.test(text) ? `'${text}` : text);

/** A cell as CSV has it, whatever it holds. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
