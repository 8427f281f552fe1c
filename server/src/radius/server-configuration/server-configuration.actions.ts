import { access } from 'node:fs/promises';
import { action } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { notFound, remoteTimeout } from '../../kernel/failure.ts';
import type { EngineLogs } from '../../protocols/radius-engine/engine-process.ts';
import { hasEngine } from '../rollout/rollout.service.ts';
import { maskHidden } from './mask-hidden.ts';
import { queryEngines } from './server-configuration.service.ts';
import { serverConfiguration } from './server-configuration.ts';

const { text, count } = shapes;
const nodeName = { kind: 'text', min: 1, max: 253, doc: 'Name of the node.' } as const;

/** EAP types for which the engine can have a module. */
const installable = ['TLS', 'TTLS', 'PEAP', 'MSCHAPV2', 'MD5', 'GTC', 'FAST', 'PWD', 'SIM'] as const;
const moduleOf = (type: string): string => `/usr/lib/freeradius/rlm_eap_${type.toLowerCase()}.so`;

const eapTypes = action(serverConfiguration, {
  name: 'eap-types',
  method: 'GET',
  path: '/eap-types',
  doc: 'List the EAP types whose modules are installed on this node',
  transaction: false,
  result: { kind: 'choice', values: installable },
  async run() {
    const installedTypes = await Promise.all(
      installable.map((type) =>
        access(moduleOf(type)).then(
          () => [type],
          () => [],
        ),
      ),
    );
    return installedTypes.flat();
  },
});

const activityStatus = action(serverConfiguration, {
  name: 'activity-status',
  method: 'GET',
  path: '/activityStatus',
  doc: 'Return whether the engines are monitored',
  result: { kind: 'flag' },
  async run(_call, { query }) {
    const rows = await query<{ isMonitored: boolean }>(
      'select s.health_monitoring as "isMonitored" from radius_global s',
      [],
    );
    return rows.map(({ isMonitored }) => isMonitored);
  },
});

const statusSql = `select s.service_enabled as "processEnabled", g.wanted as "generationWanted",
  coalesce(jsonb_agg(jsonb_build_object('node', n.node, 'pid', n.radius -> 'pid', 'version', n.radius -> 'version', 'upSince', n.radius -> 'upSince',
    'generation', n.radius_generation, 'lastReload', n.radius -> 'lastReload', 'lastError', n.radius -> 'lastError',
    'statusServerRttMs', n.radius -> 'answersMs', 'nasCached', n.radius -> 'clients') order by n.node) filter (where n.node is not null), '[]') as nodes
from radius_global s cross join config_generation g
left join cluster_node n on ${hasEngine}
where g.topic = 'radius' group by s.service_enabled, g.wanted`;

interface Status {
  processEnabled: boolean;
  generationWanted: number;
  nodes: { generation: number; statusServerRttMs: number | null }[];
}

const status = action(serverConfiguration, {
  name: 'status',
  method: 'GET',
  path: '/status',
  doc: 'Show the status of the RADIUS engines',
  result: {
    kind: 'object',
    name: 'RadiusStatus',
    properties: {
      processEnabled: { kind: 'flag', doc: 'True: engines should run.' },
      processRunning: { kind: 'flag', doc: 'True: at least one engine responds.' },
      serviceStatus: {
        kind: 'choice',
        values: ['RUNNING', 'DEGRADED', 'STOPPED'],
        doc: 'RUNNING: all engines respond and run the stored configuration. DEGRADED: some do not. STOPPED: no engine responds.',
      },
      generationWanted: { ...count, doc: 'Generation of the stored configuration.' },
      nodes: {
        kind: 'list',
        max: 100,
        item: {
          kind: 'object',
          name: 'RadiusNodeStatus',
          properties: {
            node: nodeName,
            pid: { ...count, nullable: true },
            version: { ...text(60), nullable: true, doc: 'Version of the engine.' },
            upSince: { kind: 'time', nullable: true, doc: 'Start time of the engine.' },
            generation: { ...count, doc: 'Generation that the engine runs.' },
            lastReload: { kind: 'time', nullable: true },
            lastError: {
              ...text(2_000),
              nullable: true,
              doc: 'Why the engine does not run the stored configuration; null: it does.',
            },
            statusServerRttMs: {
              kind: 'decimal',
              min: 0,
              max: 60_000,
              nullable: true,
              doc: 'Round-trip time of Status-Server; null: no response.',
            },
            nasCached: { ...count, doc: 'Access devices that the engine has cached since this node started.' },
          },
        },
      },
    },
  } as const satisfies ObjectShape,
  async run(_call, { query }) {
    const rows = await query<Status>(statusSql, []);
    return rows.map(({ processEnabled, generationWanted, nodes }) => {
      const answering = nodes.filter(({ statusServerRttMs }) => statusServerRttMs !== null);
      const isWhole =
        answering.length === nodes.length && nodes.every(({ generation }) => generation === generationWanted);
      return {
        processEnabled,
        processRunning: answering.length > 0,
        serviceStatus: answering.length === 0 ? 'STOPPED' : isWhole ? 'RUNNING' : 'DEGRADED',
        generationWanted,
        nodes,
      };
    });
  },
});

const linesMax = 10_000;

const log = action(serverConfiguration, {
  name: 'log',
  method: 'GET',
  path: '/log',
  doc: 'Show the last log lines of an engine, without secrets',
  transaction: false,
  query: {
    lines: { shape: { kind: 'integer', min: 1, max: linesMax, doc: 'Number of lines. Default: 1000.' } },
    node: { shape: { ...nodeName, doc: 'Node of the engine; absent: the first node with an engine, by name.' } },
  },
  result: {
    kind: 'object',
    name: 'RadiusLog',
    properties: {
      node: nodeName,
      log: { ...text(8_388_608), doc: 'Log of the engine.' },
      systemdJournal: { ...text(8_388_608), doc: 'Output of the engine process.' },
      serverLog: { ...text(8_388_608), doc: 'Log of the node about its engine.' },
    },
  } as const satisfies ObjectShape,
  errors: ['not-found', 'remote-timeout'],
  async run({ query: { lines = 1_000, node } }, context) {
    const [first] = await context.query<{ node: string }>(firstSql, [node ?? null]);
    if (!first && node !== undefined) throw notFound('RADIUS engine', node);
    if (!first) return [];
    const [reply] = await queryEngines(context, { kind: 'logs', lines }, first.node);
    if (!reply?.answer) throw remoteTimeout(`The node ${first.node} did not answer.`);
    const { logged, printed, noted } = reply.answer as EngineLogs;
    const [log, systemdJournal, serverLog] = await maskHidden(context, [logged, printed, noted]);
    return [{ node: first.node, log, systemdJournal, serverLog }];
  },
});

const firstSql = `select n.node from cluster_node n where ${hasEngine}
  and ($1::text is null or n.node = $1) order by n.node limit 1`;

const fixStale = action(serverConfiguration, {
  name: 'fix-stale',
  method: 'POST',
  path: '/nas/fixstale/{id}',
  pathShapes: { id: { ...shapes.id, doc: 'The device.' } },
  doc: 'Remove a device from the caches of all engines',
  transaction: false,
  result: {
    kind: 'object',
    name: 'RadiusEviction',
    properties: { node: nodeName, evicted: { kind: 'flag', doc: 'True: the engine had cached the device.' } },
  } as const satisfies ObjectShape,
  errors: ['not-found', 'remote-timeout'],
  async run({ id }, context) {
    const device = await context.fetch(networkDevice, id);
    if (!device) throw notFound(networkDevice.title, id);
    // No engine can have cached a device without an address.
    if (device.ipAddress === null) return [];
    const answers = await queryEngines(context, { kind: 'evict', address: device.ipAddress }, null);
    const silent = answers.filter(({ answer }) => answer === null).map(({ node }) => node);
    if (silent.length > 0) throw remoteTimeout(`These nodes did not answer: ${silent.join(', ')}.`);
    return answers.map(({ node, answer }) => ({ node, evicted: answer === true }));
  },
});

export const serverConfigurationActions = [eapTypes, activityStatus, status, log, fixStale];
