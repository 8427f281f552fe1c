import { besideJoins } from '../../kernel/beside.ts';
import { computed, type Field } from '../../kernel/field.ts';
import { quoted, snakeCase } from '../../kernel/names.ts';
import type { ObjectShape } from '../../kernel/shape.ts';
import { instantSql } from '../../kernel/time.ts';
import { adapter, attribute } from '../adapter/adapter.ts';
import { whereabouts } from '../adapter/where.ts';

export { attribute as ownAttribute };

const shown: readonly (readonly [string, Field])[] = Object.entries(adapter.fields);

const adapterShape: ObjectShape = {
  kind: 'object',
  name: 'AdapterOfHost',
  properties: Object.fromEntries(shown.map(([name, { shape }]) => [name, shape])),
};

/** A field of the adapter `r`, as JSON holds it. */
function cell([name, field]: readonly [string, Field]): string {
  const sql = field.sql ?? `r.${quoted(snakeCase(name))}`;
  return `${field.shape.kind === 'time' ? instantSql(sql) : sql} as ${quoted(name)}`;
}

/** The adapters of the host `r` as records of their own. */
const adaptersSql = `(select coalesce(jsonb_agg(to_jsonb(x) order by x.id), '[]'::jsonb)
  from (select r.id as host_id offset 0) h
  cross join lateral (select ${shown.map(cell).join(', ')} from adapter r${besideJoins(whereabouts)} where r.host_id = h.host_id) x)`;

export const adapterObjects: Field<object[]> = {
  ...computed<object[]>({ kind: 'list', item: adapterShape, max: 1_000 }, adaptersSql, {
    doc: 'Its adapters as records, where one host is fetched or looked for; in a list with withAdapters.',
  }),
  fetched: true,
};
