import { type Context, rules } from '../../context.ts';
import { invalidField, rejected } from '../../kernel/failure.ts';
import { refuseWrongValue } from '../access-value/access-value.service.ts';
import { accessConfiguration } from './access-configuration.ts';

export const accessConfigurationRules = rules(accessConfiguration, {
  async beforeSave({ after }, context) {
    const { type, logicalNetworkID, directConfiguration } = after;
    if (type === 'DIRECT') {
      if (logicalNetworkID !== null) throw invalidField('logicalNetworkID', 'must be null with type DIRECT');
      if (!directConfiguration) throw invalidField('directConfiguration', 'is required with type DIRECT');
      refuseWrongValue(directConfiguration, 'directConfiguration');
      return;
    }
    if (directConfiguration) throw invalidField('directConfiguration', 'must be null with type LOGICAL_NETWORK');
    if (logicalNetworkID === null) throw invalidField('logicalNetworkID', 'is required with type LOGICAL_NETWORK');
    await refuseIsolation(context, logicalNetworkID);
  },
});

/** Rejects isolation networks: a host is isolated by its state, never by a policy. The kernel rejects a network that does not exist. */
async function refuseIsolation({ db }: Context, id: number): Promise<void> {
  const network = await db
    .selectFrom('logical_network')
    .select(['name', 'accessState'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!network || network.accessState === 'GUEST' || network.accessState === 'PRODUCTION') return;
  throw rejected(
    `logicalNetworkID: ${network.name} isolates hosts (${network.accessState}); grant a network in state GUEST or PRODUCTION.`,
    '/logicalNetworkID',
  );
}
