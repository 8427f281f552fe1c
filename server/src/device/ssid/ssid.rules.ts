import { rules, same } from '../../context.ts';
import {
  refuseRepeatedServer,
  requireServerWithAuthPort,
} from '../../integration/aaa-mappings/aaa-mappings.service.ts';
import { raiseRadius } from '../../radius/rollout/rollout.service.ts';
import { ssidConfig } from './ssid.ts';

const servers = ['primaryAAAServerID', 'secondaryAAAServerID'] as const;

export const ssidConfigRules = rules(ssidConfig, {
  async beforeSave({ before, after }, context) {
    refuseRepeatedServer(after, servers);
    for (const field of servers)
      if (after[field] && after[field] !== before?.[field])
        await requireServerWithAuthPort(context, after[field], field);
  },

  async afterSave({ before, after }, { tx }) {
    const pairOf = (config: typeof after | undefined) =>
      !config || config.inherit ? [null, null] : servers.map((field) => config[field]);
    if (!same(pairOf(before), pairOf(after))) await raiseRadius(tx.client);
  },
});
