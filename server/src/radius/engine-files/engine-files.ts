import { block, type Line, quoted, text } from './blocks.ts';

export { isWritable } from './blocks.ts';
export { type HomeServer, homeAttributes, isUsableSecret, noProxying, type Proxying } from './home-servers.ts';
export { isMacAuthentication } from './mac-authentication.ts';
export type { EngineRefusal } from './sites.ts';
export { isTestAddress, testAddress, testNetwork } from './test-clients.ts';

import { forwards, homeFilterFiles, homeFilters, homeServers, type Proxying } from './home-servers.ts';
import { silence } from './silence.ts';
import { type CalledNodes, inner, outer, rest as restCall, restOf } from './sites.ts';
import { testAddress } from './test-clients.ts';

/** The TLS settings of a profile: certificates in PEM, ciphers as OpenSSL names them. */
export interface EngineTls {
  certificate: string;
  privateKey: string;
  /** Authorities of client certificates. */
  authorities: readonly string[];
  revocationLists: readonly string[];
  checksRevocations: boolean;
  minVersion: '1.2' | '1.3';
  maxVersion: '1.2' | '1.3';
  ciphers: readonly string[];
}

/** The settings of a profile (server configuration) for the engine. */
export interface EngineProfile {
  id: number;
  eapTypes: readonly string[];
  defaultEapType: string;
  eapTlsFragmentSize: number;
  commonFragmentSize: number;
  /** The host of the URL is an address that the outbound guard permitted, not a name. */
  ocsp: { url: string; softFail: boolean } | undefined;
  allowsMab: boolean;
  allowsPap: boolean;
  allowsChap: boolean;
  tls: EngineTls;
}

/** All settings from which the files of a node's engine are made. */
export interface EngineSettings {
  /** Address to listen at; `*`: all. */
  host: string;
  authPort: number;
  statusPort: number;
  statusSecret: string;
  nasNetworks: readonly string[];
  nasCacheSeconds: number;
  decisionTimeoutMs: number;
  /** Seconds before a reject is sent, which limits the rate of password guesses. */
  rejectDelaySeconds: number;
  decisionPort: number;
  /** Folder of the keys and certificates by which the engine and its own node authenticate each other. */
  identityFolder: string;
  /** URLs of the nodes that are called in this order if the own node does not answer, and the folder of their keys and certificates. */
  cluster?: { folder: string; urls: readonly string[] } | undefined;
  /** Dictionary lines of the site's own attributes. */
  dictionary: readonly string[];
  profiles: readonly EngineProfile[];
  proxying: Proxying;
}

/** Names of the files by which the engine and its own node authenticate each other. */
export const identityFiles = {
  nodeKey: 'node-key.pem',
  nodeCertificate: 'node-certificate.pem',
  engineKey: 'engine-key.pem',
  engineCertificate: 'engine-certificate.pem',
} as const;

/** Names of the files in the folder of the cluster. */
export const clusterFiles = { key: 'key.pem', certificate: 'certificate.pem', others: 'others.pem' } as const;

const systemDictionary = '/usr/share/freeradius/dictionary';

/** Internal attributes of this service, with numbers that the engine reserves for sites. */
export const internalAttributes = [
  'Verdict',
  'Reason',
  'Inner-Method',
  'Password-Owner',
  'Realm',
  'Home',
  'Keeps-Access',
].map((name, index) => `ATTRIBUTE Portreeve-${name} ${3_000 + index} string`);

/** Returns the files of a generation, by their names in `folder`. The same settings produce the same files. */
export function engineFiles(settings: EngineSettings, folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  files.set(
    'dictionary',
    [`$INCLUDE ${systemDictionary}`, ...internalAttributes, ...settings.dictionary, ''].join('\n'),
  );
  files.set('access_reject', text(rejectFilter));
  if (forwards(settings.proxying)) for (const [name, lines] of Object.entries(homeFilterFiles)) files.set(name, lines);
  files.set('radiusd.conf', text(main(settings, folder)));
  for (const { id, tls } of settings.profiles) {
    files.set(`certs/${id}/certificate.pem`, tls.certificate);
    files.set(`certs/${id}/key.pem`, tls.privateKey);
    if (tls.authorities.length > 0)
      files.set(
        `certs/${id}/authorities.pem`,
        [...tls.authorities, ...(tls.checksRevocations ? tls.revocationLists : [])].join(''),
      );
  }
  return files;
}

/** Attributes that a reject may have; none of them grants access. */
const rejectFilter = [
  'DEFAULT',
  ...['EAP-Message', 'State', 'Message-Authenticator', 'Error-Cause', 'Reply-Message', 'MS-CHAP-Error', 'Proxy-State']
    .map((attribute) => `  ${attribute} =* ANY`)
    .join(',\n')
    .split('\n'),
];

const main = (settings: EngineSettings, folder: string): Line[] => [
  'libdir = /usr/lib/freeradius',
  `raddbdir = ${folder}`,
  `logdir = ${folder}`,
  `run_dir = ${folder}/run`,
  `pidfile = ${folder}/run/radiusd.pid`,
  'max_request_time = 10',
  'cleanup_delay = 5',
  'max_requests = 16384',
  'hostname_lookups = no',
  block('log', ['destination = stdout', 'auth = no']),
  block('security', ['max_attributes = 200', `reject_delay = ${settings.rejectDelaySeconds}`, 'status_server = yes']),
  block('thread pool', [
    'start_servers = 4',
    'max_servers = 32',
    'min_spare_servers = 2',
    'max_spare_servers = 8',
    // A longer queue would only hold requests that switches have given up on, and delay others.
    'max_queue_size = 2048',
  ]),
  block('modules', modules(settings, folder)),
  ...homeServers(settings.proxying),
  ...clients(settings),
  ...testClients(settings),
  nasLookup,
  front(settings),
  checkCertificate,
  status(settings),
  control(folder),
  ...settings.profiles.flatMap((profile) =>
    offersEap(profile)
      ? [
          outer(profile, calledNodes(settings), { hasEap: true, proxying: settings.proxying }),
          inner(profile, calledNodes(settings), offersInnerEap(profile)),
        ]
      : [outer(profile, calledNodes(settings), { hasEap: false, proxying: settings.proxying })],
  ),
];

const calledNodes = ({ cluster }: EngineSettings): CalledNodes => ({ otherNodes: cluster?.urls.length ?? 0 });

const modules = (settings: EngineSettings, folder: string): Line[] => [
  ...['ok', 'reject', 'handled', 'noop'].map((code) => block(`always ${code}`, [`rcode = ${code}`])),
  block('pap', []),
  block('chap', []),
  block('mschap', ['use_mppe = yes', 'require_encryption = yes', 'require_strong = yes']),
  block('expr', []),
  block('attr_filter attr_filter.access_reject', ['key = "%{User-Name}"', `filename = ${folder}/access_reject`]),
  ...(forwards(settings.proxying) ? homeFilters(folder) : []),
  ...rest(settings),
  ...settings.profiles.filter(offersEap).flatMap((profile) => [eap(profile, folder), ...innerEap(profile)]),
];

/** Source address of a packet, IPv4 or IPv6. */
const source = '%{%{Packet-Src-IP-Address}:-%{Packet-Src-IPv6-Address}}';
/** Timeout including the TLS handshake. Short, because the engine reads no packets while it waits. */
const nasTimeoutSeconds = 0.4;

const pool = (max: number, ...options: Line[]): Line =>
  block('pool', [
    'start = 0',
    'min = 0',
    `max = ${max}`,
    'spare = 1',
    'retry_delay = 1',
    'idle_timeout = 60',
    ...options,
  ]);

/** The modules by which the engine calls its own node and other nodes. Pools start empty, so that the engine starts while the service is down. */
function rest({ decisionPort, decisionTimeoutMs, identityFolder, cluster }: EngineSettings): Line[] {
  const ownNode = `https://127.0.0.1:${decisionPort}`;
  const ownTls = tlsBlock(identityFolder, {
    trusted: identityFiles.nodeCertificate,
    certificate: identityFiles.engineCertificate,
    key: identityFiles.engineKey,
  });
  const otherTls = cluster && tlsBlock(cluster.folder, { ...clusterFiles, trusted: clusterFiles.others });
  const call = (node: string, section: string, path: string, query: string) =>
    block(section, [
      // `at` is the second of arrival, by which the node detects requests that waited too long in the engine.
      `uri = "${node}/radius/${path}?src=${source}&at=%l${query}"`,
      'method = "post"',
      'body = "json"',
      `chunk = ${chunkBytes}`,
      `timeout = ${(decisionTimeoutMs / 1_000).toFixed(1)}`,
      node === ownNode ? ownTls : otherTls!,
    ]);
  const calls = (node: string) => [
    call(node, 'authorize', 'authorize', ''),
    call(node, 'post-auth', 'post-auth', '&result=%{reply:Packet-Type}'),
  ];
  // As long as the response timeout, because a busy node is slow to finish the TLS handshake. A node that is down refuses the connection.
  const ownConnectTimeout = `connect_timeout = ${(decisionTimeoutMs / 1_000).toFixed(1)}`;
  // Requests inside a tunnel are never MAC authentication, so they have a path of their own.
  const innerCall = (node: string) => call(node, 'authorize', 'authorize-inner', '');
  return [
    block('rest', [ownConnectTimeout, ...calls(ownNode), pool(32)]),
    block('rest rest_inner', [ownConnectTimeout, innerCall(ownNode), pool(32)]),
    block('rest rest_nas', [
      connectTimeout,
      block('authorize', [
        `uri = "${ownNode}/radius/nas/${source}"`,
        'method = "get"',
        `timeout = ${nasTimeoutSeconds}`,
        ownTls,
      ]),
      pool(4),
    ]),
    ...(cluster?.urls ?? []).flatMap((url, index) => {
      const options = [connectTimeout, pool(16, `lifetime = ${otherNodesLifetimeSeconds}`)];
      return [
        block(`rest ${restOf('rest', index)}`, [...calls(url), ...options]),
        block(`rest ${restOf('rest_inner', index)}`, [innerCall(url), ...options]),
      ];
    }),
  ];
}

/**
 * Size of a chunk. Without chunks the engine builds a body in a buffer of at most 8 KiB, and silently truncates a value that does not fit.
 * With chunks each value must fit into one: a packet has 4,096 octets, and each takes up to 6 characters (`\u00FF`).
 */
const chunkBytes = 65_536;
const connectTimeout = 'connect_timeout = 0.2';
/** Lifetime of a connection to another node: the certificates are read again with each new connection. */
const otherNodesLifetimeSeconds = 60;

/** Settings of TLS to a node: the engine checks the certificate of the node before it sends its own or a request. */
const tlsBlock = (
  folder: string,
  { trusted, certificate, key }: { trusted: string; certificate: string; key: string },
) =>
  block('tls', [
    `ca_info_file = ${folder}/${trusted}`,
    `certificate_file = ${folder}/${certificate}`,
    `private_key_file = ${folder}/${key}`,
    'check_cert = yes',
    'check_cert_cn = yes',
  ]);

/** True if the profile offers EAP-TLS. Without a trusted authority no certificate would be valid, so it does not. */
const offersTls = ({ eapTypes, tls }: EngineProfile): boolean => eapTypes.includes('TLS') && tls.authorities.length > 0;

/** True if the profile offers an EAP type. An EAP module without types would prevent the start of the engine. */
const offersEap = (profile: EngineProfile): boolean =>
  offersTls(profile) || profile.eapTypes.some((type) => type !== 'TLS');

const eap = (profile: EngineProfile, folder: string): Line => {
  const { id, eapTypes, defaultEapType, eapTlsFragmentSize, commonFragmentSize } = profile;
  const has = (type: string) => eapTypes.includes(type);
  const tunnel = [`tls = tls-common`, `virtual_server = inner-${id}`];
  const inside = has('MSCHAPV2') ? 'mschapv2' : has('GTC') ? 'gtc' : 'md5';
  const isOffered = defaultEapType !== 'TLS' || offersTls(profile);
  return block(`eap eap-${id}`, [
    `default_eap_type = ${isOffered ? defaultEapType.toLowerCase() : inside}`,
    'timer_expire = 60',
    'max_sessions = 16384',
    tlsConfig('tls-common', profile, folder, commonFragmentSize),
    tlsConfig('tls-eap', profile, folder, eapTlsFragmentSize),
    ...(offersTls(profile) ? [block('tls', ['tls = tls-eap', 'virtual_server = check-cert'])] : []),
    ...(has('TTLS') ? [block('ttls', [...tunnel, `default_eap_type = ${inside}`])] : []),
    ...(has('PEAP') ? [block('peap', [...tunnel, `default_eap_type = ${inside}`])] : []),
    ...passwordTypes.filter(has).map((type) => block(type.toLowerCase(), [])),
  ]);
};

/** EAP types that check a password, by their names in the engine's configuration. */
const passwordTypes = ['MSCHAPV2', 'MD5', 'GTC'];

/**
 * Returns the EAP module for the inside of a tunnel. It offers neither TLS nor another tunnel: the engine accepts the inner identity
 * whatever method succeeds, but only a password that the node returned for that identity proves it.
 */
const innerEap = ({ id, eapTypes }: EngineProfile): Line[] => {
  const [first, ...remainingTypes] = passwordTypes
    .filter((type) => eapTypes.includes(type))
    .map((type) => type.toLowerCase());
  if (first === undefined) return [];
  const types = [first, ...remainingTypes].map((type) => block(type, []));
  return [
    block(`eap eap-inner-${id}`, [
      `default_eap_type = ${first}`,
      'timer_expire = 60',
      'max_sessions = 16384',
      ...types,
    ]),
  ];
};

/** True if EAP inside a tunnel has a type to offer. */
const offersInnerEap = ({ eapTypes }: EngineProfile): boolean => passwordTypes.some((type) => eapTypes.includes(type));

function tlsConfig(name: string, { id, tls, ocsp }: EngineProfile, folder: string, fragmentSize: number): Line {
  const certs = `${folder}/certs/${id}`;
  // This setting of OpenSSL does not apply to the ciphers of TLS 1.3.
  const ciphers = tls.ciphers.filter((cipher) => !cipher.startsWith('TLS_'));
  return block(`tls-config ${name}`, [
    `private_key_file = ${certs}/key.pem`,
    `certificate_file = ${certs}/certificate.pem`,
    ...(tls.authorities.length > 0 ? [`ca_file = ${certs}/authorities.pem`] : []),
    `tls_min_version = "${tls.minVersion}"`,
    `tls_max_version = "${tls.maxVersion}"`,
    ...(ciphers.length > 0 ? [`cipher_list = "${ciphers.join(':')}"`] : []),
    'cipher_server_preference = yes',
    'ecdh_curve = ""',
    `fragment_size = ${fragmentSize}`,
    // If a revocation list is missing, every certificate is rejected, rather than accepting a revoked one.
    `check_crl = ${tls.checksRevocations ? 'yes' : 'no'}`,
    block('cache', ['enable = no']),
    ...(ocsp
      ? [
          block('ocsp', [
            'enable = yes',
            // The URL in a certificate is chosen by its issuer, so it is not used.
            'override_cert_url = yes',
            `url = ${quoted(ocsp.url)}`,
            `softfail = ${ocsp.softFail ? 'yes' : 'no'}`,
            'timeout = 2',
          ]),
        ]
      : []),
  ]);
}

/** Returns the networks that packets may come from. The engine looks up the access device of each source address at its node. */
const clients = ({ nasNetworks, nasCacheSeconds }: EngineSettings): Line[] =>
  nasNetworks.map((network, index) =>
    block(`client nas-${index + 1}`, [
      `${network.includes(':') ? 'ipv6addr' : 'ipaddr'} = ${network}`,
      'dynamic_clients = nas-lookup',
      `lifetime = ${nasCacheSeconds}`,
      // Otherwise one new device per second: after a restart, a thousand switches would have to wait.
      'rate_limit = no',
    ]),
  );

/** Returns the clients for tests of logins on the node. The status secret is sufficient, because a test changes nothing. */
const testClients = ({ profiles, statusSecret }: EngineSettings): Line[] =>
  profiles.flatMap(({ id }) => {
    const address = testAddress(id);
    if (address === undefined) return [];
    return block(`client test-${id}`, [
      `ipaddr = ${address}`,
      `secret = ${quoted(statusSecret)}`,
      'require_message_authenticator = yes',
      `virtual_server = access-${id}`,
    ]);
  });

const nasLookup = block('server nas-lookup', [
  block('authorize', [restCall('rest_nas'), block('if (updated)', ['ok']), block('else', ['reject'])]),
]);

/** Returns the server that receives packets. Access devices have the server of their profile, so a packet handled here is not answered. */
const front = ({ host, authPort, proxying }: EngineSettings): Line =>
  block('server front', [
    ...[...new Set([authPort, proxying.port ?? authPort])].map((port) =>
      block('listen', ['type = auth', `${host.includes(':') ? 'ipv6addr' : 'ipaddr'} = ${host}`, `port = ${port}`]),
    ),
    block('authorize', silence('control')),
  ]);

/** Accepts the certificate without a call: its properties are sent with the call for the decision. */
const checkCertificate = block('server check-cert', [
  block('authorize', [block('update control', ['&Auth-Type := Accept'])]),
]);

const status = ({ statusPort, statusSecret }: EngineSettings): Line =>
  block('server status', [
    block('listen', ['type = status', 'ipaddr = 127.0.0.1', `port = ${statusPort}`]),
    block('client status-reader', ['ipaddr = 127.0.0.1', `secret = ${quoted(statusSecret)}`]),
    block('authorize', ['ok']),
  ]);

const control = (folder: string): Line =>
  block('listen', ['type = control', `socket = ${folder}/run/control.sock`, 'mode = rw']);
