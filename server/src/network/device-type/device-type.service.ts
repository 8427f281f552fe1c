import type { WriteTx } from '../../context.ts';
import { invalid, rejected } from '../../kernel/failure.ts';

/** A device type as other records show it. */
export interface TypeShown {
  name: string;
  tag: string;
  imageFile: string;
  id: number;
}

/** Finds a device type by id or tag, in the form that records show in `field`. */
export async function deviceTypeNamed(
  { client }: Pick<WriteTx, 'client'>,
  { id = 0, tag = '' }: Partial<TypeShown>,
  field: string,
): Promise<TypeShown> {
  if (id === 0 && tag === '')
    throw invalid([{ pointer: `/${field}`, message: `${field}: select a device type by its id or tag.` }]);
  const { rows } = await client.query<TypeShown>(
    `select t.name, t.tag, t.image_file as "imageFile", t.id from device_type t
     where ($1::bigint = 0 or t.id = $1) and ($2::text = '' or lower(t.tag) = lower($2))`,
    [id, tag],
  );
  const description = [id > 0 && `the id ${id}`, tag && `the tag ${JSON.stringify(tag)}`].filter(Boolean).join(' and ');
  if (!rows[0]) throw rejected(`${field}: there is no Device type with ${description}.`, `/${field}`);
  return rows[0];
}
