import type pg from 'pg';
import type { Runtime } from '../../kernel/runtime.ts';
import { readSecret } from '../../kernel/write/secrets.ts';
import type { DeviceAccess, SnmpAccess } from '../../parts/drivers/driver.ts';
import type { SshAccess } from '../../parts/ssh/ssh.ts';
import type { CliPasswords, CliShown } from '../network-device/credentials.ts';
import { type Driver, networkDevice } from '../network-device/network-device.ts';
import { isBySnmp, type SnmpSettings, snmpCredentials } from '../network-device/snmp-credentials.ts';

/** A device as whoever works on it needs it; credentials are read apart, when they are used. */
export interface PolledDevice extends SnmpSettings {
  id: number;
  name: string;
  ipAddress: string | null;
  containerID: number;
  status: number;
  driver: Driver;
  deviceTypeOverride: string | null;
  snmpPort: number;
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

const secretOf = (runtime: Runtime, id: number, field: string): Promise<string> =>
  runtime.read((client: pg.PoolClient) =>
    readSecret(client, runtime.engine.secrets, runtime.engine.model.byName(networkDevice.name), id, field),
  );

/** What a driver needs to speak to the device. */
export async function accessTo(
  runtime: Runtime,
  device: PolledDevice,
  patience: Patience,
  signal?: AbortSignal,
): Promise<DeviceAccess> {
  const [snmp, ssh] = [await snmpAccess(runtime, device, patience), await sshAccess(runtime, device, patience)];
  return { key: String(device.id), host: device.ipAddress ?? '', ...(snmp && { snmp }), ...(ssh && { ssh }), signal };
}

async function snmpAccess(runtime: Runtime, device: PolledDevice, patience: Patience): Promise<SnmpAccess | undefined> {
  if (!isBySnmp(device)) return undefined;
  const credentials = await snmpCredentials(device, (field) => secretOf(runtime, device.id, field));
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

async function sshAccess(runtime: Runtime, device: PolledDevice, patience: Patience): Promise<SshAccess | undefined> {
  const { cliCredentials: account } = device;
  if (!account) return undefined;
  const text = await secretOf(runtime, device.id, 'cliPasswords');
  const { password = '' } = (text ? JSON.parse(text) : {}) as CliPasswords;
  const { userName, port, hostKey } = account;
  return { userName, port, hostKey, password, timeoutMs: patience.cliTimeout * 1_000 };
}
