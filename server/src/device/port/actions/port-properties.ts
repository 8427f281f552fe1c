import { action, type Context, type WriteTx } from '../../../context.ts';
import { auditSourceOf } from '../../../kernel/declare/caller.ts';
import type { Answer, Call } from '../../../kernel/declare/operation.ts';
import { backgroundTask } from '../../../system/background-task/background-task.ts';
import { changePorts, refuseFailed } from '../change-ports.ts';
import {
  desiredPortStateOf,
  ownFieldsOf,
  type PortProperties,
  portPropertiesShape,
  portsAtOnce,
  refuseImpossible,
  refuseUnknown,
  requireValidProperties,
} from '../desired-port-state.ts';
import { portJob } from '../port.jobs.ts';
import { port } from '../port.ts';
import { portPreviewShape, previewPorts } from '../preview-ports.ts';
import { targetPorts } from '../target-ports.ts';
import { turnUplinks } from '../uplink-by-hand.ts';

/** Limits while a client waits: five seconds per device, of which a lost packet costs one. */
const inRequest = { msMax: 5_000, patience: { snmpTimeout: 1, snmpRetries: 1, cliTimeout: 5 } };

/** Saves the fields of ports that the service alone stores. */
async function saveOwn(tx: WriteTx, desired: PortProperties): Promise<void> {
  const fields = ownFieldsOf(desired);
  const ids = desired.id.toSorted((left, right) => left - right);
  if (Object.keys(fields).length > 0) for (const id of ids) await tx.records.update(port, id, fields);
  if (desired.newUplink === 1) await turnUplinks(tx, ids, true);
  if (desired.clearUplink) await turnUplinks(tx, ids, false);
}

async function setProperties(call: Call<PortProperties>, context: Context): Promise<Answer> {
  const desired = call.body;
  requireValidProperties(desired);
  const ports = await targetPorts(context, desired.id);
  refuseUnknown(desired.id, ports);
  if (call.dryRun) return { results: await previewPorts(call, context, ports) };
  refuseImpossible(desired, ports);
  const ofDevice = desiredPortStateOf(desired);
  const devices = new Set(ports.map(({ deviceID }) => deviceID)).size;
  if (ofDevice && (ports.length > portsAtOnce || devices > 1)) {
    const task = await context.write(async (tx) => {
      await saveOwn(tx, desired);
      const payload = { id: desired.id, desired: ofDevice, source: auditSourceOf(call.origin) };
      return context.startTask(portJob, payload, `Change ${ports.length} ports`, tx);
    });
    return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${task}` };
  }
  if (ofDevice) refuseFailed(await changePorts(context, ports, ofDevice, { ...inRequest, source: call.origin }));
  await context.write((tx) => saveOwn(tx, desired));
  return {};
}

export const portProperties = action(port, {
  name: 'properties',
  method: 'POST',
  path: '/properties',
  doc: `Change ports: up to ${portsAtOnce} of one device in the request, more as a background task`,
  transaction: false,
  outcome: 'GET /device/port-changes and GET /system/background-task',
  dryRunResult: portPreviewShape,
  body: portPropertiesShape,
  queues: true,
  example: { id: [1], name: 'Reception, left', notes: 'Behind the counter' },
  errors: ['not-found', 'rejected', 'duplicate', 'remote-failed', 'remote-timeout'],
  run: setProperties,
});
