import { auditFields, collection } from '../../kernel/declare/declaration.ts';
import {
  choice,
  computed,
  flag,
  identity,
  integer,
  landscape,
  list,
  modified,
  notYet,
  reference,
  text,
  version,
} from '../../kernel/declare/field.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { tlsProtocols } from '../../protocols/tls/names.ts';

const { yamsEventTag, auditObj, auditObjectName, auditObjectType } = auditFields('server-configuration');
const { id } = shapes;

/** EAP types that profiles may offer. The engine has more, which the service does not decide by. */
export const eapTypes = ['TLS', 'TTLS', 'PEAP', 'MSCHAPV2', 'MD5', 'GTC'] as const;
export type EapType = (typeof eapTypes)[number];

const eapType = { kind: 'choice', values: eapTypes } as const;

const tlsShape = {
  kind: 'object',
  name: 'RadiusTlsService',
  properties: {
    id,
    name: { kind: 'text', max: 64 },
    certificateAlias: { kind: 'text', max: 40 },
    protocols: { kind: 'list', item: { kind: 'choice', values: tlsProtocols }, max: 2 },
    deployedVersion: { kind: 'integer', min: 0, max: 2_147_483_647, nullable: true },
  },
} as const satisfies ObjectShape;

const tlsSql = `(select jsonb_build_object('id', t.id, 'name', t.name, 'certificateAlias', c.name, 'protocols', t.protocols,
    'deployedVersion', (select d.version from tls_deployment d where d.configuration_id = t.id))
  from tls_service_configuration t join certificate_target c on c.id = t.certificate_alias_id where t.id = r.tls_config_id)`;

const winbind = 'domains are joined by winbind';

/** How access devices authenticate: EAP types, their TLS, and what else they may send. */
export const serverConfiguration = collection({
  name: 'server-configuration',
  title: 'RADIUS server configuration',
  path: '/radius/radius-server-config',
  permission: 'radius',
  doc: 'Profiles of the RADIUS service: EAP types, their TLS, and what else access devices may send.',
  identity: 'dbid',
  columns: ['dbid', 'name', 'enabled', 'isDefault', 'enabledEapTypes', 'defaultEapType'],
  patterns: ['list', 'fetch', 'create', 'update', 'deleteOne', 'deleteMany', 'enableMany', 'disableMany'],
  events: { noun: 'RADIUS_SERVER_CONFIG' },
  recordsMax: 200,
  example: { name: 'Branches', tlsConfigID: 3, enabledEapTypes: ['TLS'], defaultEapType: 'TLS', mabEnabled: false },
  sections: {
    Server: ['name', 'enabled', 'isDefault'],
    TLS: ['tlsConfigID', 'tlsServiceConfiguration', 'ocspEnabled', 'ocspUrl', 'ocspSoftFail', 'crlEnabled'],
    EAP: [
      'enabledEapTypes',
      'defaultEapType',
      'tlsEapTlsFragmentSize',
      'tlsCommonFragmentSize',
      'eapFastServerUnauthenticatedProvisioning',
    ],
    Methods: ['mabEnabled', 'papEnabled', 'chapEnabled', 'requireMessageAuthenticator'],
    Winbind: ['allowAnyWinbindConfig', 'winbindConfigurations'],
  },
  units: { tlsEapTlsFragmentSize: 'B', tlsCommonFragmentSize: 'B' },
  fields: {
    dbid: identity(),
    landscape,
    version,
    ...modified,
    name: text({ min: 1, max: 64, unique: true, search: true }),
    enabled: flag({ default: true, doc: 'Disabled: packets of its devices get no answer.' }),
    isDefault: flag({
      default: false,
      doc: 'Devices without a profile of their own have this one; exactly one is it.',
    }),
    tlsConfigID: reference('tls-service-configuration', 'restrict', {
      doc: 'Certificate, versions and ciphers of EAP.',
    }),
    tlsServiceConfiguration: computed<Record<string, unknown>>(tlsShape, tlsSql, { doc: 'The same in words.' }),
    enabledEapTypes: list<EapType>(
      { item: eapType, min: 1, max: eapTypes.length },
      {
        default: ['TLS', 'TTLS', 'PEAP', 'MSCHAPV2'],
        doc: 'What it offers. TLS is offered while the TLS configuration has an authority in trustAliases.',
      },
    ),
    defaultEapType: choice<EapType, { default: EapType; doc: string }>(eapTypes, {
      default: 'PEAP',
      doc: 'What it proposes first.',
    }),
    tlsEapTlsFragmentSize: integer({ min: 200, max: 4_000, default: 1_002, doc: 'Octets of a fragment in EAP-TLS.' }),
    tlsCommonFragmentSize: integer({ min: 200, max: 4_000, default: 1_200, doc: 'Octets of a fragment in tunnels.' }),
    ocspEnabled: flag({ default: false, doc: 'Ask the authority whether a client certificate was revoked.' }),
    ocspUrl: text({
      max: 500,
      nullable: true,
      pattern: {
        source: '^http://[^\\s\\\\\'"]+$',
        words: 'an address that begins with http://, without quotes and backslashes',
      },
      example: 'http://ocsp.example.org/',
      doc: 'The responder, required with ocspEnabled. The address in a certificate is not used.',
    }),
    ocspSoftFail: flag({ default: false, doc: 'Accept a certificate when nobody answers.' }),
    crlEnabled: flag({ default: false, doc: 'Refuse client certificates on the revocation lists of the authorities.' }),
    eapFastServerUnauthenticatedProvisioning: notYet(
      flag({ default: false, doc: 'Provision EAP-FAST without authentication.' }),
      'EAP-FAST is offered',
    ),
    mabEnabled: flag({ default: true, doc: 'Devices may be known by their MAC address alone.' }),
    papEnabled: flag({ default: false, doc: 'Passwords outside a tunnel.' }),
    chapEnabled: flag({
      default: false,
      doc: 'CHAP and MS-CHAPv2 outside a tunnel; MS-CHAPv1 is never accepted there.',
    }),
    requireMessageAuthenticator: flag({ default: true, doc: 'Drop requests that are not signed.' }),
    allowAnyWinbindConfig: notYet(flag({ default: false, doc: 'Any domain will do.' }), winbind),
    winbindConfigurations: notYet(
      list<never>(
        // Any value has to reach the sentence that no domain is supported yet.
        { item: { kind: 'json', max: 4_000 }, max: 100 },
        { default: [], doc: 'Domains.' },
      ),
      winbind,
    ),
    yamsEventTag,
    auditObj,
    auditObjectName,
    auditObjectType,
  },
});
