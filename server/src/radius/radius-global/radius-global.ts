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

const accounting = 'accounting is received';
const proxying = 'requests are proxied';
const radSec = 'RadSec is spoken';
const debugging = 'debugging by host is served';
const health = 'health is recorded';

const hostFilter = () =>
  notYet(text({ max: 64, nullable: true, doc: 'MAC or IP address whose requests are shown.' }), debugging);

/** Switches of the RADIUS service of all nodes. */
export const radiusGlobal = settings({
  name: 'radius-global',
  title: 'RADIUS settings',
  path: '/radius/radius-server-config/global',
  permission: 'radius',
  doc: 'Switches of the RADIUS service: ports, networks of access devices, times.',
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
    serviceEnabled: flag({ default: true, doc: 'Off: the engine of every node stops.' }),
    serviceRunning: computed<boolean>(
      { kind: 'flag' },
      `exists (select from cluster_node n where n.renewed > clock_timestamp() - interval '10 seconds' and (n.radius ->> 'answersMs') is not null)`,
      { doc: 'The engine of a node answers.' },
    ),
    authPort: port({ min: 1, default: 1_812, doc: 'UDP port of authentication.' }),
    acctPort: notYet(port({ default: 1_813, doc: 'UDP port of accounting.' }), accounting),
    proxyAuthPort: notYet(port({ default: 0, doc: 'UDP port that proxied requests leave by; 0: any.' }), proxying),
    radSecEnabled: notYet(flag({ default: false, doc: 'Speak RADIUS over TLS.' }), radSec),
    radSecAuthPort: notYet(port({ default: 2_083, doc: 'TCP port of RadSec.' }), radSec),
    radSecRequired: notYet(flag({ default: false, doc: 'Speak nothing else.' }), radSec),
    radSecClientCertRequired: notYet(flag({ default: true, doc: 'Access devices need a certificate.' }), radSec),
    radSecTlsConfigID: notYet(
      reference('tls-service-configuration', 'restrict', { nullable: true, doc: 'How RadSec speaks TLS.' }),
      radSec,
    ),
    healthMonitoring: flag({
      default: true,
      doc: 'Ask each engine every 5 s whether it is there, and restart one that is silent.',
    }),
    snapshotInterval: notYet(
      integer({ min: 10, max: 3_600, default: 60, doc: 'Seconds between records of health.' }),
      health,
    ),
    sendFailureEvents: flag({
      default: true,
      doc: 'Emit RADIUS_AUTH_FAILURE for rejects, at most once in 5 minutes for a MAC address and a cause.',
    }),
    nasNetworks: list<string>(
      { item: { kind: 'network' }, min: 1, max: 50 },
      {
        default: ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
        doc: 'Where packets of access devices may come from; those of others are dropped unread.',
      },
    ),
    nasCacheSeconds: integer({
      min: 10,
      max: 86_400,
      default: 3_600,
      doc: 'How long the engine remembers an access device.',
    }),
    decisionTimeoutMs: integer({ min: 100, max: 5_000, default: 1_000, doc: 'How long the engine waits for a node.' }),
    serviceLogLevel: notYet(integer({ min: 0, max: 4, default: 0, doc: 'How much the service logs.' }), debugging),
    serviceDebugHostFilter: hostFilter(),
    serverDebugEnabled: notYet(flag({ default: false, doc: 'The engine logs what it does.' }), debugging),
    serverDebugHostFilter: hostFilter(),
    serverPolicyDebugEnabled: notYet(flag({ default: false, doc: 'The service logs how it decides.' }), debugging),
    debugUntil: notYet(time({ nullable: true, doc: 'When debugging ends by itself.' }), debugging),
    statusSecret: secret({
      min: 8,
      max: 128,
      unbound: 'The node sends it only to its own RADIUS engine on the loopback interface.',
      doc: 'Secret of the question whether an engine is there. Made by the service while none is set.',
    }),
    statusSecretSet: isSet('statusSecret'),
    ...modified,
    version,
  },
});
