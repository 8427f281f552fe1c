import { action } from '../../context.ts';
import { singleId } from '../../kernel/declare.ts';
import { notFound } from '../../kernel/failure.ts';
import { integerMax, type ObjectShape, type Shape } from '../../kernel/shape.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { scanLayer3 } from './l3-scan.jobs.ts';
import { l3Scan, scanStates } from './l3-scan.ts';
import { beginScan, scannedDevices, stopScan } from './stored-scan.ts';

const id: Shape = { kind: 'integer', min: 1, max: integerMax };
const count = (doc: string): Shape => ({ kind: 'integer', min: 0, max: 2_147_483_647, doc });
const devicesMax = 10_000;

const evidence: ObjectShape = {
  kind: 'object',
  name: 'L3Evidence',
  properties: {
    ipForwarding: { kind: 'flag', doc: 'ipForwarding says that it forwards: 40 points.' },
    sysServicesL3: { kind: 'flag', doc: 'sysServices has the bit of layer 3: 15 points.' },
    subnets: count('Networks of its interfaces; two or more: 20 points.'),
    arpEntries: count('Address entries beyond the interface it is managed by; five or more: 15 points.'),
    routes: count('Routes; more than three: 10 points.'),
  },
};

const scanned: ObjectShape = {
  kind: 'object',
  name: 'L3ScannedDevice',
  properties: {
    deviceID: id,
    deviceName: { kind: 'text', max: 128 },
    ipAddress: { kind: 'address', nullable: true },
    score: { kind: 'integer', min: 0, max: 100, doc: 'How likely it routes.' },
    evidence,
    l3PollingEnabled: { kind: 'flag', doc: 'Whether its address table is read already.' },
    recommended: { kind: 'flag', doc: 'A score of 60 or more.' },
    error: { kind: 'text', max: 2_000, nullable: true, doc: 'Why it could not be asked.' },
  },
};

const scanStatus: ObjectShape = {
  kind: 'object',
  name: 'L3ScanStatus',
  properties: {
    state: { kind: 'choice', values: scanStates, doc: l3Scan.fields.state!.shape.doc! },
    startedBy: { kind: 'text', max: 120 },
    startedAt: { kind: 'time', nullable: true },
    finishedAt: { kind: 'time', nullable: true },
    total: count('Devices to look at.'),
    scanned: count('Devices that were looked at.'),
    devices: { kind: 'list', item: scanned, max: devicesMax, doc: 'Those that you see, by their score.' },
  },
};

const start = action(l3Scan, {
  name: 'start',
  method: 'POST',
  path: '/start',
  doc: 'Find out which devices route, and so know the addresses of hosts; nothing is enabled by it',
  body: {
    kind: 'object',
    name: 'L3ScanStart',
    properties: {
      id: { kind: 'list', item: id, min: 1, max: 5_000, doc: 'These devices; absent: all that speak SNMP.' },
    },
  },
  bodyOptional: true,
  success: 202,
  errors: ['not-found', 'duplicate'],
  example: {},
  async run({ body, nowMs }, context) {
    const { id: ids } = (body ?? {}) as { id?: number[] };
    await beginScan(context.tx, ids, nowMs);
    const taskID = await context.startTask(scanLayer3, {}, 'Find out which devices route');
    await context.tx.records.observe(l3Scan, singleId, { taskID });
    await context.tx.records.observe(backgroundTask, taskID, { resultLocation: `/api/v2${l3Scan.path}/status` });
    return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${taskID}` };
  },
});

const status = action(l3Scan, {
  name: 'status',
  method: 'GET',
  path: '/status',
  doc: 'Tell how the last L3 scan stands, and which devices it recommends',
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
  doc: 'Stop the L3 scan; what it has found stays',
  errors: ['not-found'],
  async run({ nowMs }, { tx }) {
    if (!(await stopScan(tx, nowMs))) throw notFound('L3 scan under way');
    return {};
  },
});

export const l3ScanActions = [start, status, stop];
