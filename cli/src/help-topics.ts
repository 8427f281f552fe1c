import { commands, isNodeCommand } from './commands.ts';
import { fill, wrap } from './text.ts';

/** Help pages that do not belong to a command. */
export const topics: Readonly<Record<string, { doc: string; text: () => string }>> = {
  filters: {
    doc: 'how --filter selects records',
    text: () => `A filter is RSQL. Put it in quotes: the shell interprets *, ; and ().

  --filter 'name==core-*'                    text; * matches anything, case is ignored
  --filter 'rank=ge=10;enabled==true'        ; is "and"
  --filter 'state==FAILED,state==CANCELLED'  , is "or"; parentheses group
  --filter 'state=in=(FAILED,CANCELLED)'     one of a list; =out= none of a list
  --filter 'ip==10.20.0.0/16'                an address in a network
  --filter 'mac==00:1A:2B:*'                 a MAC address in any notation, or its first bytes
  --filter 'dateCreated=ge=-24h'             a time: ISO, epoch milliseconds, now, -24h
  --filter 'note=isnull=true'                the field is empty
  --filter 'progress.percent<50'             a field inside an object
  --filter 'text==printer'                   substring of any searchable field

Operators: == != > >= < <= =in= =out= =isnull=. Several --filter must all match. Values with
spaces need quotes: 'message=="Replace the certificate"'.`,
  },
  environment: {
    doc: 'environment variables of this program',
    text: () => `${pairLines(ofClient)}

${wrap(`On a node, for ${nodeCommands().join(', ')} and account unlock --on-node:`, lineMax).join('\n')}

${pairLines(ofNode)}`,
  },
};

const lineMax = 100;

const ofClient: readonly (readonly [string, string])[] = [
  ['PORTREEVE_URL', 'URL of the service, such as https://nac.example.net'],
  ['PORTREEVE_TOKEN', 'API token (prt_…)'],
  ['PORTREEVE_CONTEXT', 'name of a stored service (portreeve context list)'],
  ['NO_COLOR', 'no colours'],
  ['NODE_EXTRA_CA_CERTS', 'file with the certificate of a private certificate authority'],
];

const ofNode: readonly (readonly [string, string])[] = [
  ['PORTREEVE_CONFIG', 'deployment file; the variables below override it'],
  ['PORTREEVE_DATABASE_URL', 'database URL with the role for serve'],
  ['PORTREEVE_OWNER_URL', 'database URL with the role that owns the tables; only for migrate'],
  ['PORTREEVE_KEY_FILE', 'file with the key that encrypts the secrets'],
  ['PORTREEVE_ARCHIVE_FOLDER', 'folder for log archives; must be shared by all nodes of a cell'],
  ['PORTREEVE_CONSOLE_FOLDER', 'folder of the built console'],
  ['PORTREEVE_HOST', 'address for requests'],
  ['PORTREEVE_PORT', 'TCP port for requests'],
  ['PORTREEVE_HTTPS', 'on: serve HTTPS with the certificate admin_ui; off: plain HTTP'],
  ['PORTREEVE_PUBLIC_URL', 'URL of the console behind a proxy that changes Host; empty: none'],
  ['PORTREEVE_METRICS_PORT', 'TCP port for metrics, on the same address; 0: off'],
  ['PORTREEVE_NODE', 'name of this node; must be unique'],
  ['PORTREEVE_RADIUS_FOLDER', 'folder of the RADIUS engine; empty: this node runs no engine'],
  ['PORTREEVE_RADIUS_HOST', 'address of the RADIUS engine; *: all addresses'],
  ['PORTREEVE_RADIUS_STATUS_PORT', 'UDP port on loopback for the status of the RADIUS engine'],
  ['PORTREEVE_DECISION_PORT', 'TCP port on loopback for decision requests of the RADIUS engine'],
  ['PORTREEVE_CLUSTER_ADDRESS', 'address:port for decision requests of other nodes'],
  ['PORTREEVE_TRAP_HOST', 'address for traps of network devices'],
  ['PORTREEVE_TRAP_PORT', 'UDP port for traps, usually 162; 0: off'],
  ['PORTREEVE_TRACES_URL', 'OTLP/HTTP address of a trace collector; empty: none'],
  ['PORTREEVE_LOG_LEVEL', 'debug, info, warn or error'],
  ['PORTREEVE_PROBE_NETWORKS', 'networks allowed for probes and RADIUS tests, separated by commas'],
];

function pairLines(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, doc]) => `  ${fill(name, width)}  ${doc}`).join('\n');
}

/** Returns the commands that read the settings of the node; `keys create` needs none. */
const nodeCommands = (): string[] =>
  commands
    .filter((command) => isNodeCommand(command) && command.name !== 'keys create')
    .map(({ name, replacesVerb, positionals }) =>
      replacesVerb === 'with-argument' ? [name, ...positionals].join(' ') : name,
    );
