import { readFile } from 'node:fs/promises';
import { isIPv4, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type ConnectionLimits, connectionDefaults } from '../kernel/http/connections.ts';
import { faultOfFile } from '../kernel/values/file-faults.ts';

/** The settings of a deployment, from a JSON file or the environment. A change needs a restart of the service. */
export interface Config {
  /** URL with the database role of the service. */
  databaseUrl: string;
  /** URL with the role that owns the tables; only `portreeve migrate` uses it. */
  ownerUrl: string;
  keyFile: string;
  /** Folder for archives of logs, shared by all nodes of the cell. */
  archiveFolder: string;
  /** Folder of the built console. */
  consoleFolder: string;
  host: string;
  port: number;
  /** True: HTTPS with the certificate `admin_ui`. False: plain HTTP, behind a proxy. */
  https: boolean;
  /** Port of the metrics listener for Prometheus, on the same host; 0: disabled. */
  metricsPort: number;
  /** Name of this node, unique in the cell. */
  node: string;
  /** Folder for the files of this node's RADIUS engine, on a file system in memory; empty: no engine. */
  radiusFolder: string;
  /** Address that the engine listens at; `*`: all addresses. */
  radiusHost: string;
  /** UDP port on loopback for Status-Server requests to the engine. */
  radiusStatusPort: number;
  /** TCP port on loopback at which this node receives the requests of its engine. */
  decisionPort: number;
  /** Address and TCP port for the engines of other nodes while their own node is down; empty: the nodes do not help each other. */
  clusterAddress: string;
  /** Address and UDP port for traps of network devices, usually 162; 0: disabled. */
  trapHost: string;
  trapPort: number;
  /** OTLP/HTTP address of a trace collector; empty: none. */
  tracesUrl: string;
  outbound: { allow: string[]; refuse: string[] };
  /** Networks that SNMP, ping, SSH, scans and RADIUS tests may reach; empty: all addresses that administrators enter. */
  probeNetworks: string[];
  limits: { requestsPerSecond: number; burst: number; testsPerMinute: number; eventsPerSecond: number };
  connections: ConnectionLimits;
  logLevel: string;
  /** Seconds that a stopping node still serves while /readyz reports that it is not ready, so that load balancers remove it. */
  drainSeconds: number;
  /** Addresses of reverse proxies whose X-Forwarded-For is trusted. */
  trustProxy: string[];
  /** Origin under which browsers reach the console, such as `https://nac.example`; empty: the host of each request. */
  publicUrl: string;
}

const defaults: Config = {
  databaseUrl: 'postgres://portreeve_service@127.0.0.1:5432/portreeve',
  ownerUrl: 'postgres://portreeve_owner@127.0.0.1:5432/portreeve',
  keyFile: '/etc/portreeve/master.key',
  archiveFolder: '/var/lib/portreeve/archives',
  consoleFolder: fileURLToPath(new URL('../../../console/dist', import.meta.url)),
  host: '127.0.0.1',
  port: 8443,
  https: false,
  metricsPort: 0,
  node: hostname(),
  radiusFolder: '',
  radiusHost: '*',
  radiusStatusPort: 18_121,
  decisionPort: 18_120,
  clusterAddress: '',
  trapHost: '0.0.0.0',
  trapPort: 0,
  tracesUrl: '',
  outbound: { allow: [], refuse: [] },
  probeNetworks: [],
  limits: { requestsPerSecond: 50, burst: 100, testsPerMinute: 10, eventsPerSecond: 50 },
  connections: connectionDefaults,
  logLevel: 'info',
  drainSeconds: 5,
  trustProxy: [],
  publicUrl: '',
};

/** Reads the settings. The environment overrides the file in PORTREEVE_CONFIG, and the file overrides the defaults. */
export async function readConfig(environment: NodeJS.ProcessEnv = process.env): Promise<Config> {
  const file = environment.PORTREEVE_CONFIG;
  const reported = file ? await readDeployment(file) : {};
  const unknown = Object.keys(reported).filter((key) => !(key in defaults));
  if (unknown.length > 0)
    throw new Error(`The deployment file ${file} has settings that do not exist: ${unknown.join(', ')}.`);
  const port = readPort(environment.PORTREEVE_PORT ?? reported.port ?? defaults.port);
  const metricsPort = readPort(environment.PORTREEVE_METRICS_PORT ?? reported.metricsPort ?? defaults.metricsPort);
  const clusterAddress = environment.PORTREEVE_CLUSTER_ADDRESS ?? reported.clusterAddress ?? defaults.clusterAddress;
  clusterPlace(clusterAddress);
  return {
    ...defaults,
    ...reported,
    outbound: { ...defaults.outbound, ...reported.outbound },
    probeNetworks:
      networkList(environment.PORTREEVE_PROBE_NETWORKS) ?? reported.probeNetworks ?? defaults.probeNetworks,
    limits: { ...defaults.limits, ...reported.limits },
    connections: { ...defaults.connections, ...reported.connections },
    port,
    https: readSwitch(environment.PORTREEVE_HTTPS) ?? reported.https ?? defaults.https,
    metricsPort,
    node: environment.PORTREEVE_NODE ?? reported.node ?? defaults.node,
    radiusFolder: environment.PORTREEVE_RADIUS_FOLDER ?? reported.radiusFolder ?? defaults.radiusFolder,
    radiusHost: environment.PORTREEVE_RADIUS_HOST ?? reported.radiusHost ?? defaults.radiusHost,
    radiusStatusPort: readPort(
      environment.PORTREEVE_RADIUS_STATUS_PORT ?? reported.radiusStatusPort ?? defaults.radiusStatusPort,
    ),
    decisionPort: readPort(environment.PORTREEVE_DECISION_PORT ?? reported.decisionPort ?? defaults.decisionPort),
    clusterAddress,
    publicUrl: originOf(environment.PORTREEVE_PUBLIC_URL ?? reported.publicUrl ?? defaults.publicUrl),
    trapHost: environment.PORTREEVE_TRAP_HOST ?? reported.trapHost ?? defaults.trapHost,
    trapPort: readPort(environment.PORTREEVE_TRAP_PORT ?? reported.trapPort ?? defaults.trapPort),
    tracesUrl: environment.PORTREEVE_TRACES_URL ?? reported.tracesUrl ?? defaults.tracesUrl,
    databaseUrl: environment.PORTREEVE_DATABASE_URL ?? reported.databaseUrl ?? defaults.databaseUrl,
    ownerUrl: environment.PORTREEVE_OWNER_URL ?? reported.ownerUrl ?? defaults.ownerUrl,
    keyFile: environment.PORTREEVE_KEY_FILE ?? reported.keyFile ?? defaults.keyFile,
    archiveFolder: environment.PORTREEVE_ARCHIVE_FOLDER ?? reported.archiveFolder ?? defaults.archiveFolder,
    consoleFolder: environment.PORTREEVE_CONSOLE_FOLDER ?? reported.consoleFolder ?? defaults.consoleFolder,
    host: environment.PORTREEVE_HOST ?? reported.host ?? defaults.host,
    logLevel: environment.PORTREEVE_LOG_LEVEL ?? reported.logLevel ?? defaults.logLevel,
  };
}

async function readDeployment(file: string): Promise<Partial<Config>> {
  const place = `The configuration ${file} (PORTREEVE_CONFIG)`;
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`${place} cannot be read: ${faultOfFile(cause)}.`, { cause });
  }
  const content = parsed(text, place);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Error(`${place} is not a JSON object.`);
  return content;
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Some messages quote the text, which may contain a password.
    const fault = (error as Error).message.replace(/, (\.{3})?".*"(\.{3})? is not valid JSON$/s, '');
    throw new Error(`${place} is not valid JSON: ${fault}.`);
  }
}

/** Parses networks separated by commas. Returns undefined if the variable is not set. */
function networkList(text: string | undefined): string[] | undefined {
  const networks = text?.split(',').map((network) => network.trim());
  return networks?.filter((network) => network !== '');
}

function readSwitch(text: string | undefined): boolean | undefined {
  if (text === undefined || text === 'on' || text === 'off') return text === undefined ? undefined : text === 'on';
  throw new Error(`PORTREEVE_HTTPS must be on or off, not ${text}.`);
}

/** Returns the origin of a URL as browsers write it; empty if there is none. */
export function originOf(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  const isOrigin = (url?.protocol === 'https:' || url?.protocol === 'http:') && url.href === `${url.origin}/`;
  if (!isOrigin) throw new Error(`publicUrl must be a URL without a path, such as https://nac.example, not ${text}.`);
  return url.origin;
}

/** Parses `10.0.0.11:18122` or `[2001:db8::11]:18122`. Returns undefined for an empty text. */
export function clusterPlace(text: string): { address: string; port: number } | undefined {
  if (text === '') return undefined;
  const [, ipv6, ipv4, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const address = isIPv6(ipv6 ?? '') ? ipv6 : isIPv4(ipv4 ?? '') ? ipv4 : undefined;
  if (address === undefined || readPort(port) === 0)
    throw new Error(`clusterAddress must be an address with a port, such as 10.0.0.11:18122, not ${text}.`);
  return { address, port: Number(port) };
}

function readPort(reported: string | number): number {
  const port = Number(reported);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${reported} is not a port.`);
  return port;
}
