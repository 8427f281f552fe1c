import { inputShape, type RecordOf, tableOf } from '../../kernel/declare/declaration.ts';
import { computed, type Field } from '../../kernel/declare/field.ts';
import { joinSql } from '../../kernel/declare/lateral-joins.ts';
import { quoted, snakeCase } from '../../kernel/declare/names.ts';
import { instantSql } from '../../kernel/values/time.ts';
import { adapter, adapterLocation, attribute } from '../adapter/adapter.ts';

export { attribute as ownAttribute };

const adapterFields: readonly (readonly [string, Field])[] = Object.entries(adapter.fields);

export const adapterShape = { ...inputShape(adapter), name: 'AdapterOfHost' };

/** Selects a field of the adapter `r` in its JSON form. */
function cell([name, field]: readonly [string, Field]): string {
  const sql = field.sql ?? `r.${quoted(snakeCase(name))}`;
  return `${field.shape.kind === 'time' ? instantSql(sql) : sql} as ${quoted(name)}`;
}

/** References that the service sets are shown only to callers who see the referenced record. */
export const visibleCells = adapterFields.flatMap(([name, field]) => {
  if (!field.reference || field.access === 'write') return [];
  const id = `(select o.id from ${quoted(tableOf({ name: field.reference.to }))} o where o.id = r.${quoted(snakeCase(name))})`;
  return [{ sql: cell([name, field]), restricted: `${id} as ${quoted(name)}` }];
});

/** Selects the adapters of the host `r` as records. */
const adaptersSql = `(select coalesce(jsonb_agg(to_jsonb(x) order by x.id), '[]'::jsonb)
  from (select r.id as host_id offset 0) h
  cross join lateral (select ${adapterFields.map(cell).join(', ')} from adapter r${joinSql(adapterLocation)} where r.host_id = h.host_id) x)`;

export const adapterObjects: Field<RecordOf<typeof adapter>[]> = {
  ...computed<RecordOf<typeof adapter>[]>({ kind: 'list', item: adapterShape, max: 1_000 }, adaptersSql, {
    doc: 'Its adapters as records; in lists only with withAdapters=true.',
  }),
  detailOnly: true,
};
