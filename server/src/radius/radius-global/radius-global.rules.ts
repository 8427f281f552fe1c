import { rules, same } from '../../context.ts';
import { invalidField } from '../../kernel/failure.ts';
import { isWritable } from '../engine-files/engine-files.ts';
import { raiseRadius } from '../rollout/rollout.service.ts';
import { requireDevicesInNetworks } from './radius-global.service.ts';
import { radiusGlobal } from './radius-global.ts';

export const radiusGlobalRules = rules(radiusGlobal, {
  async beforeSave({ before, after, sent: changes }, context) {
    if (!isWritable(changes.statusSecret ?? ''))
      throw invalidField('statusSecret', 'must not have a backslash or a control character');
    for (const [index, network] of after.nasNetworks.entries())
      if (network.endsWith('/0'))
        throw invalidField(`nasNetworks.${index}`, 'contains every address; enter the networks of access devices');
    if (!same(before?.nasNetworks, after.nasNetworks)) await requireDevicesInNetworks(context, after.nasNetworks);
  },

  afterSave: (_step, { tx: { client } }) => raiseRadius(client),
});
