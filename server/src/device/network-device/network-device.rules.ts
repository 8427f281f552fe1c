import { getCiphers } from 'node:crypto';
import type { Context } from '../../context.ts';
import { rules } from '../../context.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import type { SaveStep } from '../../kernel/write/engine.ts';
import type { DriverName } from '../../parts/drivers/names.ts';
import { missingForSnmp } from './credentials.ts';
import { joinGroupOfContainer } from './group-of-container.ts';
import { leaveTopology, moveInTopology } from './host-in-topology.ts';
import { networkDevice, type Protocol } from './network-device.ts';

/** Until a device has said what it is, its protocol tells who works on it. */
const firstDriver: Readonly<Record<Protocol, DriverName>> = {
  SNMP_V1: 'qbridge',
  SNMP_V2C: 'qbridge',
  SNMP_V3: 'qbridge',
  RADIUS: 'radius-only',
  PING: 'ping',
};

/** What speaks SSH cannot be told by asking: an administrator says so by the type of the device, and gives an account. */
const sshDrivers: Readonly<Record<string, DriverName>> = { 'access-point': 'hostapd', firewall: 'linux-firewall' };

const driverOf = ({ protocol, deviceTypeOverride, cliCredentials }: Readonly<RecordValue>): DriverName =>
  (cliCredentials ? sshDrivers[String(deviceTypeOverride)] : undefined) ?? firstDriver[protocol as Protocol];

const usualMethods = (radiusEnabled: boolean): string[] =>
  radiusEnabled ? ['COA', 'DISCONNECT', 'BOUNCE'] : ['SNMP', 'CLI'];

export const networkDeviceRules = rules(networkDevice, {
  async beforeSave(step, context) {
    const { before, after, sent } = step;
    // The operations of the group decide these; what a client sent of them never gets here.
    for (const name of ['protocol', 'cliCredentials']) if (sent[name] !== undefined) after[name] = sent[name];
    if (after.deviceTypeOverride !== null) after.deviceType = after.deviceTypeOverride;
    else if (before?.deviceTypeOverride) after.deviceType = networkDevice.fields.deviceType.default;
    if (!before || driverOf(before) !== driverOf(after)) after.driver = driverOf(after);
    if (!before) {
      if (sent.enforcementMethods === undefined) after.enforcementMethods = usualMethods(after.radiusEnabled === true);
      if (sent.role === undefined) after.role = await roleOfContainer(context, Number(after.containerID));
    }
    refuseUnspeakable(step);
  },

  /** A new device joins the group of its container, and is asked who it is; a changed one is asked again. */
  async afterSave({ id, before, after }, context) {
    // Whoever turns the reading of addresses on does not wait for a whole interval to see them.
    const readsAddresses = after.l3PollingEnabled === true && before?.l3PollingEnabled !== true;
    await context.tx.client.query(
      // By the clock, not by the begin of the transaction: a poll that runs now does not see this change.
      `insert into device_poll (device_id, contact_due, resync_due, l3_due)
       values ($1, case when $3 then now() else 'infinity'::timestamptz end, now(), case when $2 then now() else 'infinity'::timestamptz end)
       on conflict (device_id) do update set resync_due = clock_timestamp(),
         contact_due = case when $3 then clock_timestamp() else 'infinity' end,
         l3_due = case when $2 then clock_timestamp() else device_poll.l3_due end`,
      [id, readsAddresses, after.contactPollingEnabled],
    );
    if (!before) await joinGroupOfContainer(context, id, Number(after.containerID));
    else await followInTopology(context, before, after);
  },

  async beforeRemoval(ids, { tx }) {
    const { rows } = await tx.client.query<{ mac: string }>(
      'select d.physical_address as mac from network_device d where d.id = any($1::bigint[]) and d.physical_address is not null',
      [ids],
    );
    return () =>
      leaveTopology(
        tx,
        rows.map(({ mac }) => mac),
      );
  },
});

/** The host that is in the topology by the address of a device follows what becomes of it. */
async function followInTopology({ tx }: Context, before: RecordValue, after: RecordValue): Promise<void> {
  const mac = before.physicalAddress as string | null;
  if (mac === null) return;
  if (mac !== after.physicalAddress) await leaveTopology(tx, [mac]);
  else if (before.containerID !== after.containerID) await moveInTopology(tx, mac, Number(after.containerID));
}

async function roleOfContainer({ tx }: Context, id: number): Promise<string | null> {
  const { rows } = await tx.client.query<{ name: string }>(
    'select o.name from container c join role o on o.id = c.role_id where c.id = $1',
    [id],
  );
  return rows[0]?.name ?? null;
}

/** What the device could not be spoken to with. */
function refuseUnspeakable({ before, after, sent }: SaveStep): void {
  const isSet = (name: string) =>
    typeof sent[name] === 'string' ? sent[name] !== '' : before?.[`${name}Set`] === true;
  const faults = String(after.protocol).startsWith('SNMP') ? missingForSnmp(after, isSet) : snmpOfNobody(after, isSet);
  if (after.radiusEnabled && !isSet('radiusSecret'))
    faults.push({ pointer: '/radiusSecret', message: 'radiusSecret: a RADIUS client needs one.' });
  const methods = after.enforcementMethods as string[];
  if (new Set(methods).size < methods.length)
    faults.push({ pointer: '/enforcementMethods', message: 'enforcementMethods: names a method twice.' });
  if (faults.length > 0) throw invalid(faults);
  if (after.snmpPrivacyProtocol === 'DES' && !getCiphers().includes('des-cbc'))
    throw rejected('snmpPrivacyProtocol: this machine no longer offers DES; use AES.', '/snmpPrivacyProtocol');
}

/** What is only pinged has no credentials that somebody could believe to be used. */
function snmpOfNobody(after: RecordValue, isSet: (secret: string) => boolean) {
  const names = ['snmpUsername', 'snmpSecurityStrings', 'snmpAuthenticationPassword', 'snmpPrivacyPassword'];
  return names
    .filter((name) => isSet(name) || (name === 'snmpUsername' && after[name]))
    .map((name) => ({ pointer: `/${name}`, message: `${name}: this device is not spoken to by SNMP; leave it out.` }));
}
