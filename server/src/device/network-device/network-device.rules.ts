import { getCiphers } from 'node:crypto';
import { type Context, everyRow, type RecordValue, rules, type SaveStep, type WriteTx } from '../../context.ts';
import type { DriverName } from '../../drivers/names.ts';
import { followConnections } from '../../host/adapter/adapter.service.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import { refuseOutsideNetworks } from '../../radius/radius-global/radius-global.service.ts';
import { raiseAccessDevices } from '../../radius/rollout/rollout.service.ts';
import { container } from '../container/container.ts';
import { missingForSnmp } from './credentials.ts';
import { joinGroupOfContainer } from './group-of-container.ts';
import { leaveTopology, moveInTopology } from './host-in-topology.ts';
import { deviceMoved } from './network-device.events.ts';
import { networkDevice, type Protocol } from './network-device.ts';

const everyContainer = everyRow(
  container,
  'the devices of this transaction, and the container that one is saved in, were checked before',
);
const everyDevice = everyRow(
  networkDevice,
  'the devices of this transaction, and the container that one is saved in, were checked before',
);

/** Until a device has identified itself, its protocol decides the driver. */
const firstDriver: Readonly<Record<Protocol, DriverName>> = {
  SNMP_V1: 'qbridge',
  SNMP_V2C: 'qbridge',
  SNMP_V3: 'qbridge',
  RADIUS: 'radius-only',
  PING: 'ping',
};

/** SSH devices cannot be detected by probing: an administrator sets the device type and an account. */
const sshDrivers: Readonly<Record<string, DriverName>> = { 'access-point': 'hostapd', firewall: 'linux-firewall' };

const driverOf = ({ protocol, deviceTypeOverride, cliCredentials }: Readonly<RecordValue>): DriverName =>
  (cliCredentials ? sshDrivers[String(deviceTypeOverride)] : undefined) ?? firstDriver[protocol as Protocol];

const usualMethods = (radiusEnabled: boolean): string[] =>
  radiusEnabled ? ['COA', 'DISCONNECT', 'BOUNCE'] : ['SNMP', 'CLI'];

export const networkDeviceRules = rules(networkDevice, {
  async beforeSave(step, context) {
    const { before, after, sent: sentFields } = step;
    // The actions of the resource set these fields; values from clients are removed before.
    if (sentFields.protocol !== undefined) after.protocol = sentFields.protocol;
    if (sentFields.cliCredentials !== undefined) after.cliCredentials = sentFields.cliCredentials;
    if (after.deviceTypeOverride !== null) after.deviceType = after.deviceTypeOverride;
    else if (before?.deviceTypeOverride) after.deviceType = networkDevice.fields.deviceType.default!;
    if (!before || driverOf(before) !== driverOf(after)) after.driver = driverOf(after);
    if (!before) {
      if (sentFields.enforcementMethods === undefined)
        after.enforcementMethods = usualMethods(after.radiusEnabled === true);
      const inheritedDefaults = await givenByContainer(context, Number(after.containerID));
      if (sentFields.role === undefined) after.role = inheritedDefaults.role;
      if (sentFields.contactPollingInterval === undefined && inheritedDefaults.pollingInterval)
        after.contactPollingInterval = inheritedDefaults.pollingInterval;
    } else if (before.containerID !== after.containerID && sentFields.role === undefined)
      await followRole(context, step);
    requireUsableProtocol(step);
    const isOtherClient = after.radiusEnabled && (!before?.radiusEnabled || before.ipAddress !== after.ipAddress);
    if (isOtherClient && after.ipAddress !== null) await refuseOutsideNetworks(context, String(after.ipAddress));
  },

  /** A new device joins the group of its container and is identified; a changed one is identified again. */
  async afterSave({ id, before, after }, context) {
    // When L3 polling is turned on, its first poll does not wait for a whole interval.
    const readsAddresses = after.l3PollingEnabled === true && before?.l3PollingEnabled !== true;
    await context.tx.client.query(
      // By the clock, not the start of the transaction: a poll that runs now does not see this change.
      `insert into device_poll (device_id, contact_due, resync_due, l3_due)
       values ($1, case when $3 then now() else 'infinity'::timestamptz end, now(), case when $2 then now() else 'infinity'::timestamptz end)
       on conflict (device_id) do update set resync_due = clock_timestamp(),
         contact_due = case when $3 then clock_timestamp() else 'infinity' end,
         l3_due = case when $2 then clock_timestamp() else device_poll.l3_due end`,
      [id, readsAddresses, after.contactPollingEnabled],
    );
    if (before?.containerID !== after.containerID) await joinGroupOfContainer(context, id, Number(after.containerID));
    if (before && before.containerID !== after.containerID) await emitMoved(context, id, before, after);
    if (before) await followInTopology(context, before, after);
    if (before?.radiusEnabled || after.radiusEnabled) await raiseAccessDevices(context.tx.client);
  },

  async beforeDeleteMany(ids, { tx }) {
    const { rows } = await tx.client.query<{ mac: string }>(
      `select d.physical_address as mac from ${everyDevice} d where d.id = any($1::bigint[]) and d.physical_address is not null`,
      [ids],
    );
    await closeConnections(tx, ids);
    await raiseAccessDevices(tx.client);
    return () =>
      leaveTopology(
        tx,
        rows.map(({ mac }) => mac),
      );
  },
});

/** Closes connections while the device and its ports still exist, because the history stores their names. */
async function closeConnections(tx: WriteTx, ids: readonly number[]): Promise<void> {
  const { rows } = await tx.client.query<{ mac: string }>(
    `delete from connection_active a using closing_because('ADMIN') where a.device_id = any($1::bigint[]) returning a.mac`,
    [ids],
  );
  await followConnections(tx, { learned: [], added: [], moved: [], gone: rows.map(({ mac }) => mac).sort() });
}

/**
 * A device whose role is that of its container gets the role of the new container; one with a role of its own keeps it.
 */
async function followRole(context: Context, { before, after }: SaveStep): Promise<void> {
  const former = await givenByContainer(context, Number(before!.containerID));
  if ((before!.role ?? null) === former.role)
    after.role = (await givenByContainer(context, Number(after.containerID))).role;
}

async function emitMoved({ tx }: Context, id: number, before: RecordValue, after: RecordValue): Promise<void> {
  const { rows } = await tx.client.query<{ from: string; to: string }>(
    `select f.name as "from", t.name as "to" from ${everyContainer} f, ${everyContainer} t where f.id = $1 and t.id = $2`,
    [before.containerID, after.containerID],
  );
  await tx.emit({ type: deviceMoved, element: { id, name: String(after.name) }, attributes: rows[0]! });
}

/** Updates the topology host of a device after the device was changed. */
async function followInTopology({ tx }: Context, before: RecordValue, after: RecordValue): Promise<void> {
  const mac = before.physicalAddress as string | null;
  if (mac === null) return;
  if (mac !== after.physicalAddress) await leaveTopology(tx, [mac]);
  else if (before.containerID !== after.containerID) await moveInTopology(tx, mac, Number(after.containerID));
}

/** Returns the defaults that a container defines for its devices. */
async function givenByContainer(
  { tx }: Context,
  id: number,
): Promise<{ role: string | null; pollingInterval: number | null }> {
  const { rows } = await tx.client.query<{ role: string | null; pollingInterval: number }>(
    `select o.name as role, c.polling_interval as "pollingInterval"
     from ${everyContainer} c left join role o on o.id = c.role_id where c.id = $1`,
    [id],
  );
  return rows[0] ?? { role: null, pollingInterval: null };
}

/** Throws if credentials that the protocol of the device requires are missing. */
function requireUsableProtocol({ before, after, sent: sentFields }: SaveStep): void {
  const isSet = (name: string) =>
    typeof sentFields[name] === 'string' ? sentFields[name] !== '' : before?.[`${name}Set`] === true;
  const faults = String(after.protocol).startsWith('SNMP')
    ? missingForSnmp(after, isSet)
    : unusedCredentialFaults(after, isSet);
  if (after.radiusEnabled && !isSet('radiusSecret'))
    faults.push({ pointer: '/radiusSecret', message: 'radiusSecret: required if radiusEnabled is true.' });
  const methods = after.enforcementMethods as string[];
  if (new Set(methods).size < methods.length)
    faults.push({ pointer: '/enforcementMethods', message: 'enforcementMethods: contains a method twice.' });
  if (faults.length > 0) throw invalid(faults);
  if (after.snmpPrivacyProtocol === 'DES' && !getCiphers().includes('des-cbc'))
    throw rejected('snmpPrivacyProtocol: DES is not available on this machine; use AES.', '/snmpPrivacyProtocol');
}

/** Returns faults for SNMP credentials of a pinged device, which would never be used. */
function unusedCredentialFaults(after: RecordValue, isSet: (secret: string) => boolean) {
  const names = ['snmpUsername', 'snmpSecurityStrings', 'snmpAuthenticationPassword', 'snmpPrivacyPassword'];
  return names
    .filter((name) => isSet(name) || (name === 'snmpUsername' && after[name]))
    .map((name) => ({
      pointer: `/${name}`,
      message: `${name}: this device is not managed by SNMP; leave the field out.`,
    }));
}
