import { action, type Context } from '../../context.ts';
import type { Answer, Call } from '../../kernel/operation.ts';
import type { WriteTx } from '../../kernel/runtime.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { changePorts, refuseFailed } from './change-ports.ts';
import { portJob } from './port.jobs.ts';
import { port } from './port.ts';
import {
  deviceWishOf,
  ownFieldsOf,
  type PortProperties,
  portPropertiesShape,
  portsAtOnce,
  refuseImpossible,
  refuseNonsense,
  refuseUnknown,
} from './port-wish.ts';
import { targetPorts } from './target-ports.ts';
import { turnUplinks } from './uplink-by-hand.ts';

/** While a client waits, a device has five seconds, and a lost packet costs one of them. */
const inRequest = { msMax: 5_000, patience: { snmpTimeout: 1, snmpRetries: 1, cliTimeout: 5 } };

/** What only we keep of the ports. */
async function saveOwn(tx: WriteTx, wish: PortProperties): Promise<void> {
  const fields = ownFieldsOf(wish);
  const ids = wish.id.toSorted((one, other) => one - other);
  if (Object.keys(fields).length > 0) for (const id of ids) await tx.records.update(port, id, fields);
  if (wish.newUplink === 1) await turnUplinks(tx, ids, true);
  if (wish.clearUplink) await turnUplinks(tx, ids, false);
}

async function setProperties(call: Call, context: Context): Promise<Answer> {
  const wish = call.body as PortProperties;
  refuseNonsense(wish);
  const ports = await targetPorts(context, wish.id);
  refuseUnknown(wish.id, ports);
  refuseImpossible(wish, ports);
  const ofDevice = deviceWishOf(wish);
  const devices = new Set(ports.map(({ deviceID }) => deviceID)).size;
  if (ofDevice && (ports.length > portsAtOnce || devices > 1)) {
    const task = await context.write(async (tx) => {
      await saveOwn(tx, wish);
      const payload = { id: wish.id, wish: ofDevice, by: call.origin.user };
      return context.startTask(portJob, payload, `Change ${ports.length} ports`, tx);
    });
    return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${task}` };
  }
  if (ofDevice) refuseFailed(await changePorts(context, ports, ofDevice, { ...inRequest, by: call.origin.user }));
  await context.write((tx) => saveOwn(tx, wish));
  return {};
}

export const portProperties = action(port, {
  name: 'properties',
  method: 'POST',
  path: '/properties',
  doc: `Change ports: up to ${portsAtOnce} of one device while the client waits, more as a background task`,
  asks: 'drivers',
  body: portPropertiesShape,
  queues: true,
  example: { id: [1], name: 'Reception, left', notes: 'Behind the counter' },
  errors: ['not-found', 'rejected', 'remote-failed', 'remote-timeout'],
  run: setProperties,
});
