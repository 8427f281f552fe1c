import type pg from 'pg';
import { catalogue } from '../../../src/catalogue.ts';
import { fullVisibility } from '../../../src/kernel/access/visibility.ts';
import { Parameters } from '../../../src/kernel/database/parameters.ts';
import { databaseFailure, withConnection } from '../../../src/kernel/database/transaction.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { compileFilter } from '../../../src/kernel/filter/compile.ts';
import { parseFilters } from '../../../src/kernel/filter/parse.ts';
import { faultInText } from '../../../src/kernel/format/text.ts';
import { Reader } from '../../../src/kernel/read/reader.ts';
import { modelFor } from '../../../src/node/start-service.ts';
import { Draw } from './draw.ts';
import { drawFilter, vocabularyOf } from './filters.ts';
import { excerpt } from './target.ts';

const model = modelFor(catalogue);
const tables = model.tables.map((table) => ({
  table,
  words: vocabularyOf(model, table),
  reader: new Reader(table),
}));

/** Resources outside the contract that list the records of another one. */
const recordsOf: Readonly<Record<string, string>> = {
  account: 'user-account',
  user: 'user-account',
  console: 'host',
};

/** Returns the vocabulary for filters of an operation. */
export function wordsFor(operationId: string) {
  const noun = operationId.slice(0, operationId.indexOf('.'));
  return tables.find(({ table }) => table.declaration.name === (recordsOf[noun] ?? noun))!.words;
}

/** Counts accepted and refused filters, and collects the faults. */
export class FilterReport {
  accepted = 0;
  refused = 0;
  slowestMs = 0;
  readonly faults: string[] = [];

  get words(): string {
    return `${this.accepted} accepted, ${this.refused} refused, slowest ${this.slowestMs.toFixed(0)} ms`;
  }

  /** Does something with a filter, and checks that an error is an allowed one. */
  async note(describeFilter: () => string, work: () => unknown): Promise<void> {
    const before = performance.now();
    try {
      await work();
      this.accepted++;
    } catch (error) {
      this.refused++;
      const fault = refusalFault(error);
      if (fault) this.faults.push(`${describeFilter()}: ${fault}`);
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - before);
  }
}

const refusalCharactersMax = 5_000;

/**
 * Returns what is wrong with an error: it must be a message about the request, short and valid in XML; a timeout of a
 * list is a failure too.
 */
function refusalFault(error: unknown): string | undefined {
  const failure = error instanceof Failure ? error : databaseFailure(error, true);
  if (!failure || ![400, 422].includes(failure.httpCode)) return `threw ${(error as Error).stack}`;
  if (failure.message.length > refusalCharactersMax) return `an error message of ${failure.message.length} characters`;
  return faultInText(failure.message) && `an error message that XML cannot contain: ${excerpt(failure.message)}`;
}

/**
 * Runs filters through parser and compiler in this process: each is refused, or becomes SQL with all its parameters.
 */
export async function filtersInProcess(seed: number, count: number): Promise<FilterReport> {
  const report = new FilterReport();
  for (let number = 0; number < count; number++) {
    const draw = new Draw(seed, 'filter', number);
    const { table, words } = draw.pick(tables);
    const elements = drawFilter(draw, words);
    const describeFilter = () => `filter ${number} on ${table.name} ${excerpt(elements.join(' & '))}`;
    await report.note(describeFilter, () => {
      const parameters = new Parameters();
      const sql = compileFilter(table, parseFilters(elements)!, parameters, Date.now(), fullVisibility);
      const fault = parameterFault(sql, parameters.values);
      if (fault) report.faults.push(`${describeFilter()}: ${fault}`);
    });
  }
  return report;
}

/** PostgreSQL accepts 65,535 parameters, none of them with U+0000; each must be used. */
function parameterFault(sql: string, values: readonly unknown[]): string | undefined {
  const used = new Set([...sql.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)));
  if (used.size !== values.length || used.size > 65_535)
    return `${used.size} placeholders for ${values.length} parameters`;
  const hasNul = values.some((value) => typeof value === 'string' && value.includes('\0'));
  return hasNul ? 'U+0000 in a parameter' : undefined;
}

/** Runs lists with such filters on PostgreSQL, until the given number was accepted. */
export async function filtersOnPostgres(pool: pg.Pool, seed: number, count: number): Promise<FilterReport> {
  const report = new FilterReport();
  for (let number = 0; report.accepted < count; number++) {
    const draw = new Draw(seed, 'list', number);
    const { table, words, reader } = draw.pick(tables);
    const query = {
      filter: drawFilter(draw, words),
      start: draw.pick([0, 0, 1, 1_000_000]),
      count: draw.pick([0, 1, 10, 1_000]),
      sortKey: draw.chance(0.5) ? draw.pick(words.own).field : undefined,
      sortDir: draw.pick(['asc', 'desc', undefined] as const),
    };
    const describeList = () => `list ${number} of ${table.name} ${excerpt(JSON.stringify(query))}`;
    await report.note(describeList, () => withConnection(pool, (client) => reader.list(client, query, Date.now())));
  }
  return report;
}
