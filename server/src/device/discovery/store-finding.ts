import { everyRow, type WriteTx } from '../../context.ts';
import type { DeviceIdentity, Neighbour } from '../../drivers/driver.ts';
import { Failure } from '../../kernel/failure.ts';
import { groupByTag, join } from '../../system/group/group.service.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { deviceStatus, identityFields, storeIdentifiers } from '../polling/polling.service.ts';
import { isInside } from './allowed-ranges.ts';
import { addressesMax } from './discovery.ts';
import type { Finding } from './probe-address.ts';
import { type Probe, type RunCredential, storedOf } from './run-credentials.ts';
import { isWireless, nameFor, sameDevice } from './same-device.ts';
import { holdRun, type Item, storeItem, storeNextHop, type TakenRun } from './stored-run.ts';

const everyDevice = everyRow(networkDevice, 'a box that is modelled anywhere is not modelled twice');

/** A probed address and the result. */
export interface Found {
  address: string;
  hop: number;
  finding: Exclude<Finding, { kind: 'silent' }>;
}

type Result = Omit<Item, 'ipAddress'>;

/** Creates the device and stores the outcome, in one transaction. */
export async function storeFound(
  tx: WriteTx,
  run: TakenRun,
  credentials: readonly RunCredential[],
  { address, hop, finding }: Found,
): Promise<void> {
  await holdRun(tx.client, run);
  // Runs into two containers may find the same device at the same time.
  await tx.client.query(`select pg_advisory_xact_lock(hashtext('portreeve-discovery'))`);
  const result = await modelled(tx, run, credentials, address, finding);
  await storeItem(tx, run, { ipAddress: address, ...result });
  if (finding.kind === 'device' && hop < run.options.maxHops)
    await storeNextHop(tx, run, nextHop(run, finding.neighbours), hop + 1, addressesMax);
}

/**
 * Returns the addresses of neighbours that may be probed: never one outside the allowed ranges, whatever a neighbour
 * reports.
 */
export const nextHop = (
  { allowedRanges, options }: Pick<TakenRun, 'allowedRanges' | 'options'>,
  neighbours: readonly Neighbour[],
): string[] => {
  const reported = neighbours
    .filter(({ protocol }) => (protocol === 'lldp' ? options.useLLDP : options.useCDP))
    .flatMap(({ managementAddresses }) => managementAddresses);
  return [...new Set(reported)].filter((address) => isInside(allowedRanges, address));
};

interface Known {
  id: number;
  name: string;
  status: number;
  protocol: string;
  containerID: number;
}

async function modelled(
  tx: WriteTx,
  run: TakenRun,
  credentials: readonly RunCredential[],
  address: string,
  finding: Found['finding'],
): Promise<Result> {
  if (finding.kind === 'failed') return { outcome: 'FAILED', deviceID: null, name: null, detail: finding.detail };
  const storedDevice = await deviceAt(tx, run, address);
  if (finding.kind === 'noSnmp') {
    if (storedDevice)
      return { outcome: 'KNOWN', deviceID: storedDevice.id, name: storedDevice.name, detail: finding.detail };
    if (run.options.addPingable && finding.pings) return addPingable(tx, run, address);
    return { outcome: 'NO_SNMP', deviceID: null, name: null, detail: finding.detail };
  }
  const { identity, way, detail } = finding;
  if (storedDevice) return { ...(await updateCredential(tx, run, storedDevice, credentials[way.at]!, way)), detail };
  const twin = await twinOf(tx, identity);
  if (twin)
    return {
      outcome: 'DUPLICATE',
      deviceID: twin.id,
      name: twin.name,
      detail: `Same device as ${twin.name}: ${twin.why}.`,
    };
  return { ...(await addDevice(tx, run, credentials[way.at]!, way, address, identity)), detail };
}

async function deviceAt({ client }: WriteTx, { landscape }: TakenRun, address: string): Promise<Known | undefined> {
  const { rows } = await client.query<Known>(
    `select d.id, d.name, d.status, d.protocol, d.container_id as "containerID" from ${everyDevice} d where d.landscape = $1 and d.ip_address = $2::inet`,
    [landscape, address],
  );
  return rows[0];
}

/**
 * Updates the credential of a device in the same container that refuses the stored one; other devices stay unchanged.
 */
async function updateCredential(
  tx: WriteTx,
  run: TakenRun,
  storedDevice: Known,
  credential: RunCredential,
  way: Probe,
): Promise<Result> {
  const { id, name, status, protocol, containerID } = storedDevice;
  const isRefusing = status === deviceStatus.degraded && protocol.startsWith('SNMP');
  // The caller who asked for the run may have no right to other containers.
  if (!isRefusing || containerID !== run.containerID) return { outcome: 'KNOWN', deviceID: id, name, detail: null };
  await tx.records.update(networkDevice, id, storedOf(credential));
  await noteCommunity(tx, id, way);
  return { outcome: 'UPDATED', deviceID: id, name, detail: null };
}

const noteCommunity = ({ client }: WriteTx, id: number, { community }: Probe) =>
  client.query('update device_poll set community = $2 where device_id = $1', [id, community]);

interface DuplicateDevice {
  id: number;
  name: string;
  serialNumber: string | null;
  chassisMac: string | null;
  sysName: string;
}

/** Finds the device under another of its addresses. */
async function twinOf(
  { client }: WriteTx,
  identity: DeviceIdentity,
): Promise<{ id: number; name: string; why: string } | undefined> {
  const { rows } = await client.query<DuplicateDevice>(
    `select d.id, d.name, d.serial_number as "serialNumber", p.chassis_mac as "chassisMac", coalesce(d.system_name, '') as "sysName"
     from (
       select x.id from ${everyDevice} x where lower(x.serial_number) = lower($1)
       union
       select x.device_id from device_poll x where x.chassis_mac = $2
     ) found
     join ${everyDevice} d on d.id = found.id
     join device_poll p on p.device_id = d.id
     order by d.id limit 100`,
    [identity.serialNumber, identity.chassisMac],
  );
  for (const { id, name, ...signs } of rows) {
    const why = sameDevice(identity, signs);
    if (why !== null) return { id, name, why };
  }
  return undefined;
}

async function addDevice(
  tx: WriteTx,
  run: TakenRun,
  credential: RunCredential,
  way: Probe,
  address: string,
  identity: DeviceIdentity,
): Promise<Result> {
  const name = await freeName(tx, run, identity.sysName, address);
  try {
    await tx.client.query('savepoint modelling');
    const { id } = await tx.records.create(networkDevice, {
      ...storedOf(credential),
      name,
      ipAddress: address,
      physicalAddress: identity.chassisMac,
      containerID: run.containerID,
    });
    await tx.records.observe(networkDevice, id, identityFields(identity));
    await storeIdentifiers(tx.client, id, identity);
    await noteCommunity(tx, id, way);
    const tag = isWireless(identity.sysDescr) ? 'l2-wireless-devices' : 'l2-wired-devices';
    await join({ tx }, await groupByTag(tx, tag), [id]);
    return { outcome: 'ADDED', deviceID: id, name, detail: null };
  } catch (error) {
    // A refusal by the device rules is reported for this address and does not stop the others.
    if (!(error instanceof Failure)) throw error;
    await tx.client.query('rollback to savepoint modelling');
    return { outcome: 'FAILED', deviceID: null, name, detail: error.message };
  }
}

async function addPingable(tx: WriteTx, run: TakenRun, address: string): Promise<Result> {
  const name = await freeName(tx, run, '', address);
  const { id } = await tx.records.create(networkDevice, {
    name,
    ipAddress: address,
    containerID: run.containerID,
    protocol: 'PING',
  });
  return { outcome: 'PINGABLE_ADDED', deviceID: id, name, detail: null };
}

async function freeName(
  { client }: WriteTx,
  { suffix, landscape }: TakenRun,
  sysName: string,
  address: string,
): Promise<string> {
  const preferredName = nameFor(sysName, address, suffix, () => false);
  const { rowCount } = await client.query(
    `select from ${everyDevice} d where d.landscape = $1 and lower(d.name) = lower($2)`,
    [landscape, preferredName],
  );
  return nameFor(sysName, address, suffix, () => rowCount !== 0);
}
