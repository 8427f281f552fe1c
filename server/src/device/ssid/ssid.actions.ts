import { action } from '../../context.ts';
import { invalid } from '../../kernel/failure.ts';
import { listedIds, listedIdsShape } from '../../kernel/listed-ids.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import { distinctIds } from '../../kernel/runtime.ts';
import { integerMax, type ObjectShape, type Shape } from '../../kernel/shape.ts';
import { type ConfigOfSsid, configsOf, idsMax } from './configs-of-ssids.ts';
import { ssidConfig } from './ssid.ts';

const { id: _, name: __, ssidID: ___, version, ...settings } = ssidConfig.fields;
const shapes = Object.fromEntries(Object.entries(settings).map(([name, { shape }]) => [name, shape]));
const ids: Shape = { kind: 'list', item: { kind: 'integer', min: 1, max: integerMax }, min: 1, max: idsMax };

const configShape: ObjectShape = {
  kind: 'object',
  name: 'SsidConfig',
  properties: {
    id: { ...ids, doc: 'The SSIDs it is for.' },
    ...shapes,
    configurations: {
      kind: 'list',
      item: {
        kind: 'object',
        name: 'SsidAccess',
        properties: {
          logicalNetworkID: { kind: 'integer', min: 1, max: integerMax },
          accessEnforcement: { kind: 'choice', values: ['ENFORCE', 'BYPASS', 'DENY'] },
        },
      },
      // Rows of a group that is to come: until then there are none, and none can be given.
      max: 0,
      doc: 'Access values by logical network: none can be given yet.',
    },
    inheritedFrom: {
      kind: 'object',
      name: 'InheritedFrom',
      nullable: true,
      properties: {
        elementType: { kind: 'choice', values: ['CONTAINER', 'DEVICE', 'SSID', 'PORT'] },
        elementID: { kind: 'integer', min: 1, max: integerMax },
        name: { kind: 'text', max: 128 },
      },
      doc: 'The device whose servers and access values count; null: its own do.',
    },
    version: version.shape,
  },
};

const configInput: ObjectShape = { ...configShape, name: 'SsidConfigInput', required: ['id'] };

/** What counts: with `inherit`, the servers of the device, which has none of its own. */
function effective(record: RecordValue, { ssidID, deviceID, device }: ConfigOfSsid): RecordValue {
  const shown = Object.fromEntries(Object.keys(shapes).map((name) => [name, record[name]]));
  const inherited = record.inherit ? { primaryAAAServerID: null, secondaryAAAServerID: null } : {};
  return {
    id: [ssidID],
    ...shown,
    ...inherited,
    configurations: [],
    inheritedFrom: record.inherit ? { elementType: 'DEVICE', elementID: deviceID, name: device } : null,
    version: record.version,
  };
}

const readConfigs = action(ssidConfig, {
  name: 'read',
  method: 'GET',
  path: '',
  doc: 'Answer what holds for wireless networks, with what they inherit',
  query: {
    id: { shape: listedIdsShape(`The SSIDs; all, up to ${idsMax}, when absent.`) },
  },
  result: configShape,
  errors: ['not-found'],
  async run(call, context) {
    const wanted = call.query.id === undefined ? null : listedIds(String(call.query.id), 'id');
    const configs = await configsOf(context, wanted);
    if (configs.length === 0) return [];
    const { records } = await context.list(ssidConfig, {
      filter: [`id=in=(${configs.map(({ configID }) => configID).join(',')})`],
      start: 0,
      count: idsMax,
    });
    const byId = new Map(records.map((record) => [record.id, record as RecordValue]));
    return configs.map((config) => effective(byId.get(config.configID)!, config));
  },
});

/** What is left out is as at the beginning: the whole is replaced. */
const defaults: RecordValue = Object.fromEntries(
  Object.entries(settings).map(([name, { default: initial }]) => [name, initial]),
);

const replaceConfigs = action(ssidConfig, {
  name: 'replace',
  method: 'PUT',
  path: '',
  doc: 'Replace what holds for wireless networks, all or none; what is left out is as at the beginning',
  body: configInput,
  errors: ['not-found', 'stale', 'rejected'],
  example: { id: [1], inherit: false },
  async run(call, context) {
    const { id, inheritedFrom: _shown, configurations: _none, ...sent } = call.body as RecordValue & { id: number[] };
    if (call.ifMatch !== undefined) throw invalid('If-Match: several configurations have no single version.');
    const config = { ...defaults, ...sent };
    if (config.primaryAAAServerID !== null && config.primaryAAAServerID === config.secondaryAAAServerID)
      throw invalid([
        { pointer: '/secondaryAAAServerID', message: 'secondaryAAAServerID: is the first server already.' },
      ]);
    for (const { configID } of await configsOf(context, distinctIds(id)))
      await context.tx.records.update(ssidConfig, configID, config);
    return {};
  },
});

export const ssidConfigActions = [readConfigs, replaceConfigs];
