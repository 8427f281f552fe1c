import { getCiphers } from 'node:crypto';
import type { RecordValue } from '../../context.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import type { ValueOf } from '../../kernel/declare/value-of.ts';
import type { Fault } from '../../kernel/failure.ts';
import type { SnmpCredential } from '../../protocols/snmp/snmp.ts';
import { credentialShapes, missingForSnmp, storedCredentials } from '../network-device/network-device.service.ts';
import { networkDevice } from '../network-device/network-device.ts';

const { fields } = networkDevice;

export const credentialsMax = 20;

export const credentialShape = {
  kind: 'object',
  name: 'DiscoveryCredential',
  required: ['snmpProtocol'],
  properties: {
    snmpProtocol: { ...credentialShapes.snmpProtocol, doc: 'Version of SNMP.' },
    snmpPort: fields.snmpPort.shape,
    snmpSecurityStrings: {
      kind: 'list',
      item: { kind: 'text', min: 1, max: 255 },
      max: 10,
      nullable: true,
      doc: 'Communities of version 1 and 2c, tried in this order.',
    },
    snmpUsername: fields.snmpUsername.shape,
    snmpAuthenticationProtocol: fields.snmpAuthenticationProtocol.shape,
    snmpAuthenticationPassword: fields.snmpAuthenticationPassword.shape,
    snmpPrivacyProtocol: fields.snmpPrivacyProtocol.shape,
    snmpPrivacyPassword: fields.snmpPrivacyPassword.shape,
    cliCredentials: credentialShapes.cliCredentials,
  },
} as const satisfies ObjectShape;

/** One credential, as sent and as stored while the run exists. */
export type RunCredential = ValueOf<typeof credentialShape>;

/** Returns the fields that a device created with this credential stores. */
export function storedOf(credential: RunCredential): RecordValue {
  const { fields: sealedFields, derived } = storedCredentials(credential, null);
  return { ...sealedFields, ...derived };
}

/** Returns the faults of credentials that no device could be contacted with. */
export function credentialFaults(credentials: readonly RunCredential[]): Fault[] {
  const faults = credentials.flatMap((credential, index) =>
    missingIn(credential).map(({ pointer, message }) => ({
      pointer: `/credentials/${index}${pointer}`,
      message: `credentials[${index}].${message}`,
    })),
  );
  const ways = probesOf(credentials).length;
  if (ways > credentialsMax)
    faults.push({
      pointer: '/credentials',
      message: `credentials: ${ways} communities and users; at most ${credentialsMax} are tried at each address.`,
    });
  return faults;
}

function missingIn(credential: RunCredential): Fault[] {
  const stored = storedOf(credential);
  const nothing = { snmpUsername: null, snmpAuthenticationProtocol: null, snmpPrivacyProtocol: null };
  const faults = missingForSnmp({ ...nothing, ...stored, ipAddress: '' }, (name) => Boolean(stored[name]));
  if (credential.snmpProtocol === 'V3_AUTH_PRIV' && !credential.snmpPrivacyProtocol)
    faults.push({ pointer: '/snmpPrivacyProtocol', message: 'snmpPrivacyProtocol: required for V3_AUTH_PRIV.' });
  if (credential.snmpPrivacyProtocol === 'DES' && !getCiphers().includes('des-cbc'))
    faults.push({
      pointer: '/snmpPrivacyProtocol',
      message: 'snmpPrivacyProtocol: DES is not available on this machine; use AES.',
    });
  return faults;
}

/** One credential to try: a version 2c credential has one for each community. */
export interface Probe {
  /** Index of the credential. */
  at: number;
  /** Index of its community. */
  community: number;
  port: number;
  credential: SnmpCredential;
}

export const probesOf = (credentials: readonly RunCredential[]): Probe[] =>
  credentials.flatMap((runCredential, index) =>
    askedWith(runCredential).map((credential, community) => ({
      at: index,
      community,
      port: runCredential.snmpPort ?? Number(fields.snmpPort.default),
      credential,
    })),
  );

function askedWith(credential: RunCredential): SnmpCredential[] {
  if (credential.snmpProtocol === 'V1' || credential.snmpProtocol === 'V2C') {
    const version = credential.snmpProtocol === 'V1' ? 'v1' : 'v2c';
    return (credential.snmpSecurityStrings ?? []).map((community) => ({ version, community }));
  }
  const { snmpUsername, snmpAuthenticationProtocol: auth, snmpPrivacyProtocol: priv } = credential;
  const isPrivate = credential.snmpProtocol === 'V3_AUTH_PRIV' && priv;
  return [
    {
      version: 'v3',
      user: {
        userName: snmpUsername ?? '',
        ...(auth && { auth: { protocol: auth, password: credential.snmpAuthenticationPassword ?? '' } }),
        ...(isPrivate && { priv: { protocol: priv, password: credential.snmpPrivacyPassword ?? '' } }),
      },
    },
  ];
}
