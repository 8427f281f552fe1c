import type { Context } from '../context.ts';
import type { Operation } from '../kernel/declare/operation.ts';
import type { Resource } from '../kernel/operations/resource.ts';
import { Reader } from '../kernel/read/reader.ts';
import { Runtime } from '../kernel/write/runtime.ts';
import { modelFor, operationsFor } from './start-service.ts';

/** Returns the operations of a catalogue without a database, for the documents and the coverage page. They cannot be run. */
export function describeOperations(groups: readonly Resource<Context>[]): Operation[] {
  const model = modelFor(groups);
  const readers = new Map(model.tables.map((table) => [table.declaration.name, new Reader(table)]));
  const unusable = () => {
    throw new Error('these operations only describe themselves');
  };
  const sinks = { audit: unusable, events: unusable };
  const runtime = new Runtime(undefined as never, {
    model,
    readers,
    rules: new Map(),
    secrets: { sealer: unusable, open: unusable },
    sinks,
    rowLimits: () => [],
  });
  return operationsFor(groups, runtime, { reading: unusable, writing: unusable, withoutTransaction: unusable });
}
