import type { Context } from '../../context.ts';

/** The archive is a list to choose from; nobody chooses from more. */
const uploadsMax = 1_000;

const types = ({ db }: Context) => db.selectFrom('device_type');

/** The types that people uploaded icons for. */
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

/** The icons that were uploaded for a type, if any were. */
export const iconsOfType = async (context: Context, tag: string): Promise<Icons | undefined> =>
  knownIcons(await types(context).select(['smallIcon', 'largeIcon']).where('tag', '=', tag).executeTakeFirst());

/** The same by its id: the icon to show, which is the large one if there are both. */
export async function iconToShow(context: Context, id: number): Promise<string | undefined> {
  const icons = knownIcons(
    await types(context).select(['smallIcon', 'largeIcon']).where('id', '=', id).executeTakeFirst(),
  );
  return icons?.largeIcon ?? icons?.smallIcon ?? undefined;
}
