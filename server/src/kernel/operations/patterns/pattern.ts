import { type Condition, fullVisibility } from '../../access/visibility.ts';
import type { Collection, Declaration } from '../../declare/declaration.ts';
import { pascalCase, quoted, snakeCase, withArticle } from '../../declare/names.ts';
import type { Answer, Call, Operation } from '../../declare/operation.ts';
import { allows, type Verb } from '../../declare/permissions.ts';
import type { ObjectShape } from '../../declare/shape.ts';
import type { StatusWord } from '../../failure.ts';
import type { Archives } from '../../log/archives.ts';
import type { Table } from '../../model/model.ts';
import type { Reader } from '../../read/reader.ts';
import { readerOf } from '../../write/engine.ts';
import type { Runtime, WriteTx } from '../../write/runtime.ts';

export const apiRoot = '/api/v2';

/** An operation of a pattern, before the resource adds path, permission and errors. */
export type Draft = Pick<Operation, 'method' | 'summary' | 'run'> &
  Partial<Operation> & { at: string; verb: Verb | 'save'; more?: readonly StatusWord[] };

/** The declared table that the operations of a pattern work on. */
export class PatternContext {
  readonly declaration: Declaration;
  readonly table: Table;
  readonly runtime: Runtime;
  readonly archives: Archives | undefined;
  /** The noun for a record in summaries and errors. */
  readonly noun: string;
  readonly record: ObjectShape;

  constructor(declaration: Declaration, runtime: Runtime, archives: Archives | undefined) {
    this.declaration = declaration;
    this.table = runtime.engine.model.byName(declaration.name);
    this.runtime = runtime;
    this.archives = archives;
    this.noun = declaration.title;
    this.record = recordShapeOf(declaration, runtime);
  }

  get nounWithArticle(): string {
    return withArticle(this.noun);
  }

  get isOwned(): boolean {
    return ((this.declaration as Collection).ownedBy ?? []).length > 0;
  }

  reader(call: Call): Reader {
    return this.runtime.reader(this.declaration.name, call.caller);
  }

  /** Returns the condition for the caller's own rows, if the caller has no permission for all of them. */
  ownRows(call: Call): Condition | undefined {
    return ownScope(this.declaration, call);
  }

  /** Returns the record as the result of a dry run. */
  async simulated(call: Call, tx: WriteTx, id: number): Promise<Pick<Answer, 'results'>> {
    return call.dryRun ? { results: [await tx.records.fetch(this.declaration, id)] } : {};
  }
}

/** Returns the shape of the record, with its name among the components of the documents. */
export const recordShapeOf = (declaration: Declaration, runtime: Runtime): ObjectShape => ({
  ...readerOf(runtime.engine, declaration.name, fullVisibility).record.shape,
  name: pascalCase(declaration.name),
});

/**
 * Returns the condition for rows that the caller owns; undefined if the collection has no owners, or the caller may
 * view all rows.
 */
export function ownScope(declaration: Declaration, call: Call): Condition | undefined {
  const owners = declaration.kind === 'collection' ? (declaration.ownedBy ?? []) : [];
  if (owners.length === 0 || allows(call.caller.rights, declaration.permission, 'view')) return undefined;
  return (parameters) => {
    const account = parameters.add(call.caller.accountId, '::bigint');
    return `(${owners.map((owner) => `r.${quoted(snakeCase(owner))} = ${account}`).join(' or ')})`;
  };
}

/** Returns the version in `If-Match`, which the stored record must have. */
export const expected = (call: Call) => ({ version: call.ifMatch, byHeader: call.ifMatch !== undefined });
