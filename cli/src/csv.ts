import { textOf } from './shown-value.ts';

/** Matches cells that a spreadsheet would run as a formula. Names of hosts and devices come from the network. */
const formula = /^[=+\-@](?!\d+(?:\.\d+)?$)/;

/** Formats a line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets a leading apostrophe. */
export const csvLine = (values: readonly unknown[]): string => values.map((value) => quoted(textOf(value))).join(',');

const quoted = (text: string): string => csvCell(formula.test(text) ? `'${text}` : text);

/** Quotes a CSV cell if required. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
