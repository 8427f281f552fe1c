import { collection, type RowOf, settings } from '../../kernel/declare/declaration.ts';
import {
  alternative,
  computed,
  flag,
  identity,
  modified,
  notYet,
  port,
  rank,
  reference,
  text,
  version,
} from '../../kernel/declare/field.ts';
import { domainLengthMax, domainPattern, mappedDomainPattern } from './domain-name.ts';

/** A mapping of a user domain to a RADIUS server. Several mappings of one domain are its servers, in the order of their ranks. */
export const aaaMapping = collection({
  name: 'aaa-mapping',
  title: 'AAA mapping',
  path: '/settings/integration/aaa-mappings',
  permission: 'authentication-servers',
  doc: 'RADIUS servers for the domains of user names; several mappings of one domain are its servers, in the order of their ranks.',
  columns: ['id', 'rank', 'domainName', 'radiusServer'],
  patterns: ['list', 'create', 'deleteMany', 'rankSwap'],
  paths: { rankSwap: '/swap' },
  label: 'domainName',
  fallbackLabel: 'radiusServer',
  uniqueTogether: [['domainName', 'radiusServerID']],
  events: { elementType: 10 },
  recordsMax: 2_000,
  example: { domainName: 'example.org', radiusServerID: 1 },
  fields: {
    id: identity(),
    rank,
    domainName: text({
      max: domainLengthMax,
      pattern: mappedDomainPattern,
      search: true,
      doc: 'Domain of user names, stored in lower case; `*.` at the start also takes all domains below it. Empty: user names without a domain.',
    }),
    radiusServerID: {
      ...reference('aaa-server', 'restrict', { doc: 'The server; radiusServer can be sent instead.' }),
      default: 0,
    },
    radiusServer: alternative<string>(
      { kind: 'text', max: 64 },
      '(select s.name from aaa_server s where s.id = r.radius_server_id)',
      'Name of the server; used if radiusServerID is absent, otherwise it must be the name of the same server.',
    ),
    version,
    ...modified,
  },
});

/** A domain whose users have accounts of this service; their logins are never proxied. */
export const aaaLocalDomain = collection({
  name: 'aaa-local-domain',
  title: 'Local domain',
  path: '/settings/integration/aaa-mappings/local-domains',
  permission: 'authentication-servers',
  doc: 'Domains whose users have accounts of this service; their logins are never proxied.',
  columns: ['id', 'domainName'],
  patterns: ['list', 'create'],
  label: 'domainName',
  events: { elementType: 10 },
  recordsMax: 1_000,
  example: { domainName: 'campus.example.org' },
  fields: {
    id: identity(),
    domainName: text({
      min: 1,
      max: domainLengthMax,
      pattern: domainPattern,
      unique: true,
      search: true,
      doc: 'Domain of user names, stored in lower case.',
    }),
    version,
    ...modified,
  },
});

const serverNameSql = (column: string) => `(select s.name from aaa_server s where s.id = r.${column})`;
const serverName = (column: string, doc: string) =>
  computed<string | null>({ kind: 'text', max: 64, nullable: true }, serverNameSql(column), { doc });
const accounting = 'accounting is proxied';

/** The servers for logins that no mapping and no SSID assigns to a server. */
export const aaaDefaults = settings({
  name: 'aaa-defaults',
  title: 'AAA defaults',
  path: '/settings/integration/aaa-mappings/defaults',
  permission: 'authentication-servers',
  doc: 'RADIUS servers for logins that no mapping and no SSID assigns to a server.',
  example: { primaryServerID: 1, radiusProxyAuthEnabled: true },
  fields: {
    primaryServerID: reference('aaa-server', 'restrict', { nullable: true, doc: 'Server that is used first.' }),
    primaryServerName: serverName('primary_server_id', 'Name of the primary server.'),
    secondaryServerID: reference('aaa-server', 'restrict', {
      nullable: true,
      doc: 'Server that is used if the primary server does not respond.',
    }),
    secondaryServerName: serverName('secondary_server_id', 'Name of the secondary server.'),
    radiusProxyAuthEnabled: flag({
      default: false,
      doc: 'Forward logins to these servers. False: such logins are checked by this service.',
    }),
    radiusProxyAcctEnabled: notYet(
      flag({ default: false, doc: 'Forward accounting to the servers of the user domain.' }),
      accounting,
    ),
    radiusProxyAuthPort: port({
      min: 1,
      default: 1_812,
      doc: 'UDP port at which access devices can also send their requests while radiusProxyAuthEnabled is true.',
    }),
    radiusProxyAcctPort: notYet(
      port({ min: 1, default: 1_813, doc: 'UDP port for accounting that is proxied.' }),
      accounting,
    ),
    version,
    ...modified,
  },
});

declare module '../../database.ts' {
  interface Database {
    aaa_mapping: RowOf<typeof aaaMapping>;
    aaa_local_domain: RowOf<typeof aaaLocalDomain>;
  }
}
