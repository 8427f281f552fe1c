import type { Context } from '../../context.ts';
import type { ElementType } from '../../kernel/declare/element-type.ts';
import { choicesMax } from './choice-shapes.ts';
import { attributeChoices } from './supported-attributes.ts';

const groupsOf = ({ db }: Context, type: ElementType) =>
  db.selectFrom('group').select(['id', 'name']).where('type', '=', type).orderBy('name').limit(choicesMax).execute();

/** Returns the places, roles and configurations that a form offers, limited to those that the caller sees. */
export async function placeChoices(context: Context) {
  const { db } = context;
  const ssids = await db.selectFrom('ssid').select('name').distinct().orderBy('name').limit(choicesMax).execute();
  return {
    roles: await db.selectFrom('role').select(['id', 'name']).orderBy('rank').limit(choicesMax).execute(),
    accessConfigurations: await db
      .selectFrom('access_configuration')
      .select(['id', 'name'])
      .orderBy('name')
      .limit(choicesMax)
      .execute(),
    deviceGroups: await groupsOf(context, 'DEVICE'),
    portGroups: await groupsOf(context, 'PORT'),
    containers: await db.selectFrom('container').select(['id', 'name']).orderBy('name').limit(choicesMax).execute(),
    ssids: ssids.map(({ name }) => name),
  };
}

/** Returns the attributes and groups that a form offers for the section `who`. */
export const whoChoices = async (context: Context) => ({
  attributes: attributeChoices(),
  hostGroups: await groupsOf(context, 'HOST'),
  userGroups: await groupsOf(context, 'USER'),
});
