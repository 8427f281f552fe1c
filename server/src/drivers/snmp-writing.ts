import { setTimeout as delay } from 'node:timers/promises';
import type { Varbind } from '../protocols/snmp/message.ts';
import { oid } from '../protocols/snmp/oid.ts';
import { type Snmp, snmpFaultOf } from '../protocols/snmp/snmp.ts';
import { numberOf } from './device-text.ts';
import { type DeviceAccess, untilTheEnd } from './driver.ts';
import { targetOf } from './snmp-reading.ts';

const up = 1;
const down = 2;
/** Values per SET: more would not fit into a packet. */
export const valuesPerSet = 20;
const upTries = 3;

export function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, chunkIndex) =>
    items.slice(chunkIndex * size, (chunkIndex + 1) * size),
  );
}

/** True if the device refused the request: separate SETs may succeed. A silent device is not tried again. */
export const isRefusal = (error: unknown): boolean => snmpFaultOf(error)?.kind === 'refused';

const adminStatus = (ifIndex: number) => oid(`1.3.6.1.2.1.2.2.1.7.${ifIndex}`);

/**
 * Writes only interfaces in another state: a device without write access is not asked to set a value that it has
 * already.
 */
export async function changeAdminStatus(
  snmp: Snmp,
  device: DeviceAccess,
  ifIndexes: readonly number[],
  isUp: boolean,
): Promise<number[]> {
  const changed: number[] = [];
  for (const some of chunks(ifIndexes, valuesPerSet)) {
    const values = await snmp.get(targetOf(device), some.map(adminStatus));
    changed.push(...some.filter((_, index) => numberOf(values[index]) !== (isUp ? up : down)));
  }
  await writeAdminStatus(snmp, device, changed, isUp);
  return changed;
}

async function writeAdminStatus(
  snmp: Snmp,
  device: DeviceAccess,
  ifIndexes: readonly number[],
  isUp: boolean,
): Promise<void> {
  const values = ifIndexes.map(
    (ifIndex): Varbind => ({ oid: adminStatus(ifIndex), type: 'integer', value: isUp ? up : down }),
  );
  for (const some of chunks(values, valuesPerSet)) await snmp.set(targetOf(device, true), some);
}

/** Enables the ports again after every error: a disabled port is worse than a host with an old address. */
export async function bouncePorts(
  snmp: Snmp,
  device: DeviceAccess,
  ifIndexes: readonly number[],
  downMs: number,
): Promise<void> {
  const steady = untilTheEnd(device);
  try {
    await writeAdminStatus(snmp, steady, ifIndexes, false);
    await delay(downMs);
  } finally {
    await putUp(snmp, steady, ifIndexes, upTries);
  }
}

async function putUp(snmp: Snmp, device: DeviceAccess, ifIndexes: readonly number[], tries: number): Promise<void> {
  try {
    await writeAdminStatus(snmp, device, ifIndexes, true);
  } catch (error) {
    if (tries <= 1) throw error;
    await putUp(snmp, device, ifIndexes, tries - 1);
  }
}
