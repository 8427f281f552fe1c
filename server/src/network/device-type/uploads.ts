import type { Context } from '../../context.ts';

/** Limit on the icons in the archive, a list for people. */
const uploadsMax = 1_000;

const types = ({ db }: Context) => db.selectFrom('device_type');

/** Returns the types with uploaded icons. */
export const typesWithIcons = (context: Context): Promise<{ id: number; tag: string }[]> =>
  types(context)
    .select(['id', 'tag'])
    .where((row) => row.or([row('largeIcon', 'is not', null), row('smallIcon', 'is not', null)]))
    .orderBy('id')
    .limit(uploadsMax)
    .execute();

interface Icons {
  smallIcon: string | null;
  largeIcon: string | null;
}

const knownIcons = (icons: Icons | undefined): Icons | undefined =>
  icons && (icons.largeIcon ?? icons.smallIcon) !== null ? icons : undefined;

/** Returns the uploaded icons of a type; undefined if there are none. */
export const iconsOfType = async (context: Context, tag: string): Promise<Icons | undefined> =>
  knownIcons(await types(context).select(['smallIcon', 'largeIcon']).where('tag', '=', tag).executeTakeFirst());

/** Returns the uploaded icon to show, by id: the large one if there are both. */
export async function iconToShow(context: Context, id: number): Promise<string | undefined> {
  const icons = knownIcons(
    await types(context).select(['smallIcon', 'largeIcon']).where('id', '=', id).executeTakeFirst(),
  );
  return icons?.largeIcon ?? icons?.smallIcon ?? undefined;
}
