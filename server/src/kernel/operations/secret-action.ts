import type { Collection } from '../declare/declaration.ts';
import type { ObjectShape } from '../declare/shape.ts';
import type { WriteTx } from '../write/runtime.ts';
import type { Action } from './action.ts';

const secretValue: ObjectShape = {
  kind: 'object',
  name: 'SecretValue',
  properties: { name: { kind: 'text', max: 80 }, value: { kind: 'text', max: 4_000 } },
};

/**
 * The operation that reveals a stored secret: it requires the permission to modify, is audited, and its response is
 * never stored.
 */
export const secretAction = <C extends { tx: WriteTx }>(
  collection: Collection,
  path: string,
  field: string,
  doc: string,
): Action<C> => ({
  kind: 'action',
  of: collection,
  name: path.slice(path.lastIndexOf('/') + 1),
  method: 'GET',
  path,
  doc,
  verb: 'modify',
  writes: true,
  result: secretValue,
  async run({ id }, { tx }) {
    const value = await tx.records.secret(collection, id, field);
    const record = await tx.records.fetch(collection, id);
    const entry = {
      action: 'READ_SECRET',
      table: tx.engine.model.byName(collection.name).name,
      recordId: id,
      recordName: String(record?.[collection.label] ?? ''),
    } as const;
    await tx.engine.sinks.audit(tx.client, tx.origin, [
      { ...entry, eventTag: '', summary: `read ${field}`, changes: [] },
    ]);
    return { results: [{ name: field, value }], secret: true };
  },
});
