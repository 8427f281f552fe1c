import { type Fault, invalid } from '../../kernel/failure.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import type { ObjectShape, Shape } from '../../kernel/shape.ts';
import type { Protocol } from './network-device.ts';

/** The versions of SNMP as a client chooses one. */
export const snmpProtocols = ['V1', 'V2C', 'V3_AUTH_NO_PRIV', 'V3_AUTH_PRIV'] as const;
export type SnmpProtocol = (typeof snmpProtocols)[number];

const protocolOf: Readonly<Record<SnmpProtocol, Protocol>> = {
  V1: 'SNMP_V1',
  V2C: 'SNMP_V2C',
  V3_AUTH_NO_PRIV: 'SNMP_V3',
  V3_AUTH_PRIV: 'SNMP_V3',
};

/** What a device is spoken to by until somebody says so. */
export const protocolAtFirst = ({ radiusEnabled }: Readonly<RecordValue>): Protocol =>
  radiusEnabled ? 'RADIUS' : 'SNMP_V2C';

const password = (doc: string): Shape => ({ kind: 'text', max: 255, nullable: true, doc });

/** What a client sends of the account on the command line; what is absent stays. */
const cliSent: ObjectShape = {
  kind: 'object',
  name: 'CliCredentialsInput',
  nullable: true,
  doc: 'Account on the command line, by SSH; null: none. Passwords that are absent stay.',
  properties: {
    userName: { kind: 'text', min: 1, max: 120 },
    password: password('Password of the account.'),
    enablePassword: password('Password that raises its rights.'),
    port: { kind: 'integer', min: 1, max: 65_535 },
    hostKey: { kind: 'text', max: 4_000, nullable: true, doc: 'Null forgets the key, so that the next one is taken.' },
    passwordSet: { kind: 'flag', doc: 'As it was read; means nothing here.' },
    enablePasswordSet: { kind: 'flag', doc: 'As it was read; means nothing here.' },
  },
};

/** How credentials are sent, beside the fields of the record. */
export const credentialShapes: Readonly<Record<string, Shape>> = {
  snmpProtocol: { kind: 'choice', values: snmpProtocols, doc: 'Version of SNMP; the record shows it as protocol.' },
  snmpSecurityStrings: {
    kind: 'list',
    item: { kind: 'text', min: 1, max: 255 },
    max: 10,
    nullable: true,
    doc: 'Communities, tried in their order; they are never shown. Null or absent: they stay; empty: none.',
  },
  cliCredentials: cliSent,
};

interface CliSent {
  userName?: string;
  password?: string | null;
  enablePassword?: string | null;
  port?: number;
  hostKey?: string | null;
}

export interface CliShown {
  userName: string;
  passwordSet: boolean;
  enablePasswordSet: boolean;
  port: number;
  hostKey: string | null;
}

/** Passwords of the command line as they are sealed together. */
export interface CliPasswords {
  password?: string;
  enablePassword?: string;
}

/** What is stored of the credentials that a client sent. `known`: what is stored already. */
export function storedCredentials(
  sent: Readonly<RecordValue>,
  known: { cli: CliShown | null; passwords: CliPasswords },
): { fields: RecordValue; derived: RecordValue } {
  const { snmpProtocol, snmpSecurityStrings, cliCredentials, ...rest } = sent;
  const fields: RecordValue = { ...rest };
  const derived: RecordValue = {};
  if (snmpProtocol !== undefined) derived.protocol = protocolOf[snmpProtocol as SnmpProtocol];
  if (snmpProtocol === 'V3_AUTH_NO_PRIV') Object.assign(fields, { snmpPrivacyProtocol: null, snmpPrivacyPassword: '' });
  if (Array.isArray(snmpSecurityStrings))
    fields.snmpSecurityStrings = snmpSecurityStrings.length === 0 ? '' : JSON.stringify(snmpSecurityStrings);
  if (cliCredentials === null) {
    fields.cliPasswords = '';
    derived.cliCredentials = null;
  } else if (cliCredentials !== undefined) {
    const { shown, passwords } = withCli(cliCredentials as CliSent, known);
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
  if (userName === undefined)
    throw invalid([{ pointer: '/cliCredentials/userName', message: 'cliCredentials.userName: is missing.' }]);
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
    if (!isThere) faults.push({ pointer: `/${field}`, message: `${field}: ${record.protocol} needs one.` });
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
