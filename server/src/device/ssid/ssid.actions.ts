import { action, type Context, distinctIds, idListShape, type RecordValue, readIdList, same } from '../../context.ts';
import { type RecordOf, shapesOf } from '../../kernel/declare/declaration.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { invalid, invalidField } from '../../kernel/failure.ts';
import {
  networkValueShape,
  replaceValues,
  valuesMax,
  valuesOfSsids,
} from '../../policy/logical-network-configuration/logical-network-configuration.service.ts';
import { type ConfigOfSsid, configsOf, idsMax } from './configs-of-ssids.ts';
import { ssidConfig } from './ssid.ts';

const { id: _, name: __, ssidID: ___, version, ...settings } = ssidConfig.fields;
const settingNames = Object.keys(settings) as (keyof typeof settings)[];

const configShape = {
  kind: 'object',
  name: 'SsidConfig',
  properties: {
    id: { ...shapes.ids(idsMax), doc: 'SSIDs this configuration applies to.' },
    ...shapesOf(settings, settingNames),
    configurations: {
      kind: 'list',
      item: networkValueShape,
      max: valuesMax,
      doc: 'Access values by logical network: with inherit, those of the device and its containers; on write then empty.',
    },
    inheritedFrom: {
      kind: 'object',
      name: 'InheritedFrom',
      nullable: true,
      properties: {
        elementType: { kind: 'choice', values: ['CONTAINER', 'DEVICE', 'SSID', 'PORT'] },
        elementID: shapes.id,
        name: { kind: 'text', max: 128 },
      },
      doc: 'The device whose servers and access values apply; null: its own apply.',
    },
    version: version.shape,
  },
} as const satisfies ObjectShape;

const configInput = { ...configShape, name: 'SsidConfigInput', required: ['id'] } as const satisfies ObjectShape;

/** Returns the settings in effect: with `inherit`, the RADIUS servers of the device. */
function effective(
  record: RecordOf<typeof ssidConfig>,
  { ssidID, deviceID, device }: ConfigOfSsid,
  values: readonly unknown[],
): RecordValue {
  const shown = Object.fromEntries(settingNames.map((name) => [name, record[name]]));
  const inherited = record.inherit ? { primaryAAAServerID: null, secondaryAAAServerID: null } : {};
  return {
    id: [ssidID],
    ...shown,
    ...inherited,
    configurations: values,
    inheritedFrom: record.inherit ? { elementType: 'DEVICE', elementID: deviceID, name: device } : null,
    version: record.version,
  };
}

const readConfigs = action(ssidConfig, {
  name: 'read',
  method: 'GET',
  path: '',
  doc: 'Read the configuration of wireless networks, including inherited values',
  query: {
    id: { shape: idListShape(`SSIDs to return; absent: all, up to ${idsMax}.`) },
  },
  result: configShape,
  errors: ['not-found'],
  async run(call, context) {
    const requestedIds = call.query.id === undefined ? null : readIdList(call.query.id, 'id');
    const configs = await configsOf(context, requestedIds);
    if (configs.length === 0) return [];
    const { records } = await context.list(ssidConfig, {
      filter: [`id=in=(${configs.map(({ configID }) => configID).join(',')})`],
      start: 0,
      count: idsMax,
    });
    const byId = new Map(records.map((record) => [record.id, record]));
    const values = await valuesOfSsids(
      context,
      configs.map(({ ssidID }) => ssidID),
    );
    return configs.map((config) => effective(byId.get(config.configID)!, config, values.get(config.ssidID)!));
  },
});

/** Absent fields get their defaults: the request replaces the complete configuration. */
const defaults: RecordValue = Object.fromEntries(
  Object.entries(settings).map(([name, { default: initial }]) => [name, initial]),
);

/** With `inherit` own values are refused, but values that were read may be sent back. */
async function refuseOwnValues(
  context: Context,
  configs: readonly ConfigOfSsid[],
  sentConfigs: readonly unknown[],
): Promise<void> {
  const shown = await valuesOfSsids(
    context,
    configs.map(({ ssidID }) => ssidID),
  );
  if (configs.some(({ ssidID }) => !same(shown.get(ssidID), sentConfigs)))
    throw invalidField('configurations', 'must be empty while inherit is true');
}

const replaceConfigs = action(ssidConfig, {
  name: 'replace',
  method: 'PUT',
  path: '',
  doc: 'Replace the configuration of wireless networks, all or none; absent fields get their default',
  body: configInput,
  errors: ['not-found', 'stale', 'rejected'],
  example: { id: [1], inherit: false },
  async run(call, context) {
    const { id, inheritedFrom: _shown, configurations = [], ...requestBody } = call.body;
    if (call.ifMatch !== undefined) throw invalid('If-Match: several configurations have no single version.');
    const config = { ...defaults, ...requestBody };
    const configs = await configsOf(context, distinctIds(id));
    if (config.inherit && configurations.length > 0) await refuseOwnValues(context, configs, configurations);
    for (const { configID, ssidID } of configs) {
      await context.tx.records.update(ssidConfig, configID, config);
      await replaceValues(context, 'SSID', ssidID, config.inherit ? [] : configurations, 'configurations');
    }
    return {};
  },
});

export const ssidConfigActions = [readConfigs, replaceConfigs];
