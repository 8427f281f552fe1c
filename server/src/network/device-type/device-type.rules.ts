import { isDeepStrictEqual } from 'node:util';
import { rules, type SaveStep } from '../../context.ts';
import type { InputOf, RecordOf } from '../../kernel/declare/declaration.ts';
import { invalidField, protectedRecord, rejected } from '../../kernel/failure.ts';
import { deviceType, unknownImage } from './device-type.ts';
import { cleanIcon } from './icon.ts';
import { isLibraryPath } from './icon-library.ts';

type DeviceType = RecordOf<typeof deviceType>;

/** The path of an uploaded icon. */
export const uploadPath = (id: number): string => `/icons/device-type/${id}`;

export const deviceTypeRules = rules(deviceType, {
  beforeSave(step) {
    const { before, after } = step;
    for (const field of ['smallIcon', 'largeIcon'] as const) {
      const icon = after[field];
      if (typeof icon === 'string' && icon !== before?.[field]) after[field] = cleanIcon(field, icon);
    }
    after.imageFile = imageOf(step);
    // A built-in type that is sent back unchanged is accepted.
    if (before?.defaultType && !isDeepStrictEqual(before, after)) throw shipped(before);
  },

  beforeDelete(record) {
    if (record.defaultType) throw shipped(record);
  },
});

const shipped = ({ name }: DeviceType) =>
  protectedRecord(`${name} is built in and cannot be changed or deleted; create your own type instead.`);

const hasUpload = (record: DeviceType | undefined): boolean =>
  record !== undefined && (record.smallIcon !== null || record.largeIcon !== null);

/** Returns the icon path: the chosen one, or else the upload, if there is one. */
function imageOf({ id, before, after, sent: sentFields }: SaveStep<DeviceType, InputOf<typeof deviceType>>): string {
  const chosen = sentFields.imageFile;
  const ownPath = uploadPath(id);
  if (typeof chosen === 'string' && chosen !== before?.imageFile) {
    if (isLibraryPath(chosen)) return chosen;
    if (!/^\/icons\/device-type\/\d+$/.test(chosen))
      throw invalidField('imageFile', `the library has no ${chosen}; see /image/archive for its icons`);
    // The upload path of another record means the record's own upload, so that a copied record can be sent as a new
    // one.
    if (hasUpload(after)) return ownPath;
    throw rejected(
      'imageFile: this type has no uploaded icon; send one, or choose an icon of the library.',
      '/imageFile',
    );
  }
  if (hasUpload(after) && !hasUpload(before)) return ownPath;
  if (!hasUpload(after) && before?.imageFile === ownPath) return unknownImage;
  return before?.imageFile ?? unknownImage;
}
