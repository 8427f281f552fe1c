import type { Context } from './context.ts';
import type { Group } from './kernel/action.ts';
import type { Operation } from './kernel/operation.ts';
import { Reader } from './kernel/read/list.ts';
import { Runtime } from './kernel/runtime.ts';
import { modelFor, operationsFor } from './service.ts';

/** The operations of a catalogue as data, without a database: for the documents and for whoever counts them. Nothing of it can be run. */
export function describeOperations(groups: readonly Group<Context>[]): Operation[] {
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
  return operationsFor(groups, runtime, { reading: unusable, writing: unusable, asking: unusable });
}
