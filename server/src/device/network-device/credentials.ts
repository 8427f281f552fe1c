import type { RecordValue } from '../../context.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import type { ValueOf } from '../../kernel/declare/value-of.ts';
import { type Fault, invalidField } from '../../kernel/failure.ts';
import type { CliShown, Protocol } from './network-device.ts';
import type { SnmpSecret } from './snmp-credentials.ts';

/** SNMP versions that a client can choose. */
export const snmpProtocols = ['V1', 'V2C', 'V3_AUTH_NO_PRIV', 'V3_AUTH_PRIV'] as const;
type SnmpProtocol = (typeof snmpProtocols)[number];

const protocolOf: Readonly<Record<SnmpProtocol, Protocol>> = {
  V1: 'SNMP_V1',
  V2C: 'SNMP_V2C',
  V3_AUTH_NO_PRIV: 'SNMP_V3',
  V3_AUTH_PRIV: 'SNMP_V3',
};

/** Returns the protocol of a device until the client sets one. */
export const protocolAtFirst = ({ radiusEnabled }: { radiusEnabled?: boolean }): Protocol =>
  radiusEnabled ? 'RADIUS' : 'SNMP_V2C';

const password = (doc: string) => ({ kind: 'text', max: 255, nullable: true, doc }) as const satisfies Shape;

/** The CLI account in a request; absent fields stay unchanged. */
const cliSent = {
  kind: 'object',
  name: 'CliCredentialsInput',
  nullable: true,
  doc: 'SSH account for the command line; null: none. Absent passwords keep their value, and are required when userName, port, the pinned hostKey or the address of the device changes.',
  properties: {
    userName: { kind: 'text', min: 1, max: 120 },
    password: password('Password of the account.'),
    enablePassword: password('Password for privileged mode.'),
    port: { kind: 'integer', min: 1, max: 65_535 },
    hostKey: {
      kind: 'text',
      max: 4_000,
      nullable: true,
      doc: 'Null deletes the pinned key, so that the next one is accepted.',
    },
    passwordSet: { kind: 'flag', doc: 'Accepted as it was read; ignored on write.' },
    enablePasswordSet: { kind: 'flag', doc: 'Accepted as it was read; ignored on write.' },
  },
} as const satisfies ObjectShape;

/** Shape of credentials in a request, in addition to the fields of the record. */
export const credentialShapes = {
  snmpProtocol: {
    kind: 'choice',
    values: snmpProtocols,
    doc: 'Version of SNMP; the record shows it as protocol.',
    help: 'SNMP version of the device.',
  },
  snmpSecurityStrings: {
    kind: 'list',
    item: { kind: 'text', min: 1, max: 255 },
    max: 10,
    nullable: true,
    doc: 'Communities, tried in this order; never returned. Null or absent: no change; empty: none. Required again when ipAddress, snmpPort or the version of SNMP changes.',
    help: 'SNMPv1 and SNMPv2c only. One community per line, tried in this order. Enter them again if you change the address, the port or the SNMP version.',
  },
  cliCredentials: cliSent,
} as const satisfies Readonly<Record<string, Shape>>;

type CliSent = NonNullable<ValueOf<typeof cliSent>>;

/** The credentials in a request, among other fields. */
export type CredentialsSent = ValueOf<{ kind: 'object'; properties: typeof credentialShapes }>;

/** CLI passwords, which are sealed together. */
export interface CliPasswords {
  password?: string;
  enablePassword?: string;
}

/** Returns the fields to store for the credentials of a request. */
export function storedCredentials(
  sentCredentials: Readonly<CredentialsSent>,
  storedAccount: CliShown | null,
): { fields: RecordValue; derived: RecordValue } {
  const { snmpProtocol, snmpSecurityStrings, cliCredentials, ...rest } = sentCredentials;
  const fields: RecordValue = { ...rest };
  const derived: RecordValue = {};
  if (snmpProtocol !== undefined) derived.protocol = protocolOf[snmpProtocol];
  if (snmpProtocol === 'V3_AUTH_NO_PRIV') Object.assign(fields, { snmpPrivacyProtocol: null, snmpPrivacyPassword: '' });
  if (snmpSecurityStrings)
    fields.snmpSecurityStrings = snmpSecurityStrings.length === 0 ? '' : JSON.stringify(snmpSecurityStrings);
  // Unused secrets of the other versions are deleted: a later switch back must not send them again.
  if (snmpProtocol !== undefined)
    for (const name of unusedSecrets(snmpProtocol)) if (typeof fields[name] !== 'string') fields[name] = '';
  if (cliCredentials === null) {
    fields.cliPasswords = '';
    derived.cliCredentials = null;
  } else if (cliCredentials !== undefined) {
    const passwords = sentPasswords(cliCredentials, storedAccount);
    derived.cliCredentials = shownAccount(cliCredentials, storedAccount, passwords);
    if (Object.keys(passwords).length > 0) fields.cliPasswords = JSON.stringify(passwords);
  }
  return { fields, derived };
}

const unusedSecrets = (protocol: SnmpProtocol): SnmpSecret[] =>
  protocolOf[protocol] === 'SNMP_V3' ? ['snmpSecurityStrings'] : ['snmpAuthenticationPassword', 'snmpPrivacyPassword'];

/** Returns the passwords that a request sets or deletes; a new account keeps none of the previous one. */
function sentPasswords(input: CliSent, storedAccount: CliShown | null): CliPasswords {
  const passwords: CliPasswords = {};
  for (const name of ['password', 'enablePassword'] as const) {
    const text = input[name] ?? (storedAccount ? undefined : '');
    if (text !== undefined) passwords[name] = text;
  }
  return passwords;
}

function shownAccount(input: CliSent, storedAccount: CliShown | null, passwords: CliPasswords): CliShown {
  const userName = input.userName ?? storedAccount?.userName;
  if (userName === undefined) throw invalidField('cliCredentials.userName', 'this field is required');
  const isSet = (name: keyof CliPasswords, wasSet = false) =>
    passwords[name] === undefined ? wasSet : passwords[name] !== '';
  return {
    userName,
    passwordSet: isSet('password', storedAccount?.passwordSet),
    enablePasswordSet: isSet('enablePassword', storedAccount?.enablePasswordSet),
    port: input.port ?? storedAccount?.port ?? 22,
    hostKey: input.hostKey === undefined ? (storedAccount?.hostKey ?? null) : input.hostKey,
  };
}

/** Returns a fault for each field that an SNMP device requires and that is missing. */
export function missingForSnmp(record: Readonly<RecordValue>, isSet: (secret: string) => boolean): Fault[] {
  const faults: Fault[] = [];
  const need = (field: string, isThere: boolean) => {
    if (!isThere) faults.push({ pointer: `/${field}`, message: `${field}: required for ${record.protocol}.` });
  };
  need('ipAddress', record.ipAddress !== null);
  if (record.protocol === 'SNMP_V1' || record.protocol === 'SNMP_V2C')
    need('snmpSecurityStrings', isSet('snmpSecurityStrings'));
  if (record.protocol !== 'SNMP_V3') return faults;
  need('snmpUsername', Boolean(record.snmpUsername));
  need('snmpAuthenticationProtocol', record.snmpAuthenticationProtocol !== null);
  need('snmpAuthenticationPassword', isSet('snmpAuthenticationPassword'));
  if (record.snmpPrivacyProtocol !== null) need('snmpPrivacyPassword', isSet('snmpPrivacyPassword'));
  return faults;
}
