import { block, isWritable, type Line, quoted } from './blocks.ts';
import { silence } from './silence.ts';

/** A RADIUS server of another party, to which logins are forwarded. */
export interface HomeServer {
  id: number;
  /** Address that the outbound guard permitted. */
  address: string;
  port: number;
  secret: string;
}

/** Ids of servers in the order in which they are used. A server that is not among the home servers cannot be used at present. */
type ServerList = readonly number[];

/** The settings that decide which logins are forwarded, and where. */
export interface Proxying {
  homeServers: readonly HomeServer[];
  localDomains: readonly string[];
  /** Servers by domain; `*.` at the start: also all domains below it; empty: names without a domain. */
  mappings: readonly { domain: string; servers: ServerList }[];
  /** Servers of the roaming federation, which get every other domain with a dot. */
  federation: ServerList;
  /** Servers of wireless networks, by device and name of the network. */
  ssids: readonly { deviceID: number; name: string; servers: ServerList }[];
  /** Servers for all other logins; empty: these are checked here. */
  defaults: ServerList;
  /** Name of this operator for the federation (RFC 5580); undefined: none is sent. */
  operatorName: string | undefined;
  /** Further port for requests; undefined: none. */
  port: number | undefined;
}

export const noProxying: Proxying = {
  homeServers: [],
  localDomains: [],
  mappings: [],
  federation: [],
  ssids: [],
  defaults: [],
  operatorName: undefined,
  port: undefined,
};

/** True if any login can be forwarded. */
export const forwards = ({ mappings, federation, ssids, defaults }: Proxying): boolean =>
  [mappings, federation, ssids, defaults].some(({ length }) => length > 0);

/** True if the shared secret of a home server can be written to the engine's files. */
export const isUsableSecret = (secret: string): boolean => secret !== '' && isWritable(secret);

/** Names of the internal attributes about forwarding. */
export const homeAttributes = {
  /** Domain of the user name, in lower case. */
  realm: 'Portreeve-Realm',
  /** Pool that a login was forwarded to, or `local`. */
  pool: 'Portreeve-Home',
  /** `yes`: the access that the home server returned is sent, because no policy decides another one. */
  keepsAccess: 'Portreeve-Keeps-Access',
} as const;

const { realm, pool, keepsAccess } = homeAttributes;

/** A server that does not respond within this time is not used for new requests, while another one is. */
const responseSeconds = 3;
const zombieSeconds = 5;
const reviveSeconds = 30;

const federationPrefix = 'federation';

const poolName = (prefix: string, servers: ServerList): string => `${prefix}-${servers.join('-')}`;

/** The servers of a list that can be used at present. */
const usable = ({ homeServers }: Proxying, servers: ServerList): ServerList =>
  servers.filter((id) => homeServers.some((server) => server.id === id));

/** Returns the servers and pools. Within a pool the next server is used when one does not respond, never after a reject. */
export function homeServers(proxying: Proxying): Line[] {
  const lists = [proxying.mappings, proxying.ssids].flatMap((entries) => entries.map(({ servers }) => servers));
  const pools = new Map<string, ServerList>();
  for (const servers of [...lists, proxying.defaults])
    pools.set(poolName('pool', usable(proxying, servers)), usable(proxying, servers));
  pools.set(poolName(federationPrefix, usable(proxying, proxying.federation)), usable(proxying, proxying.federation));
  return [
    ...proxying.homeServers.map(({ id, address, port, secret }) =>
      block(`home_server home-${id}`, [
        `${address.includes(':') ? 'ipv6addr' : 'ipaddr'} = ${address}`,
        `port = ${port}`,
        'type = auth',
        `secret = ${quoted(secret)}`,
        `response_window = ${responseSeconds}`,
        `zombie_period = ${zombieSeconds}`,
        `revive_interval = ${reviveSeconds}`,
        'status_check = none',
      ]),
    ),
    ...[...pools]
      .filter(([, servers]) => servers.length > 0)
      .map(([name, servers]) =>
        block(`home_server_pool ${name}`, ['type = fail-over', ...servers.map((id) => `home_server = home-${id}`)]),
      ),
  ];
}

const domainCharacters = '[A-Za-z0-9_.-]{1,253}';
/** The engine unescapes a backslash in a pattern twice. */
const backslash = String.raw`[\\\\]`;
/** A bar ends the compared text, because `$` of the engine also matches before a line break. */
const name = '"%{User-Name}|"';

const hexDigit = '(?:3[0-9]|4[1-6]|6[1-6])';
/** Called-Station-Id in hexadecimal digits: the address of a radio, a colon and the name of the network (RFC 3580). */
const stationPattern = `^(?:${hexDigit}{2}(?:2d|3a|2e)?){5}${hexDigit}{2}3a([0-9a-f]{2,64})$`;

const setRealm: Line[] = [
  block(`if (${name} =~ /@(${domainCharacters})[|]$/)`, [block('update request', [`&${realm} := "%{tolower:%{1}}"`])]),
  block(`elsif (${name} =~ /^(${domainCharacters})${backslash}/)`, [
    block('update request', [`&${realm} := "%{tolower:%{1}}"`]),
  ]),
];

const checkHere: Line = block('update control', [`&${pool} := 'local'`]);

/** Forwards a login to servers. A domain whose servers cannot be used at present gets no reply, rather than a decision of another server. */
function forwardTo(proxying: Proxying, servers: ServerList, prefix = 'pool'): Line[] {
  const usableServers = usable(proxying, servers);
  if (usableServers.length === 0) return silence('control');
  const chosen = poolName(prefix, usableServers);
  return [block('update control', [`&${pool} := '${chosen}'`, `&Home-Server-Pool := '${chosen}'`])];
}

/**
 * Chooses the servers of an EAP login, in this order: local domain, domain of a mapping, longest domain above it with `*.`, federation,
 * mapping of names without a domain, wireless network, defaults. Other requests are never forwarded: a password in them would be sent to
 * another party.
 */
export function chooseHome(proxying: Proxying): Line[] {
  if (!forwards(proxying)) return [];
  const exact = proxying.mappings.filter(({ domain }) => domain !== '' && !domain.startsWith('*.'));
  const below = proxying.mappings
    .filter(({ domain }) => domain.startsWith('*.'))
    .map(({ domain, servers }) => ({ suffix: domain.slice(2), servers }))
    .sort((a, b) => b.suffix.length - a.suffix.length);
  const nameless = proxying.mappings.find(({ domain }) => domain === '');
  const undecided = `!&control:${pool}`;
  const cases = [
    ...proxying.localDomains.map((domain) => block(`case '${domain}'`, [checkHere])),
    ...exact.map(({ domain, servers }) => block(`case '${domain}'`, forwardTo(proxying, servers))),
  ];
  const patterns = [
    ...below.map(({ suffix, servers }) => ({
      pattern: `(^|[.])${suffix.replaceAll('.', '[.]')}$`,
      lines: forwardTo(proxying, servers),
    })),
    ...(proxying.federation.length > 0
      ? [{ pattern: '[.]', lines: forwardTo(proxying, proxying.federation, federationPrefix) }]
      : []),
  ];
  return [
    block('if (&EAP-Message)', [
      ...setRealm,
      ...(cases.length > 0 ? [block(`switch "%{${realm}}"`, [...cases, block('case', ['noop'])])] : []),
      ...(patterns.length > 0
        ? [
            block(
              `if (${undecided} && &${realm})`,
              patterns.map(({ pattern, lines }, index) =>
                block(`${index === 0 ? 'if' : 'elsif'} (&${realm} =~ /${pattern}/)`, lines),
              ),
            ),
          ]
        : []),
      ...(nameless
        ? [
            block(
              `if (${undecided} && &User-Name && &User-Name !~ /[@\\\\\\\\]/)`,
              forwardTo(proxying, nameless.servers),
            ),
          ]
        : []),
      ...(proxying.ssids.length > 0
        ? [
            block(`if (${undecided} && "%{hex:&Called-Station-Id}" =~ /${stationPattern}/)`, [
              block('switch "%{client:shortname}-%{1}"', [
                ...proxying.ssids.map(({ deviceID, name: network, servers }) =>
                  block(`case '${deviceID}-${Buffer.from(network).toString('hex')}'`, forwardTo(proxying, servers)),
                ),
                block('case', ['noop']),
              ]),
            ]),
          ]
        : []),
      ...(proxying.defaults.length > 0 ? [block(`if (${undecided})`, forwardTo(proxying, proxying.defaults))] : []),
    ]),
    // The EAP module would answer the packet itself.
    block('if (&control:Home-Server-Pool)', ['ok', 'return']),
  ];
}

/** Names this operator to the federation (RFC 5580, namespace 1: a realm). */
export const beforeForwarding = ({ operatorName, federation }: Proxying): Line[] =>
  operatorName === undefined || federation.length === 0
    ? []
    : [
        block('pre-proxy', [
          block(`if (&control:${pool} =~ /^${federationPrefix}/)`, [
            block('update proxy-request', [`&Operator-Name := '1${operatorName}'`]),
          ]),
        ]),
      ];

/** Attributes of a reply that prove nothing about access, which every home server may return. */
const harmlessAttributes = [
  'EAP-Message',
  'Message-Authenticator',
  'MS-MPPE-Send-Key',
  'MS-MPPE-Recv-Key',
  'EAP-Key-Name',
  'Class',
  'State',
  'Reply-Message',
  'Session-Timeout',
  'Chargeable-User-Identity',
  'Proxy-State',
];

/** Attributes of a reply that give access. Policies can compare them, and a matching policy replaces them. */
const accessAttributes = [
  'Tunnel-Type',
  'Tunnel-Medium-Type',
  'Tunnel-Private-Group-Id',
  'Tunnel-Preference',
  'Egress-VLANID',
  'Egress-VLAN-Name',
  'Filter-Id',
  'NAS-Filter-Rule',
  'Cisco-AVPair',
  'Arista-AVPair',
  'Aruba-User-Role',
  'Aruba-User-Vlan',
  'Airespace-ACL-Name',
  'Airespace-Interface-Name',
  'HP-Ip-Filter-Raw',
  'Ruckus-VLAN-ID',
  'Extreme-Security-Profile',
  'Extreme-Netlogin-Vlan',
  'Fortinet-Group-Name',
  'Juniper-Switching-Filter',
];

const filterLines = (attributes: readonly string[]): string =>
  `${['DEFAULT', ...attributes.map((attribute, index) => `  ${attribute} =* ANY${index < attributes.length - 1 ? ',' : ''}`)].join('\n')}\n`;

/** Files with the attributes that replies of home servers may have. */
export const homeFilterFiles: Readonly<Record<string, string>> = {
  home_federation: filterLines(harmlessAttributes),
  home_mapped: filterLines([
    ...harmlessAttributes,
    'Idle-Timeout',
    'Termination-Action',
    'Acct-Interim-Interval',
    ...accessAttributes,
  ]),
};

export const homeFilters = (folder: string): Line[] =>
  Object.keys(homeFilterFiles).map((file) =>
    block(`attr_filter attr_filter.${file}`, ['key = "%{User-Name}"', `filename = ${folder}/${file}`]),
  );

/**
 * Handles replies of home servers. A reply without a Message-Authenticator could be forged (CVE-2024-3596): the engine checks the one that
 * is there, but does not require it. Without a reply nothing is sent, because a reject would keep the access device from its next server.
 */
export const afterForwarding: Line = block('post-proxy', [
  block('if (!&proxy-reply:Message-Authenticator)', silence('control')),
  block(`elsif (&control:${pool} =~ /^${federationPrefix}/)`, ['attr_filter.home_federation']),
  block('else', ['attr_filter.home_mapped']),
  block('Post-Proxy-Type Fail-Authentication', silence('control')),
]);

const move = (attribute: string): Line =>
  block(`if (&reply:${attribute})`, [
    block('update', [
      `&control:${attribute} := &reply:${attribute}[*]`,
      `&request:${attribute} := &reply:${attribute}[*]`,
      `&reply:${attribute} !* ANY`,
    ]),
  ]);

/** Takes the access that a home server returned out of the reply, for the decision about it. */
export const takeHomeAccess: Line = block('if (&control:Home-Server-Pool)', [
  block('update request', [`&${pool} := &control:${pool}`]),
  ...accessAttributes.map(move),
]);

/** Puts the access that a home server returned back into the reply if the decision keeps it. */
export const restoreHomeAccess: Line = block(`if (&control:${keepsAccess})`, [
  ...accessAttributes.map((attribute) =>
    block(`if (&control:${attribute})`, [block('update reply', [`&${attribute} := &control:${attribute}[*]`])]),
  ),
]);

/** Names the pool to the node, for the cause of a reject. */
export const nameHome: Line = block('if (&control:Home-Server-Pool)', [
  block('update request', [`&${pool} := &control:${pool}`]),
]);

/**
 * Sends nothing for a login that was forwarded and has no reply of a home server. The engine rejects it without the section post-proxy if
 * the last server is marked as dead while the access device repeats its packet.
 */
export const silenceWithoutHome: Line = block(
  'if (&control:Home-Server-Pool && !&proxy-reply:Message-Authenticator)',
  silence('control'),
);
