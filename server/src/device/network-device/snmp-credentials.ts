import type { SnmpCredential } from '../../protocols/snmp/snmp.ts';
import type { AuthProtocol, PrivProtocol } from '../../protocols/snmp/usm.ts';
import type { Protocol } from './network-device.ts';

/** SNMP settings of a device without its secrets. */
export interface SnmpSettings {
  protocol: Protocol;
  snmpUsername: string | null;
  snmpAuthenticationProtocol: AuthProtocol | null;
  snmpPrivacyProtocol: PrivProtocol | null;
}

export type SnmpSecret = 'snmpSecurityStrings' | 'snmpAuthenticationPassword' | 'snmpPrivacyPassword';

export const isBySnmp = ({ protocol }: Pick<SnmpSettings, 'protocol'>): boolean => protocol.startsWith('SNMP');

/** Returns the SNMP credentials of a device, in the order in which they were entered. */
export async function snmpCredentials(
  device: SnmpSettings,
  secret: (field: SnmpSecret) => Promise<string>,
): Promise<SnmpCredential[]> {
  if (device.protocol === 'SNMP_V3') return [{ version: 'v3', user: await usmUser(device, secret) }];
  const version = device.protocol === 'SNMP_V1' ? 'v1' : 'v2c';
  const text = await secret('snmpSecurityStrings');
  return text ? (JSON.parse(text) as string[]).map((community) => ({ version, community })) : [];
}

async function usmUser(device: SnmpSettings, secret: (field: SnmpSecret) => Promise<string>) {
  const { snmpUsername, snmpAuthenticationProtocol: auth, snmpPrivacyProtocol: priv } = device;
  return {
    userName: snmpUsername ?? '',
    ...(auth && { auth: { protocol: auth, password: await secret('snmpAuthenticationPassword') } }),
    ...(priv && { priv: { protocol: priv, password: await secret('snmpPrivacyPassword') } }),
  };
}
