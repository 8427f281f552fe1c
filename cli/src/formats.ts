import type { Arguments, Options } from './args.ts';
import { UsageError } from './usage-error.ts';

/** Output formats. */
const formats = ['table', 'json', 'yaml', 'csv', 'name'] as const;
type Format = (typeof formats)[number];

/** Options of every command that prints records. */
export const formatOptions: Options = {
  json: {
    value: '[A,B]',
    isOptional: true,
    completes: 'fields',
    doc: 'Print JSON, for scripts; with field names, only these fields',
  },
  jq: { value: 'EXPR', doc: 'Apply a jq expression to the JSON, such as .[].name' },
  output: {
    value: formats.join('|'),
    short: 'o',
    completes: formats,
    doc: 'Output format; name prints only the names',
  },
};

/** The output format and its options. */
export interface OutputOptions {
  format: Format;
  /** Fields to print; undefined: all. */
  fields: readonly string[] | undefined;
  jq: string | undefined;
}

export function outputOptionsFrom(args: Arguments): OutputOptions {
  const format = formatFrom(args);
  const jq = args.text('jq');
  const jsonFields = namesIn(args.text('json'));
  const columns = namesIn(args.text('columns'));
  if (jsonFields && columns) throw new UsageError('Use either --columns or field names after --json, not both.');
  if (jq !== undefined && format !== 'json') throw new UsageError('--jq requires JSON output. Remove --output.');
  return { format, fields: jsonFields ?? columns, jq };
}

function formatFrom(args: Arguments): Format {
  const text = args.text('output');
  const isJson = args.has('json') || args.has('jq');
  if (text === undefined) return isJson ? 'json' : 'table';
  const format = formats.find((candidate) => candidate === text);
  if (!format) throw new UsageError(`--output takes ${formats.join(', ')}, not ${JSON.stringify(text)}.`);
  if (args.has('json') && format !== 'json') throw new UsageError(`Use either --json or --output ${format}, not both.`);
  return format;
}

/** Splits a list of names, such as `A,B`; undefined if there are none. */
export const namesIn = (text: string | undefined): string[] | undefined => {
  const names = (text ?? '').split(',').map((name) => name.trim());
  const nonEmptyNames = names.filter((name) => name !== '');
  return nonEmptyNames.length > 0 ? nonEmptyNames : undefined;
};
