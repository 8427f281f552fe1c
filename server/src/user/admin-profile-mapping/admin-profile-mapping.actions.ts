import { action } from '../../context.ts';
import { allows } from '../../kernel/permissions.ts';
import type { Shape } from '../../kernel/shape.ts';
import { integerMax } from '../../kernel/shape.ts';
import { adminProfileMapping } from './admin-profile-mapping.ts';

const id: Shape = { kind: 'integer', min: 1, max: integerMax };
const name: Shape = { kind: 'text', max: 120 };
const shownMax = 10_000;

/** What a form for a mapping offers. */
const supportingInfo = action(adminProfileMapping, {
  name: 'supporting-info',
  method: 'GET',
  path: '/supporting-info',
  doc: 'List the profiles and the groups of people that a mapping can name',
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
        doc: 'Those that the caller sees.',
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
