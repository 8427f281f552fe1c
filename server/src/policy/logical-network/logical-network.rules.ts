import { rules } from '../../context.ts';
import { invalidField, protectedRecord } from '../../kernel/failure.ts';
import { refuseWrongValue } from '../access-value/access-value.service.ts';
import { logicalNetwork } from './logical-network.ts';

export const logicalNetworkRules = rules(logicalNetwork, {
  async beforeSave({ before, after }) {
    if (!before && after.accessState !== 'PRODUCTION')
      throw invalidField('accessState', 'must be PRODUCTION; the networks of the other states are built in');
    if (before?.predefined && after.name !== before.name)
      throw protectedRecord(`${before.name} is built in and cannot be renamed.`);
    if (after.defaultValue) refuseWrongValue(after.defaultValue, 'defaultValue');
  },

  beforeDelete({ name, predefined }) {
    if (predefined) throw protectedRecord(`${name} is built in and cannot be deleted.`);
  },
});
