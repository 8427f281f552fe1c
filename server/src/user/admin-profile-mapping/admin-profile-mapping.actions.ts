import { action } from '../../context.ts';
import { allows } from '../../kernel/declare/permissions.ts';
import type { Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { adminProfileMapping } from './admin-profile-mapping.ts';

const { id } = shapes;
const name = { kind: 'text', max: 120 } as const satisfies Shape;
const shownMax = 10_000;

/** Returns the choices for the form of a mapping. */
const supportingInfo = action(adminProfileMapping, {
  name: 'supporting-info',
  method: 'GET',
  path: '/supporting-info',
  doc: 'List the profiles and groups that a mapping can use',
  result: {
    kind: 'object',
    name: 'MappingSupport',
    properties: {
      profiles: {
        kind: 'list',
        max: shownMax,
        item: { kind: 'object', name: 'NamedProfile', properties: { id, name } },
      },
      groups: {
        kind: 'list',
        max: shownMax,
        doc: 'Groups visible to the caller.',
        item: {
          kind: 'object',
          name: 'NamedGroup',
          properties: { id, name, type: { kind: 'choice', values: ['ADMINISTRATOR', 'USER'] } },
        },
      },
    },
  },
  async run({ caller }, { db }) {
    const profiles = await db
      .selectFrom('admin_profile')
      .select(['id', 'name'])
      .orderBy('name')
      .limit(shownMax)
      .execute();
    const groups = allows(caller.rights, 'groups', 'view')
      ? await db
          .selectFrom('group')
          .select(['id', 'name', 'type'])
          .where('type', 'in', ['ADMINISTRATOR', 'USER'])
          .orderBy('name')
          .limit(shownMax)
          .execute()
      : [];
    return [{ profiles, groups }];
  },
});

export const adminProfileMappingActions = [supportingInfo];
