import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, JobRun } from '../../context.ts';
import type { RoutingFacts } from '../../drivers/driver.ts';
import { Failure, rejected } from '../../kernel/failure.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { accessTo, type PolledDevice, polledDeviceSql } from '../polling/polling.service.ts';
import { evidenceOf, scoreOf } from './score.ts';
import { endScan, isRunning, type Scanned, scanState, storeScanned, waitingDevices } from './stored-scan.ts';

const parallel = 16;
const lookMs = 1_000;

/** Scans the devices, several in parallel, until all are done or the scan is stopped. */
export async function scanDevices({ context, signal, progress }: JobRun<Context>): Promise<void> {
  const stopping = new AbortController();
  const [stopController, scanSignal] = [new AbortController(), AbortSignal.any([signal, stopping.signal])];
  const watching = stopWhenAsked(context, stopping, stopController.signal);
  try {
    while (!scanSignal.aborted) {
      const ids = await waitingDevices(context, parallel);
      if (ids.length === 0) break;
      const scanned = await Promise.all(ids.map((id) => scanDevice(context, id, scanSignal)));
      if (scanSignal.aborted) break;
      const { done, total } = await context.write((tx) => storeScanned(tx, scanned));
      progress(done, total, `${done} devices scanned`);
    }
  } finally {
    stopController.abort();
    await watching;
  }
  // A deleted task ends the scan; a node that stops leaves the rest to another node.
  if (signal.aborted && (await isRunning(context))) throw signal.reason;
  await context.write((tx) => endScan(tx, Date.now()));
}

async function stopWhenAsked(context: Context, stopping: AbortController, endSignal: AbortSignal): Promise<void> {
  while (!endSignal.aborted) {
    if ((await scanState(context)) === 'STOPPING') stopping.abort();
    await sleep(lookMs, undefined, { signal: endSignal }).catch(() => undefined);
  }
}

const nothing: RoutingFacts = { isForwarding: false, hasLayer3: false, subnets: [], arpEntries: 0, routes: 0 };

async function scanDevice(context: Context, deviceID: number, signal: AbortSignal): Promise<Scanned> {
  try {
    const facts = await readRouting(context, deviceID, signal);
    return scannedAs(deviceID, facts, null);
  } catch (error) {
    if (signal.aborted) return scannedAs(deviceID, nothing, 'The scan was stopped.');
    if (!(error instanceof Failure)) throw error;
    return scannedAs(deviceID, nothing, error.message.slice(0, 2_000).toWellFormed());
  }
}

function scannedAs(deviceID: number, facts: RoutingFacts, error: string | null): Scanned {
  const evidence = evidenceOf(facts);
  return { deviceID, score: scoreOf(evidence), evidence, error };
}

async function readRouting(context: Context, deviceID: number, signal: AbortSignal): Promise<RoutingFacts> {
  const [device] = await context.query<PolledDevice>(polledDeviceSql, [deviceID]);
  const driver = device && context.protocols.drivers.of(device.driver);
  if (!driver?.readRouting) throw rejected('The device is not managed by SNMP, so its routing cannot be read.');
  const secretOf = (field: string) => context.secretOf(networkDevice, deviceID, field, device!.version);
  return driver.readRouting(await accessTo(device!, secretOf, signal));
}
