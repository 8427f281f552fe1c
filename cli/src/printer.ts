import type { Arguments } from './args.ts';
import { columnAt, columnsByPriority, fieldChooser, valueAt } from './columns.ts';
import { csvLine } from './csv.ts';
import type { Document, Schema } from './document.ts';
import { type OutputOptions, outputOptionsFrom } from './formats.ts';
import { runJq } from './jq.ts';
import { suggestion } from './nearest.ts';
import { line, type Screen } from './output.ts';
import { identityOf, labelOf } from './schema.ts';
import type { JsonObject } from './set.ts';
import { textOf } from './shown-value.ts';
import { escapedJson } from './text.ts';
import { UsageError } from './usage-error.ts';
import { yamlLines } from './yaml.ts';

/** The kind of output: one record, a complete list, a list page by page, or records as they arrive. */
type Form = 'record' | 'list' | 'pages' | 'lines';

interface Source {
  screen: Screen;
  args: Arguments;
  document: Document;
  /** Schema of a record. */
  schema: Schema | undefined;
  /** Fields that are always printed. */
  always?: readonly string[];
}

/** Prints records in a format for programs. */
export interface Printer {
  print(records: readonly JsonObject[]): Promise<void>;
  /** Called after the last page. */
  end?(): Promise<void>;
}

/** Returns the printer for the output options; undefined for a table, which each command prints itself. */
export function printerFor(source: Source, form: Form): Printer | undefined {
  const { fields, ...how } = outputOptionsFrom(source.args);
  const output = { ...how, fields: fields && [...(source.always ?? []), ...fields] };
  switch (output.format) {
    case 'table':
      return undefined;
    case 'json':
      return form === 'pages' ? pagesPrinter(source, output) : jsonPrinter(source, output, form);
    case 'yaml':
      return yamlPrinter(source, output, form);
    case 'csv':
      return csvPrinter(source, output);
    case 'name':
      return namePrinter(source);
  }
}

function jsonPrinter({ screen, schema, document }: Source, { fields, jq }: OutputOptions, form: Form): Printer {
  const chosen = fieldChooser(fields, schema, document);
  const textsOf = (records: readonly JsonObject[]): string[] => {
    if (form === 'lines') return records.map((record) => escapedJson(record));
    return [escapedJson(form === 'record' ? (records[0] ?? null) : records, 2)];
  };
  return {
    async print(records) {
      const text = textsOf(records.map(chosen)).map((recordText) => `${recordText}\n`);
      if (jq === undefined) return screen.out.write(text.join(''));
      const output = await runJq(text.join(''), jq);
      // A typing error in `--set ownerID=$(portreeve host get x --jq .onwerID)` must not become `ownerID=null`.
      if (form !== 'lines' && output === 'null\n') throw new NoValue(noValueWords(jq, form, schema));
      await screen.out.write(output);
    },
  };
}

/** Thrown if a jq expression has no result; the exit code is the same as for an unknown record. */
class NoValue extends Error {
  override readonly name = 'NoValue';
  readonly word = 'not-found';
}

function noValueWords(jq: string, form: Form, schema: Schema | undefined): string {
  const field = form === 'record' ? /^\s*\.(\w+)\s*$/.exec(jq)?.[1] : undefined;
  const names = Object.keys(schema?.properties ?? {});
  const isUnknown = field !== undefined && names.length > 0 && field !== 'id' && !names.includes(field);
  return isUnknown
    ? `--jq: there is no field ${field}.${suggestion(field, names)}`
    : `--jq: the result of ${jq} is null. To print a default instead, use: ${jq} // "none"`;
}

/** Maximum size of the input of a jq expression. */
const jqInputMax = 64 * 1_024 * 1_024;

/** Prints one JSON array, page by page. A jq expression is applied to the complete array, so that it works the same with and without --all. */
function pagesPrinter({ screen, schema, document }: Source, { fields, jq }: OutputOptions): Printer {
  const chosen = fieldChooser(fields, schema, document);
  const recordTexts: string[] = [];
  let length = 0;
  let isBegun = false;
  return {
    async print(records) {
      const texts = records.map((record) => escapedJson(chosen(record), 2).replaceAll('\n', '\n  '));
      for (const text of texts) {
        if (jq === undefined) await screen.out.write(`${isBegun ? ',' : '['}\n  ${text}`);
        else {
          recordTexts.push(text);
          length += text.length;
        }
        isBegun = true;
      }
      if (length > jqInputMax)
        throw new UsageError(
          'The records are too large for --jq. Select fields with --json A,B, or pipe `export` into jq, which reads one record at a time.',
        );
    },
    async end() {
      if (jq === undefined) return screen.out.write(isBegun ? '\n]\n' : '[]\n');
      const output = await runJq(`[${recordTexts.join()}]`, jq);
      if (output === 'null\n') throw new NoValue(noValueWords(jq, 'pages', schema));
      await screen.out.write(output);
    },
  };
}

function yamlPrinter({ screen, schema, document }: Source, { fields }: OutputOptions, form: Form): Printer {
  const chosen = fieldChooser(fields, schema, document);
  let isBegun = false;
  return {
    async print(records) {
      const values = records.map(chosen);
      if (form === 'lines' && values.length === 0) return;
      // An empty page would be a second document.
      if (form === 'pages' && values.length === 0 && isBegun) return;
      isBegun = true;
      await line(screen.out, yamlLines(form === 'record' ? (values[0] ?? null) : values).join('\n'));
    },
  };
}

function csvPrinter({ screen, schema, document }: Source, { fields }: OutputOptions): Printer {
  const columns = fields?.map((path) => columnAt(path, schema, document)) ?? columnsByPriority(schema, document);
  const paths = columns.map(({ path }) => path);
  let isBegun = false;
  return {
    async print(records) {
      if (!isBegun) await line(screen.out, csvLine(paths));
      isBegun = true;
      for (const record of records) await line(screen.out, csvLine(columns.map(({ field }) => valueAt(record, field))));
    },
  };
}

/** Prints what other commands accept as ID: the name, or the id of a record without a name. */
function namePrinter({ screen, schema }: Source): Printer {
  const [label, identity] = schema ? [labelOf(schema), identityOf(schema)] : [];
  return {
    async print(records) {
      for (const record of records) {
        const name = textOf(label && record[label]);
        await line(screen.out, name === '' ? textOf(identity && record[identity]) : name);
      }
    },
  };
}

/** Prints a value that is not a record, such as the result of a write, as JSON or YAML; returns false for other formats. */
export async function printValue(
  { screen, args }: Pick<Source, 'screen' | 'args'>,
  value: unknown,
  indent?: number,
): Promise<boolean> {
  const { format, jq } = outputOptionsFrom(args);
  if (format === 'yaml') await line(screen.out, yamlLines(value).join('\n'));
  if (format !== 'json') return format === 'yaml';
  await screen.out.write(jq === undefined ? `${escapedJson(value, indent)}\n` : await runJq(escapedJson(value), jq));
  return true;
}
