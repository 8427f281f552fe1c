import { type Context, everyRow, rules } from '../../context.ts';
import { duplicate, invalidField } from '../../kernel/failure.ts';
import { refuseWrongValue } from '../access-value/access-value.service.ts';
import { refuseWrongWhere } from '../criteria/criteria.service.ts';
import type { Where } from '../decide/decide.service.ts';
import { roleMapping } from './role-mapping.ts';

const everyMapping = everyRow(roleMapping, 'role and places are unique among all mappings');

export const roleMappingRules = rules(roleMapping, {
  async beforeSave({ id, after }, context) {
    const { accessConfigurationID, directConfiguration, roleID, where } = after;
    if ((accessConfigurationID === null) === (directConfiguration === null))
      throw invalidField('directConfiguration', 'send exactly one of accessConfigurationID and directConfiguration');
    if (directConfiguration) refuseWrongValue(directConfiguration, 'directConfiguration');
    refuseWrongWhere(where);
    await refuseTwin(context, id, roleID, where);
  },
});

/** Rejects a second mapping of the same role at the same places, which would never be reached. */
async function refuseTwin({ tx }: Context, id: number, roleID: number, where: Where): Promise<void> {
  const { rows } = await tx.client.query<{ name: string }>(
    `select r.name from ${everyMapping} r
     where r.id <> $1 and r.role_id = $2 and r."where" @> $3::jsonb and r."where" <@ $3::jsonb limit 1`,
    [id, roleID, JSON.stringify(where)],
  );
  if (rows[0]) throw duplicate(`where: ${rows[0].name} already maps the same role at the same places.`);
}
