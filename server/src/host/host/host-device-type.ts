import type { Field } from '../../kernel/field.ts';
import { reference } from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';
import { deviceTypeSql } from '../../network/device-type/device-type.ts';
import type { TypeShown } from '../../network/device-type/named-type.ts';

/** What the host is. It stands in the record as an object, and in the row as a reference: a million hosts are counted by it. */
export const hostDeviceType: Field<TypeShown | null> = {
  ...(reference('device-type', 'restrict', { counted: true }) as Field),
  shape: {
    kind: 'object',
    name: 'HostDeviceType',
    doc: 'What it is; on write found by its id or its tag. Absent on create: unknown.',
    properties: {
      name: { kind: 'text', max: 64 },
      tag: { kind: 'text', max: 40 },
      imageFile: { kind: 'text', max: 500 },
      id: { kind: 'integer', min: 0, max: integerMax },
    },
  },
  default: null,
  sql: deviceTypeSql('r.device_type'),
  store: (value) => (value as TypeShown).id,
};
