import { type Context, type RecordValue, rules } from '../../context.ts';
import { rejected } from '../../kernel/failure.ts';
import { refuseWrongValue } from '../access-value/access-value.service.ts';
import { elementsOf } from './configured-elements.ts';
import {
  type ConfiguredElementType,
  elementFields,
  logicalNetworkConfiguration,
} from './logical-network-configuration.ts';

export const logicalNetworkConfigurationRules = rules(logicalNetworkConfiguration, {
  async beforeSave({ before, after }, context) {
    refuseWrongValue(after);
    const { elementType, elementID } = after;
    const [element] = await elementsOf(context, elementType, [elementID]);
    if (!element) throw rejected(`elementID: there is no ${nouns[elementType]} ${elementID}.`, '/elementID');
    if (!element.supportedAccessTypes.includes(after.accessType))
      throw rejected(
        `accessType: ${element.elementName} supports ${element.supportedAccessTypes.join(', ')}.`,
        '/accessType',
      );
    if (before) return;
    (after as RecordValue)[elementFields[elementType]] = elementID;
    after.logicalNetworkName = await networkName(context, after.logicalNetworkID);
  },

  /** Rejects the deletion of a value on an element that the caller does not see. */
  async beforeDelete({ logicalNetworkName, elementType, elementID }, context) {
    if ((await elementsOf(context, elementType, [elementID])).length === 0)
      throw rejected(
        `The value of ${logicalNetworkName} on ${nouns[elementType]} ${elementID} cannot be deleted: you have no access to this element.`,
      );
  },
});

/** Returns the name of the network for the audit log and events. The kernel rejects a network that does not exist. */
async function networkName({ db }: Context, id: number): Promise<string> {
  const network = await db.selectFrom('logical_network').select('name').where('id', '=', id).executeTakeFirst();
  return network?.name ?? '';
}

const nouns: Readonly<Record<ConfiguredElementType, string>> = {
  CONTAINER: 'container',
  DEVICE: 'device',
  SSID: 'SSID',
  PORT: 'port',
};
