import { everyRow, type WriteTx } from '../../context.ts';
import { contactEstablished, contactLost } from '../container/container.events.ts';
import { container, containerElementType } from '../container/container.ts';
import { deviceAuthenticationFailed, deviceHostKeyChanged } from '../network-device/network-device.events.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { port } from '../port/port.ts';
import type { PolledDevice } from './device-access.ts';

const everyContainer = everyRow(container, 'a poll is work of the service');
const everyDevice = everyRow(networkDevice, 'a poll is work of the service');
const everyPort = everyRow(port, 'a poll is work of the service');

/** Failed contact polls in a row after which the contact is lost. */
export const failuresMax = 3;

export const deviceStatus = { never: 0, established: 1, lost: 2, degraded: 3, disabled: 4 } as const;

/** The fault that an administrator has to fix before a reachable device can be polled; empty: unknown. */
export type ContactFault = 'credentials' | 'hostKey' | '';

/** Result of a contact poll. `pings`: the device replies to ping, but not to its protocol. */
export type Contact =
  | { kind: 'answered'; uptimeTicks: number | null /** Which of several it answered to. */; community: number | null }
  | { kind: 'pings'; why: string; fault: ContactFault }
  | { kind: 'silent'; why: string };

/** Returns the status and the number of failures in a row after a contact poll. */
export function afterContact(status: number, failures: number, contact: Contact): { status: number; failures: number } {
  switch (contact.kind) {
    case 'answered':
      return { status: deviceStatus.established, failures: 0 };
    case 'pings':
      return { status: deviceStatus.degraded, failures: 0 };
    case 'silent': {
      const missed = Math.min(failures + 1, failuresMax);
      return { status: missed >= failuresMax ? deviceStatus.lost : status, failures: missed };
    }
  }
}

/** True if the uptime went back: the device has restarted, even without a trap. Ticks of 10 ms wrap after 497 days. */
export function hasRestarted(before: number | null, now: number | null): boolean {
  const nearlyWrapped = 2 ** 32 - 100 * 86_400;
  return before !== null && now !== null && now < before && before < nearlyWrapped;
}

/** Stores a contact poll, and emits the events for the device and its container. */
export async function storeContact(
  tx: WriteTx,
  device: PolledDevice,
  contact: Contact,
  nowMs: number,
): Promise<{ restarted: boolean }> {
  const now = new Date(nowMs).toISOString();
  const { status, failures } = afterContact(device.status, device.failures, contact);
  const answer = contact.kind === 'answered' ? contact : { uptimeTicks: null, community: null };
  const fault = contact.kind === 'pings' ? contact.fault : '';
  await tx.records.observe(networkDevice, device.id, {
    status,
    lastPoll: now,
    ...(contact.kind === 'answered' && { lastSuccessfulPoll: now }),
  });
  await tx.client.query({
    name: 'device-poll.contact',
    text: `update device_poll set failures = $2, uptime_ticks = coalesce($3, uptime_ticks), community = coalesce($4, community), fault = $5
      where device_id = $1`,
    values: [device.id, failures, answer.uptimeTicks, answer.community, fault],
  });
  if (status !== device.status) await emitContact(tx, device, status);
  if (contact.kind === 'pings' && fault !== device.fault) await emitFault(tx, device, contact);
  if (status !== device.status || (await isContainerStale(tx, device.containerID)))
    await observeContainer(tx, device.containerID, now);
  return { restarted: hasRestarted(device.uptimeTicks, answer.uptimeTicks) };
}

async function emitContact(tx: WriteTx, { id, name }: PolledDevice, status: number): Promise<void> {
  const element = { id, name };
  if (status === deviceStatus.established) await tx.emit({ type: contactEstablished, element });
  if (status !== deviceStatus.lost) return;
  await tx.emit({ type: contactLost, element });
  // Connections stay: a lost contact is no evidence that hosts have left.
  await tx.client.query(`update ${everyPort} set status = 0 where device_id = $1 and status not in (0, 4)`, [id]);
}

async function emitFault(
  tx: WriteTx,
  { id, name }: PolledDevice,
  { fault, why }: Extract<Contact, { kind: 'pings' }>,
): Promise<void> {
  const types = { credentials: deviceAuthenticationFailed, hostKey: deviceHostKeyChanged, '': null };
  const type = types[fault];
  if (type) await tx.emit({ type, element: { id, name }, attributes: { why: why.slice(0, 1_000) } });
}

/** True if the container's status must be computed again, which is not needed after every poll of its devices. */
async function isContainerStale({ client }: WriteTx, id: number): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'device-poll.container',
    text: `select from ${everyContainer} c where c.id = $1 and (c.last_poll is null or c.last_poll < now() - interval '30 seconds')`,
    values: [id],
  });
  return rowCount === 1;
}

/**
 * Stores the status of a container: 0 unknown (none lost, at least one never in contact), 1 all devices in contact, 2
 * some lost, 3 all lost.
 */
async function observeContainer(tx: WriteTx, id: number, now: string): Promise<void> {
  // The lock serialises polls of one container, so that the last one counts all devices. The devices are read by a
  // separate statement: the locking statement would use a snapshot from before its wait.
  await tx.client.query(`select from ${everyContainer} c where c.id = $1 for no key update`, [id]);
  const { rows } = await tx.client.query<{ name: string; before: number; status: number }>(
    `select c.name, c.status as before, (
       select case when count(*) filter (where d.status = 2) = 0 and bool_or(d.status = 0) then 0
         when count(*) filter (where d.status = 2) = 0 then 1
         when count(*) filter (where d.status = 2) = count(*) then 3 else 2 end
       from ${everyDevice} d where d.container_id = c.id) as status
     from ${everyContainer} c where c.id = $1`,
    [id],
  );
  const { name, before, status } = rows[0]!;
  await tx.records.observe(container, id, { status, lastPoll: now, ...(status !== 3 && { lastSuccessfulPoll: now }) });
  if (status === before) return;
  const element = { id, name, type: containerElementType };
  if (status === 3) await tx.emit({ type: contactLost, element });
  if (status === 1) await tx.emit({ type: contactEstablished, element });
}
