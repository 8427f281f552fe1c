import { action } from '../../context.ts';
import { notFound } from '../../kernel/failure.ts';
import { radiusDictionaryEntry } from './radius-dictionary-entry.ts';

const byName = action(radiusDictionaryEntry, {
  name: 'by-name',
  method: 'GET',
  path: '/attribute/{name}',
  pathShapes: {
    name: {
      kind: 'text',
      min: 1,
      max: 120,
      example: 'Tunnel-Type',
      doc: 'Name of the attribute, in upper or lower case.',
    },
  },
  doc: 'Return the RADIUS attribute with a name',
  result: 'record',
  errors: ['not-found'],
  async run({ parameters: { name } }, context) {
    const rows = await context.query<{ dbid: number }>(
      `select e.id as dbid from ${context.visible(radiusDictionaryEntry)} e where lower(e.attribute) = lower($1)`,
      [name],
    );
    const entry = rows[0] && (await context.fetch(radiusDictionaryEntry, rows[0].dbid));
    if (!entry) throw notFound('RADIUS attribute', name);
    return [entry];
  },
});

export const radiusDictionaryEntryActions = [byName];
