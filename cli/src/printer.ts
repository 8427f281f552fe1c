import type { Arguments } from './args.ts';
import { columnAt, columnsByWorth, fieldChooser, valueAt } from './columns.ts';
import { csvLine } from './csv.ts';
import type { Document, Schema } from './document.ts';
import { type Wanted, wantedFrom } from './formats.ts';
import { runJq } from './jq.ts';
import { line, type Screen } from './output.ts';
import { identityOf, labelOf } from './schema.ts';
import type { JsonObject } from './set.ts';
import { textOf } from './shown-value.ts';
import { harmlessJson } from './text.ts';
import { yamlLines } from './yaml.ts';

/** What is printed: one record, a list at once, or records as they come. */
type Form = 'record' | 'list' | 'lines';

interface Source {
  screen: Screen;
  args: Arguments;
  document: Document;
  /** Of a record. */
  schema: Schema | undefined;
  /** Fields that are printed whichever were chosen. */
  always?: readonly string[];
}

/** Prints records for programs. */
export interface Printer {
  print(records: readonly JsonObject[]): Promise<void>;
}

/** The printer of the form that the options ask for; undefined: a table for people, which each command prints in its own way. */
export function printerFor(source: Source, form: Form): Printer | undefined {
  const { fields, ...how } = wantedFrom(source.args);
  const wanted = { ...how, fields: fields && [...(source.always ?? []), ...fields] };
  switch (wanted.format) {
    case 'table':
      return undefined;
    case 'json':
      return jsonPrinter(source, wanted, form);
    case 'yaml':
      return yamlPrinter(source, wanted, form);
    case 'csv':
      return csvPrinter(source, wanted);
    case 'name':
      return namePrinter(source);
  }
}

function jsonPrinter({ screen, schema, document }: Source, { fields, jq }: Wanted, form: Form): Printer {
  const chosen = fieldChooser(fields, schema, document);
  const textsOf = (records: readonly JsonObject[]): string[] => {
    if (form === 'lines') return records.map((record) => harmlessJson(record));
    return [harmlessJson(form === 'record' ? (records[0] ?? null) : records, 2)];
  };
  return {
    async print(records) {
      const text = textsOf(records.map(chosen)).map((each) => `${each}\n`);
      await screen.out.write(jq === undefined ? text.join('') : await runJq(text.join(''), jq));
    },
  };
}

function yamlPrinter({ screen, schema, document }: Source, { fields }: Wanted, form: Form): Printer {
  const chosen = fieldChooser(fields, schema, document);
  return {
    async print(records) {
      const values = records.map(chosen);
      if (form === 'lines' && values.length === 0) return;
      await line(screen.out, yamlLines(form === 'record' ? (values[0] ?? null) : values).join('\n'));
    },
  };
}

function csvPrinter({ screen, schema, document }: Source, { fields }: Wanted): Printer {
  const columns = fields?.map((path) => columnAt(path, schema, document)) ?? columnsByWorth(schema, document);
  const paths = columns.map(({ path }) => path);
  let isBegun = false;
  return {
    async print(records) {
      if (!isBegun) await line(screen.out, csvLine(paths));
      isBegun = true;
      for (const record of records) await line(screen.out, csvLine(paths.map((path) => valueAt(record, path))));
    },
  };
}

/** What other commands take for ID: the name, or the identity of a record without one. */
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

/** Prints what is no record, such as the outcome of a write, as JSON or YAML; false: the user asked for neither. */
export async function printValue(
  { screen, args }: Pick<Source, 'screen' | 'args'>,
  value: unknown,
  indent?: number,
): Promise<boolean> {
  const { format, jq } = wantedFrom(args);
  if (format === 'yaml') await line(screen.out, yamlLines(value).join('\n'));
  if (format !== 'json') return format === 'yaml';
  await screen.out.write(jq === undefined ? `${harmlessJson(value, indent)}\n` : await runJq(harmlessJson(value), jq));
  return true;
}
