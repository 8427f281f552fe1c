import type pg from 'pg';
import type { Runtime } from '../../kernel/runtime.ts';
import { readSecret } from '../../kernel/write/secrets.ts';
import type { DeviceAccess, SnmpAccess } from '../../parts/drivers/driver.ts';
import type { SnmpCredential } from '../../parts/snmp/snmp.ts';
import type { AuthProtocol, PrivProtocol, UsmUser } from '../../parts/snmp/usm.ts';
import type { SshAccess } from '../../parts/ssh/ssh.ts';
import type { CliPasswords, CliShown } from '../network-device/credentials.ts';
import { type Driver, networkDevice, type Protocol } from '../network-device/network-device.ts';

/** A device as whoever works on it needs it; credentials are read apart, when they are used. */
export interface PolledDevice {
  id: number;
  name: string;
  ipAddress: string | null;
  containerID: number;
  status: number;
  driver: Driver;
  protocol: Protocol;
  deviceTypeOverride: string | null;
  snmpPort: number;
  snmpUsername: string | null;
  snmpAuthenticationProtocol: AuthProtocol | null;
  snmpPrivacyProtocol: PrivProtocol | null;
  cliCredentials: CliShown | null;
  contactPollingEnabled: boolean;
  contactPollingInterval: number;
  l2PollingEnabled: boolean;
  l2PollingInterval: number;
  l3PollingEnabled: boolean;
  l3PollingInterval: number;
  /** Which of the communities it answered last. */
  community: number;
  uptimeTicks: number | null;
  failures: number;
}

export const polledDeviceSql = `select d.id, d.name, host(d.ip_address) as "ipAddress", d.container_id as "containerID", d.status, d.driver, d.protocol,
  (select t.tag from device_type t where t.id = d.device_type_override_id) as "deviceTypeOverride",
  d.snmp_port as "snmpPort", d.snmp_username as "snmpUsername", d.snmp_authentication_protocol as "snmpAuthenticationProtocol",
  d.snmp_privacy_protocol as "snmpPrivacyProtocol", d.cli_credentials as "cliCredentials",
  d.contact_polling_enabled as "contactPollingEnabled", d.contact_polling_interval as "contactPollingInterval",
  d.l2_polling_enabled as "l2PollingEnabled", d.l2_polling_interval as "l2PollingInterval",
  d.l3_polling_enabled as "l3PollingEnabled", d.l3_polling_interval as "l3PollingInterval",
  p.community, p.uptime_ticks as "uptimeTicks", p.failures
from network_device d
join device_poll p on p.device_id = d.id`;

/** How long a device may take to answer, for the whole cell. */
export interface Patience {
  snmpTimeout: number;
  snmpRetries: number;
  cliTimeout: number;
}

export const isBySnmp = ({ protocol }: Pick<PolledDevice, 'protocol'>): boolean => protocol.startsWith('SNMP');

/** The plain text of a device's secret, by its field. */
export type SecretOf = (id: number, field: string) => Promise<string>;

/** Secrets for the service's own use. */
export const secretsOf =
  (runtime: Runtime): SecretOf =>
  (id, field) =>
    runtime.read((client: pg.PoolClient) =>
      readSecret(client, runtime.engine.secrets, runtime.engine.model.byName(networkDevice.name), id, field),
    );

/** What decides how a device is spoken to by SNMP. */
export type SnmpSpoken = Pick<
  PolledDevice,
  'id' | 'protocol' | 'snmpUsername' | 'snmpAuthenticationProtocol' | 'snmpPrivacyProtocol'
>;

/** The ways a device may be asked by SNMP, in the order to try them: the one it answered last comes first. */
export async function snmpCredentials(secretOf: SecretOf, device: SnmpSpoken): Promise<SnmpCredential[]> {
  const secret = (field: string) => secretOf(device.id, field);
  if (device.protocol === 'SNMP_V3') return [{ version: 'v3', user: await usmUser(device, secret) }];
  const version = device.protocol === 'SNMP_V1' ? 'v1' : 'v2c';
  const text = await secret('snmpSecurityStrings');
  return text ? (JSON.parse(text) as string[]).map((community) => ({ version, community })) : [];
}

async function usmUser(device: SnmpSpoken, secret: (field: string) => Promise<string>): Promise<UsmUser> {
  const { snmpUsername, snmpAuthenticationProtocol: auth, snmpPrivacyProtocol: priv } = device;
  return {
    userName: snmpUsername ?? '',
    ...(auth && { auth: { protocol: auth, password: await secret('snmpAuthenticationPassword') } }),
    ...(priv && { priv: { protocol: priv, password: await secret('snmpPrivacyPassword') } }),
  };
}

/** What a driver needs to speak to the device. */
export async function accessTo(
  secretOf: SecretOf,
  device: PolledDevice,
  patience: Patience,
  signal?: AbortSignal,
): Promise<DeviceAccess> {
  const [snmp, ssh] = [await snmpAccess(secretOf, device, patience), await sshAccess(secretOf, device, patience)];
  return { key: String(device.id), host: device.ipAddress ?? '', ...(snmp && { snmp }), ...(ssh && { ssh }), signal };
}

async function snmpAccess(
  secretOf: SecretOf,
  device: PolledDevice,
  patience: Patience,
): Promise<SnmpAccess | undefined> {
  if (!isBySnmp(device)) return undefined;
  const credentials = await snmpCredentials(secretOf, device);
  const credential = credentials[device.community] ?? credentials[0];
  if (!credential) return undefined;
  return {
    port: device.snmpPort,
    credential,
    // The last community is the one that people give the right to write to.
    writeCredential: credentials.at(-1),
    timeoutMs: patience.snmpTimeout * 1_000,
    retries: patience.snmpRetries,
  };
}

async function sshAccess(secretOf: SecretOf, device: PolledDevice, patience: Patience): Promise<SshAccess | undefined> {
  const { cliCredentials: account } = device;
  if (!account) return undefined;
  const text = await secretOf(device.id, 'cliPasswords');
  const { password = '' } = (text ? JSON.parse(text) : {}) as CliPasswords;
  const { userName, port, hostKey } = account;
  return { userName, port, hostKey, password, timeoutMs: patience.cliTimeout * 1_000 };
}
