import { settings } from '../../kernel/declare/declaration.ts';
import {
  computed,
  flag,
  integer,
  isSet,
  list,
  modified,
  notYet,
  port,
  reference,
  secret,
  text,
  time,
  version,
} from '../../kernel/declare/field.ts';

const sourcePort = 'the engine can send from a chosen port';
const radSec = 'RadSec is spoken';
const debugging = 'debugging by host is served';

const hostFilter = () =>
  notYet(text({ max: 64, nullable: true, doc: 'MAC or IP address of the host whose requests are logged.' }), debugging);

/** Settings of the RADIUS service of all nodes. */
export const radiusGlobal = settings({
  name: 'radius-global',
  title: 'RADIUS settings',
  path: '/radius/radius-server-config/global',
  permission: 'radius',
  doc: 'Settings of the RADIUS service: ports, networks of access devices, timeouts.',
  example: { authPort: 1812, nasNetworks: ['10.0.0.0/8'], nasCacheSeconds: 600 },
  sections: {
    Service: ['serviceEnabled', 'serviceRunning', 'authPort', 'acctPort', 'proxyAuthPort'],
    RadSec: ['radSecEnabled', 'radSecAuthPort', 'radSecRequired', 'radSecClientCertRequired', 'radSecTlsConfigID'],
    Health: ['healthMonitoring', 'snapshotInterval', 'sendFailureEvents'],
    'Access devices': ['nasNetworks', 'nasCacheSeconds', 'decisionTimeoutMs', 'statusSecret'],
    Debug: [
      'serviceLogLevel',
      'serviceDebugHostFilter',
      'serverDebugEnabled',
      'serverDebugHostFilter',
      'serverPolicyDebugEnabled',
      'debugUntil',
    ],
  },
  units: { snapshotInterval: 's', nasCacheSeconds: 's', decisionTimeoutMs: 'ms' },
  fields: {
    serviceEnabled: flag({ default: true, doc: 'False: the RADIUS engine of every node stops.' }),
    serviceRunning: computed<boolean>(
      { kind: 'flag' },
      `exists (select from cluster_node n where n.renewed > clock_timestamp() - interval '10 seconds' and (n.radius ->> 'answersMs') is not null)`,
      { doc: 'True: the RADIUS engine of at least one node responds.' },
    ),
    authPort: port({ min: 1, default: 1_812, doc: 'UDP port for authentication.' }),
    acctPort: port({ default: 1_813, doc: 'UDP port for accounting; 0: none is received.' }),
    proxyAuthPort: notYet(port({ default: 0, doc: 'UDP source port of proxied requests; 0: any.' }), sourcePort),
    radSecEnabled: notYet(flag({ default: false, doc: 'Accept RADIUS over TLS (RadSec).' }), radSec),
    radSecAuthPort: notYet(port({ default: 2_083, doc: 'TCP port for RadSec.' }), radSec),
    radSecRequired: notYet(flag({ default: false, doc: 'Accept only RadSec.' }), radSec),
    radSecClientCertRequired: notYet(
      flag({ default: true, doc: 'Require a client certificate of access devices.' }),
      radSec,
    ),
    radSecTlsConfigID: notYet(
      reference('tls-service-configuration', 'restrict', { nullable: true, doc: 'TLS configuration of RadSec.' }),
      radSec,
    ),
    healthMonitoring: flag({
      default: true,
      doc: 'Check each engine every 5 s with Status-Server, and restart it if it does not respond.',
    }),
    snapshotInterval: integer({
      min: 10,
      max: 3_600,
      default: 60,
      doc: 'Seconds of a health snapshot: each node stores its counts as often, and once a minute if that is more often.',
    }),
    sendFailureEvents: flag({
      default: true,
      doc: 'Emit RADIUS_AUTH_FAILURE for rejects, at most once in 5 minutes per MAC address and cause.',
    }),
    nasNetworks: list<string>(
      { item: { kind: 'network' }, min: 1, max: 50 },
      {
        default: ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
        doc: 'Networks of the access devices; packets from other addresses are dropped.',
      },
    ),
    nasCacheSeconds: integer({
      min: 10,
      max: 86_400,
      default: 3_600,
      doc: 'Seconds for which the engine caches an access device.',
    }),
    decisionTimeoutMs: integer({
      min: 100,
      max: 5_000,
      default: 1_000,
      doc: 'Milliseconds that the engine waits for a decision of a node.',
    }),
    serviceLogLevel: notYet(integer({ min: 0, max: 4, default: 0, doc: 'Log level of the service.' }), debugging),
    serviceDebugHostFilter: hostFilter(),
    serverDebugEnabled: notYet(flag({ default: false, doc: 'Log debug output of the engine.' }), debugging),
    serverDebugHostFilter: hostFilter(),
    serverPolicyDebugEnabled: notYet(flag({ default: false, doc: 'Log how the service decides.' }), debugging),
    debugUntil: notYet(time({ nullable: true, doc: 'Time at which debugging ends automatically.' }), debugging),
    statusSecret: secret({
      min: 8,
      max: 128,
      unbound: 'The node sends it only to its own RADIUS engine on the loopback interface.',
      doc: 'Shared secret of Status-Server requests to the engines. The service generates one if none is set.',
    }),
    statusSecretSet: isSet('statusSecret'),
    ...modified,
    version,
  },
});
