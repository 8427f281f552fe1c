import { everyRow, type Runtime, secretPlace } from '../../context.ts';
import type { DeviceAccess, SnmpAccess } from '../../drivers/driver.ts';
import type { DriverName } from '../../drivers/names.ts';
import type { SnmpCredential } from '../../protocols/snmp/snmp.ts';
import type { SshAccess } from '../../protocols/ssh/ssh.ts';
import {
  type CliPasswords,
  isBySnmp,
  type SnmpSettings,
  snmpCredentials,
} from '../network-device/network-device.service.ts';
import { type CliShown, networkDevice } from '../network-device/network-device.ts';

const everyDevice = everyRow(networkDevice, 'a poll is work of the service');

/** A device with the data that drivers need; its secrets stay encrypted until they are used. */
export interface PolledDevice extends SnmpSettings {
  id: number;
  version: number;
  name: string;
  ipAddress: string | null;
  containerID: number;
  status: number;
  driver: DriverName;
  deviceTypeOverride: string | null;
  snmpPort: number;
  cliCredentials: CliShown | null;
  l2PollingEnabled: boolean;
  /** Index of the community that the device replied to last. */
  community: number;
  uptimeTicks: number | null;
  failures: number;
  /** Why it is degraded, if an event was emitted. */
  fault: string;
  sealed: Readonly<Record<SealedField, string | null>>;
  /** Timeout for a reply, a setting of the cell. */
  snmpTimeout: number;
  snmpRetries: number;
  cliTimeout: number;
  uplinkCount: number;
}

type SealedField = 'snmpSecurityStrings' | 'snmpAuthenticationPassword' | 'snmpPrivacyPassword' | 'cliPasswords';

const sealedColumns: Readonly<Record<SealedField, string>> = {
  snmpSecurityStrings: 'snmp_security_strings',
  snmpAuthenticationPassword: 'snmp_authentication_password',
  snmpPrivacyPassword: 'snmp_privacy_password',
  cliPasswords: 'cli_passwords',
};
const sealedPairs = Object.entries(sealedColumns).map(([name, column]) => `'${name}', encode(d.${column}, 'base64')`);

/** SQL for the sealed secrets of the device `d`. */
export const sealedSql = `jsonb_build_object(${sealedPairs.join(', ')})`;

/** Columns of the device `d`, its polling row `p` and the cell's device properties `x`. */
export const polledColumns = `d.id, d.version, d.name, host(d.ip_address) as "ipAddress", d.container_id as "containerID", d.status, d.driver, d.protocol,
  (select t.tag from device_type t where t.id = d.device_type_override_id) as "deviceTypeOverride",
  d.snmp_port as "snmpPort", d.snmp_username as "snmpUsername", d.snmp_authentication_protocol as "snmpAuthenticationProtocol",
  d.snmp_privacy_protocol as "snmpPrivacyProtocol", d.cli_credentials as "cliCredentials", d.l2_polling_enabled as "l2PollingEnabled",
  p.community, p.uptime_ticks as "uptimeTicks", p.failures, p.fault, ${sealedSql} as sealed,
  x.snmp_timeout as "snmpTimeout", x.snmp_retries as "snmpRetries", x.cli_timeout as "cliTimeout", x.uplink_count as "uplinkCount"`;

/** Selects a device by id, for work outside of polls. */
export const polledDeviceSql = `select ${polledColumns}
from ${everyDevice} d join device_poll p on p.device_id = d.id cross join device_properties x
where d.id = $1`;

/** Access for a driver, with all SNMP credentials that may be tried. */
export interface PolledAccess extends DeviceAccess {
  snmp?: (SnmpAccess & { credentials: readonly SnmpCredential[] }) | undefined;
}

export async function accessTo(device: PolledDevice, secret: SecretOf, signal: AbortSignal): Promise<PolledAccess> {
  const [snmp, ssh] = [await snmpAccess(device, secret), await sshAccess(device, secret)];
  return { key: String(device.id), host: device.ipAddress ?? '', ...(snmp && { snmp }), ...(ssh && { ssh }), signal };
}

/** Decrypts a secret of the device when it is used. */
export type SecretOf = (field: SealedField) => Promise<string>;

/** Returns a function that decrypts the secrets loaded with the device. */
export const sealedSecrets =
  ({ pool, engine }: Runtime, { id, sealed }: Pick<PolledDevice, 'id' | 'sealed'>): SecretOf =>
  async (field) => {
    const text = sealed[field];
    const place = secretPlace('network_device', sealedColumns[field], id);
    return text === null ? '' : engine.secrets.open(pool, Buffer.from(text, 'base64'), place);
  };

async function snmpAccess(device: PolledDevice, secret: SecretOf): Promise<PolledAccess['snmp']> {
  if (!isBySnmp(device)) return undefined;
  const credentials = await snmpCredentials(device, secret);
  const credential = credentials[device.community] ?? credentials[0];
  if (!credential) return undefined;
  return {
    port: device.snmpPort,
    credential,
    credentials,
    // By convention the last community in the list is the one with write access.
    writeCredential: credentials.at(-1),
    timeoutMs: device.snmpTimeout * 1_000,
    retries: device.snmpRetries,
  };
}

async function sshAccess(device: PolledDevice, secret: SecretOf): Promise<SshAccess | undefined> {
  const { cliCredentials: account } = device;
  if (!account) return undefined;
  const text = await secret('cliPasswords');
  const { password = '' } = (text ? JSON.parse(text) : {}) as CliPasswords;
  const { userName, port, hostKey } = account;
  return { userName, port, hostKey, password, timeoutMs: device.cliTimeout * 1_000 };
}
