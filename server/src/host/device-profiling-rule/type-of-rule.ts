import type { Context } from '../../context.ts';
import { deviceTypeNamed, type TypeShown } from '../../network/device-type/device-type.service.ts';

/** Returns the device type that a rule assigns, as its record shows it. */
export const typeOfRule = ({ tx }: Context, requestedType: Partial<TypeShown>): Promise<TypeShown> =>
  deviceTypeNamed(tx, requestedType, 'type');
