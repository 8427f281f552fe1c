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

/** An operation of a pattern, before the resource adds path, right and errors. */
export type Draft = Pick<Operation, 'method' | 'summary' | 'run'> &
  Partial<Operation> & { at: string; verb: Verb | 'save'; more?: readonly StatusWord[] };

/** What a pattern makes its operations from: a declared table on a node. */
export class PatternContext {
  readonly declaration: Declaration;
  readonly table: Table;
  readonly runtime: Runtime;
  readonly archives: Archives | undefined;
  /** What summaries and errors call a record. */
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

  /** Without the permission a caller sees what is their own. */
  ownRows(call: Call): Condition | undefined {
    return ownScope(this.declaration, call);
  }

  /** A dry run answers like a read. */
  async simulated(call: Call, tx: WriteTx, id: number): Promise<Pick<Answer, 'results'>> {
    return call.dryRun ? { results: [await tx.records.fetch(this.declaration, id)] } : {};
  }
}

/** The record's shape under its name among the components of the documents. */
export const recordShapeOf = (declaration: Declaration, runtime: Runtime): ObjectShape => ({
  ...readerOf(runtime.engine, declaration.name, fullVisibility).record.shape,
  name: pascalCase(declaration.name),
});

/** Rows that belong to the caller, where a collection has owners and the caller lacks the permission to see all. */
export function ownScope(declaration: Declaration, call: Call): Condition | undefined {
  const owners = declaration.kind === 'collection' ? (declaration.ownedBy ?? []) : [];
  if (owners.length === 0 || allows(call.caller.rights, declaration.permission, 'view')) return undefined;
  return (parameters) => {
    const account = parameters.add(call.caller.accountId, '::bigint');
    return `(${owners.map((owner) => `r.${quoted(snakeCase(owner))} = ${account}`).join(' or ')})`;
  };
}

/** The version that a write was made for, as `If-Match` names it. */
export const expected = (call: Call) => ({ version: call.ifMatch, byHeader: call.ifMatch !== undefined });
