import type { RecordValue } from '../../context.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import type { ValueOf } from '../../kernel/declare/value-of.ts';
import { type Fault, invalidField } from '../../kernel/failure.ts';
import type { CliShown, Protocol } from './network-device.ts';

/** The versions of SNMP as a client chooses one. */
export const snmpProtocols = ['V1', 'V2C', 'V3_AUTH_NO_PRIV', 'V3_AUTH_PRIV'] as const;
type SnmpProtocol = (typeof snmpProtocols)[number];

const protocolOf: Readonly<Record<SnmpProtocol, Protocol>> = {
  V1: 'SNMP_V1',
  V2C: 'SNMP_V2C',
  V3_AUTH_NO_PRIV: 'SNMP_V3',
  V3_AUTH_PRIV: 'SNMP_V3',
};

/** What a device is spoken to by until somebody says so. */
export const protocolAtFirst = ({ radiusEnabled }: { radiusEnabled?: boolean }): Protocol =>
  radiusEnabled ? 'RADIUS' : 'SNMP_V2C';

const password = (doc: string) => ({ kind: 'text', max: 255, nullable: true, doc }) as const satisfies Shape;

/** What a client sends of the account on the command line; what is absent stays. */
const cliSent = {
  kind: 'object',
  name: 'CliCredentialsInput',
  nullable: true,
  doc: 'SSH account for the command line; null: none. Absent passwords keep their value.',
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
  snmpProtocol: { kind: 'choice', values: snmpProtocols, doc: 'Version of SNMP; the record shows it as protocol.' },
  snmpSecurityStrings: {
    kind: 'list',
    item: { kind: 'text', min: 1, max: 255 },
    max: 10,
    nullable: true,
    doc: 'Communities, tried in this order; never returned. Null or absent: no change; empty: none.',
  },
  cliCredentials: cliSent,
} as const satisfies Readonly<Record<string, Shape>>;

type CliSent = NonNullable<ValueOf<typeof cliSent>>;

/** Credentials as a client sends them, among other fields. */
export type CredentialsSent = ValueOf<{ kind: 'object'; properties: typeof credentialShapes }>;

/** Passwords of the command line as they are sealed together. */
export interface CliPasswords {
  password?: string;
  enablePassword?: string;
}

/** What is stored of the credentials that a client sent. `known`: what is stored already. */
export function storedCredentials(
  sent: Readonly<CredentialsSent>,
  known: { cli: CliShown | null; passwords: CliPasswords },
): { fields: RecordValue; derived: RecordValue } {
  const { snmpProtocol, snmpSecurityStrings, cliCredentials, ...rest } = sent;
  const fields: RecordValue = { ...rest };
  const derived: RecordValue = {};
  if (snmpProtocol !== undefined) derived.protocol = protocolOf[snmpProtocol];
  if (snmpProtocol === 'V3_AUTH_NO_PRIV') Object.assign(fields, { snmpPrivacyProtocol: null, snmpPrivacyPassword: '' });
  if (snmpSecurityStrings)
    fields.snmpSecurityStrings = snmpSecurityStrings.length === 0 ? '' : JSON.stringify(snmpSecurityStrings);
  if (cliCredentials === null) {
    fields.cliPasswords = '';
    derived.cliCredentials = null;
  } else if (cliCredentials !== undefined) {
    const { shown, passwords } = withCli(cliCredentials, known);
    derived.cliCredentials = shown;
    fields.cliPasswords = Object.keys(passwords).length === 0 ? '' : JSON.stringify(passwords);
  }
  return { fields, derived };
}

function withCli(
  sent: CliSent,
  known: { cli: CliShown | null; passwords: CliPasswords },
): { shown: CliShown; passwords: CliPasswords } {
  const userName = sent.userName ?? known.cli?.userName;
  if (userName === undefined) throw invalidField('cliCredentials.userName', 'this field is required');
  const passwords: CliPasswords = { ...known.passwords };
  for (const name of ['password', 'enablePassword'] as const) {
    if (sent[name]) passwords[name] = sent[name];
    else if (sent[name] === '') delete passwords[name];
  }
  return {
    passwords,
    shown: {
      userName,
      passwordSet: passwords.password !== undefined,
      enablePasswordSet: passwords.enablePassword !== undefined,
      port: sent.port ?? known.cli?.port ?? 22,
      hostKey: sent.hostKey === undefined ? (known.cli?.hostKey ?? null) : sent.hostKey,
    },
  };
}

/** What a device that is spoken to by SNMP cannot do without. */
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
