import { action, auditExecuted } from '../../context.ts';
import { singleId } from '../../kernel/declare/declaration.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { notFound } from '../../kernel/failure.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { scanLayer3 } from './l3-scan.jobs.ts';
import { l3Scan, scanStates } from './l3-scan.ts';
import { beginScan, scannedDevices, stopScan } from './stored-scan.ts';

const { id } = shapes;
const count = (doc: string) => ({ kind: 'integer', min: 0, max: 2_147_483_647, doc }) as const satisfies Shape;
const devicesMax = 10_000;

const evidence = {
  kind: 'object',
  name: 'L3Evidence',
  properties: {
    ipForwarding: { kind: 'flag', doc: 'ipForwarding is enabled: 40 points.' },
    sysServicesL3: { kind: 'flag', doc: 'sysServices has the layer 3 bit set: 15 points.' },
    subnets: count('Networks of its interfaces; two or more: 20 points.'),
    arpEntries: count('Address entries beyond the interface it is managed by; five or more: 15 points.'),
    routes: count('Routes; more than three: 10 points.'),
  },
} as const satisfies ObjectShape;

const scanned = {
  kind: 'object',
  name: 'L3ScannedDevice',
  properties: {
    deviceID: id,
    deviceName: { kind: 'text', max: 128 },
    ipAddress: { kind: 'address', nullable: true },
    score: { kind: 'integer', min: 0, max: 100, doc: 'Likelihood that it is a router.' },
    evidence,
    l3PollingEnabled: { kind: 'flag', doc: 'Whether its ARP table is already polled.' },
    recommended: { kind: 'flag', doc: 'A score of 60 or more.' },
    error: { kind: 'text', max: 2_000, nullable: true, doc: 'Why it could not be read.' },
  },
} as const satisfies ObjectShape;

const scanStatus = {
  kind: 'object',
  name: 'L3ScanStatus',
  properties: {
    state: { kind: 'choice', values: scanStates, doc: l3Scan.fields.state!.shape.doc! },
    startedBy: { kind: 'text', max: 120 },
    startedAt: { kind: 'time', nullable: true },
    finishedAt: { kind: 'time', nullable: true },
    total: count('Devices to scan.'),
    scanned: count('Devices already scanned.'),
    devices: { kind: 'list', item: scanned, max: devicesMax, doc: 'Devices visible to you, by score.' },
  },
} as const satisfies ObjectShape;

const scanItself = { id: singleId, name: l3Scan.title };

const devicesWords = (ids: readonly number[] | undefined): string =>
  ids ? `devices ${ids.join(', ')}`.slice(0, 400) : 'all SNMP devices';

const start = action(l3Scan, {
  name: 'start',
  method: 'POST',
  path: '/start',
  doc: 'Find devices that route and therefore have ARP entries of hosts; does not enable polling',
  body: {
    kind: 'object',
    name: 'L3ScanStart',
    properties: {
      id: { ...shapes.ids(5_000), doc: 'Devices to scan; absent: all SNMP devices.' },
    },
  },
  bodyOptional: true,
  success: 202,
  errors: ['not-found', 'duplicate'],
  example: {},
  async run({ body, nowMs }, context) {
    await beginScan(context.tx, body?.id, nowMs);
    await auditExecuted(context.tx, l3Scan, [scanItself], `start: ${devicesWords(body?.id)}`);
    const taskID = await context.startTask(scanLayer3, {}, 'Find devices that route');
    await context.tx.records.observe(l3Scan, singleId, { taskID });
    await context.tx.records.observe(backgroundTask, taskID, { resultLocation: `/api/v2${l3Scan.path}/status` });
    return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${taskID}` };
  },
});

const status = action(l3Scan, {
  name: 'status',
  method: 'GET',
  path: '/status',
  doc: 'Read the state of the last L3 scan and the devices it recommends',
  result: scanStatus,
  async run(_call, context) {
    const { taskID: _, ...scan } = (await context.fetch(l3Scan, singleId))!;
    return [{ ...scan, devices: await scannedDevices(context, devicesMax) }];
  },
});

const stop = action(l3Scan, {
  name: 'stop',
  method: 'POST',
  path: '/stop',
  doc: 'Stop the L3 scan; results so far stay',
  errors: ['not-found'],
  async run({ nowMs }, { tx }) {
    if (!(await stopScan(tx, nowMs))) throw notFound('running L3 scan');
    await auditExecuted(tx, l3Scan, [scanItself], 'stop');
    return {};
  },
});

export const l3ScanActions = [start, status, stop];
