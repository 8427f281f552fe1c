import { action } from '../../context.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { invalidField, notFound } from '../../kernel/failure.ts';
import { uploadPath } from './device-type.rules.ts';
import { deviceType, deviceTypeFields } from './device-type.ts';
import { libraryIcons } from './icon-library.ts';
import { slugOf } from './slug.ts';
import { iconsOfType, typesWithIcons } from './uploads.ts';

/** Prefix of uploaded icons in the archive; names of library icons contain no slash. */
const uploadPrefix = 'device-type/';

const archivedImage = {
  kind: 'object',
  name: 'ArchivedImage',
  properties: {
    name: { kind: 'text', max: 60, doc: 'Name to use in createFromArchive.', example: 'printer' },
    imageFile: { kind: 'text', max: 120, doc: 'Path the icon is loaded from.', example: '/icons/printer.svg' },
    licence: {
      kind: 'text',
      max: 40,
      nullable: true,
      doc: 'SPDX name of its licence; null for an uploaded icon.',
      example: 'ISC',
    },
  },
} as const satisfies ObjectShape;

const archivedType = {
  kind: 'object',
  name: 'TypeFromArchive',
  required: ['name', 'category', 'image'],
  properties: {
    name: deviceTypeFields.name.shape,
    tag: { ...deviceTypeFields.tag.shape, doc: 'Key of the type; derived from its name if absent.' },
    category: deviceTypeFields.category.shape,
    image: { kind: 'text', min: 1, max: 60, doc: 'Name of an icon of the archive.', example: 'printer' },
  },
} as const satisfies ObjectShape;

const listImages = action(deviceType, {
  name: 'list-images',
  method: 'GET',
  path: '/image/archive',
  doc: 'List the icons available for a device type',
  result: archivedImage,
  async run(_call, context) {
    const uploads = await typesWithIcons(context);
    return [
      ...libraryIcons.values(),
      ...uploads.map(({ id, tag }) => ({ name: `${uploadPrefix}${tag}`, imageFile: uploadPath(id), licence: null })),
    ];
  },
});

const createFromArchive = action(deviceType, {
  name: 'create-from-archive',
  method: 'POST',
  path: '/createFromArchive',
  doc: 'Create a device type with an icon of the archive',
  verb: 'add',
  body: archivedType,
  success: 201,
  saves: true,
  errors: ['not-found', 'duplicate'],
  example: { name: 'Label printer', category: 'PRINT', image: 'printer' },
  async run(call, context) {
    const { image, ...requestBody } = call.body;
    const tag = requestBody.tag ?? slugOf(requestBody.name);
    if (tag === undefined) throw invalidField('tag', `cannot be derived from the name ${requestBody.name}; send a tag`);
    const isUpload = image.startsWith(uploadPrefix);
    const icons = isUpload
      ? await iconsOfType(context, image.slice(uploadPrefix.length))
      : libraryIcons.has(image) && { imageFile: libraryIcons.get(image)!.imageFile };
    if (!icons) throw notFound('icon of the archive named', image);
    const { records } = context.tx;
    const { id, version } = await records.create(deviceType, { ...requestBody, tag, ...icons });
    return {
      location: `/api/v2${deviceType.path}/${id}`,
      version,
      ...(call.dryRun && { results: [await records.fetch(deviceType, id)] }),
    };
  },
});

export const deviceTypeActions = [listImages, createFromArchive];
