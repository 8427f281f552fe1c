import type { Context } from '../../context.ts';
import { deviceTypeNamed, type TypeShown } from '../../network/device-type/device-type.service.ts';

/** The device type that a rule gives, as its record shows it. */
export const typeOfRule = ({ tx }: Context, sent: Partial<TypeShown>): Promise<TypeShown> =>
  deviceTypeNamed(tx, sent, 'type');
