import {
  type AdapterValue,
  type AttributeValue,
  connectionTypes,
  type DecisionContext,
  effectiveUser,
  type HostValue,
  hostTypeLabels,
  type UserValue,
} from './facts.ts';
import { authTypes } from './login.ts';
import type { Operator } from './policy-set.ts';

export type AttributeType = 'text' | 'choice' | 'number' | 'flag' | 'time' | 'address';

/** An attribute that conditions can use. */
export interface Attribute {
  type: AttributeType;
  /** The possible values, if they are limited. */
  values?: readonly string[];
  read(context: DecisionContext): AttributeValue;
}

const equality = ['EQ', 'NE', 'IN', 'NOT_IN'] as const;
const presence = ['IS_SET', 'NOT_SET'] as const;
const order = ['GT', 'GE', 'LT', 'LE'] as const;

/** Operators that each type supports; other operators never match. */
export const operatorsOf: Readonly<Record<AttributeType, readonly Operator[]>> = {
  text: [...equality, 'LIKE', 'NOT_LIKE', ...order, ...presence],
  choice: [...equality, ...presence],
  number: [...equality, ...order, ...presence],
  flag: ['EQ', 'NE', ...presence],
  time: [...order, 'OLDER_THAN', 'NEWER_THAN', ...presence],
  address: [...equality, 'LIKE', 'NOT_LIKE', 'IN_SUBNET', ...presence],
};

const text = (readValue: Attribute['read']): Attribute => ({ type: 'text', read: readValue });
const flag = (readValue: Attribute['read']): Attribute => ({ type: 'flag', read: readValue });
const choice = (values: readonly string[], readValue: Attribute['read']): Attribute => ({
  type: 'choice',
  values,
  read: readValue,
});

const hostAttribute = (type: AttributeType, name: HostValue): [string, Attribute] => [
  `host.${name}`,
  { type, read: ({ host }) => host.values[name] ?? null },
];
const adapterAttribute = (type: AttributeType, name: AdapterValue): [string, Attribute] => [
  `adapter.${name}`,
  { type, read: ({ adapter }) => adapter.values[name] ?? null },
];
const userAttribute = (type: AttributeType, name: UserValue): [string, Attribute] => [
  `user.${name}`,
  { type, read: (context) => effectiveUser(context)?.values[name] ?? null },
];

export const typeLabelOf = (type: number): string | null => hostTypeLabels[type - 1] ?? null;

export const isExpired = (untilMs: number | null, atMs: number): boolean => untilMs !== null && untilMs <= atMs;

export const isAuthenticated = ({ host, atMs }: DecisionContext): boolean =>
  host.authenticated && !isExpired(host.authenticatedUntilMs, atMs);

/** Attributes with a fixed name. A map, because `__proto__` must not be found. */
export const attributes: ReadonlyMap<string, Attribute> = new Map<string, Attribute>([
  ['host.typeLabel', choice(hostTypeLabels, ({ host }) => typeLabelOf(host.type))],
  hostAttribute('text', 'hostName'),
  hostAttribute('text', 'operatingSystem'),
  hostAttribute('text', 'deviceType'),
  hostAttribute('text', 'hardwareType'),
  hostAttribute('text', 'serialNumber'),
  ['host.registered', flag(({ host }) => host.type !== 1)],
  ['host.enabled', flag(({ host }) => host.enabled)],
  ['host.authenticated', flag(isAuthenticated)],
  ['host.health', choice(['SAFE', 'PENDING', 'AT_RISK'], ({ host }) => host.health)],
  hostAttribute('text', 'agentPlatform'),
  hostAttribute('text', 'agentVersion'),
  hostAttribute('time', 'lastAgentContact'),
  hostAttribute('flag', 'managedByMDM'),
  hostAttribute('flag', 'mdmCompliant'),
  hostAttribute('flag', 'mdmCompromised'),
  hostAttribute('time', 'creationTime'),
  hostAttribute('time', 'registeredAt'),
  hostAttribute('time', 'lastScan'),
  hostAttribute('text', 'application'),
  hostAttribute('number', 'maxThreat'),
  ['adapter.physicalAddress', text(({ adapter }) => adapter.mac)],
  adapterAttribute('text', 'vendorName'),
  adapterAttribute('text', 'vendorOUI'),
  adapterAttribute('address', 'ipaddress'),
  adapterAttribute('text', 'mediaType'),
  adapterAttribute('flag', 'randomized'),
  ['adapter.authType', choice(authTypes, ({ adapter }) => adapter.login.authType)],
  ['adapter.outerEapType', text(({ adapter }) => adapter.login.outerEapType)],
  ['adapter.innerEapType', text(({ adapter }) => adapter.login.innerEapType)],
  adapterAttribute('text', 'dpcRuleName'),
  ['user.userID', text((context) => effectiveUser(context)?.userID ?? null)],
  [
    'user.source',
    choice(['LOCAL', 'DIRECTORY', 'IDP', 'RADIUS', 'GUEST'], (context) => effectiveUser(context)?.source ?? null),
  ],
  ['user.loggedOn', flag(({ loggedOnUser, owner }) => (loggedOnUser ? true : owner ? false : null))],
  userAttribute('flag', 'isAdmin'),
  userAttribute('text', 'position'),
  userAttribute('text', 'email'),
  userAttribute('text', 'securityAccess'),
  ['connection.type', choice(connectionTypes, ({ connection }) => connection.type)],
  ['connection.vlan', text(({ connection }) => connection.vlan)],
  ['connection.deviceType', text(({ connection }) => connection.device.deviceType)],
  ['connection.deviceModel', text(({ connection }) => connection.device.model)],
  [
    'connection.authenticatedBy',
    choice(
      ['LOCAL', 'LDAP', 'AAA', 'FLR', 'IDP', 'CERTIFICATE', 'NONE'],
      ({ connection }) => connection.authenticatedBy,
    ),
  ],
  ['connection.realm', text(({ connection }) => connection.realm)],
]);

/** Attributes whose name the administrator, the directory or RADIUS chooses, by the prefix of their name. */
const prefixes: readonly { prefix: string; read(name: string, context: DecisionContext): AttributeValue }[] = [
  {
    prefix: 'host.attributes.',
    read: (name, { host }) =>
      host.ownAttributes.find((hostAttributeValue) => hostAttributeValue.name === name)?.value ?? null,
  },
  { prefix: 'user.directory.', read: (name, context) => effectiveUser(context)?.directory?.get(name) ?? null },
  { prefix: 'radius.', read: (name, { connection }) => connection.radius?.get(name) ?? null },
];

/** Returns an attribute by its name; undefined if there is none. */
export function attributeOf(name: string): Attribute | undefined {
  const fixed = attributes.get(name);
  if (fixed) return fixed;
  const open = prefixes.find(({ prefix }) => name.length > prefix.length && name.startsWith(prefix));
  if (!open) return undefined;
  const suffix = name.slice(open.prefix.length);
  return { type: 'text', read: (context) => open.read(suffix, context) };
}

/** True if there is a value. An empty text or an empty list is no value. */
export const isSet = (value: AttributeValue): value is Exclude<AttributeValue, null> =>
  value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
