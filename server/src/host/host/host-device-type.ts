import type { Field } from '../../kernel/declare/field.ts';
import { reference } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import type { TypeShown } from '../../network/device-type/device-type.service.ts';
import { deviceTypeSql } from '../../network/device-type/device-type.ts';

/** The device type of a host. The record shows it as an object; the row stores its id, so that a million hosts can be counted by it. */
export const hostDeviceType: Field<number | null, TypeShown | null, Partial<TypeShown>> = {
  ...(reference('device-type', 'restrict', { counted: true }) as Field<number | null, never>),
  shape: {
    kind: 'object',
    name: 'HostDeviceType',
    doc: 'Device type; on write selected by id or tag. Absent on create: unknown.',
    properties: {
      name: { kind: 'text', max: 64 },
      tag: { kind: 'text', max: 40 },
      imageFile: { kind: 'text', max: 500 },
      id: shapes.count,
    },
  },
  default: null,
  sql: deviceTypeSql('r.device_type'),
  store: (value) => (value as TypeShown).id,
};
