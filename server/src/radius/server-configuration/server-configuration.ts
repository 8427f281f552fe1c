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

/** EAP types that profiles can offer. The service does not support the other types of the engine. */
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

/** A profile of the RADIUS service: EAP types, their TLS settings, and the other methods that access devices can use. */
export const serverConfiguration = collection({
  name: 'server-configuration',
  title: 'RADIUS server configuration',
  path: '/radius/radius-server-config',
  permission: 'radius',
  doc: 'Profiles of the RADIUS service: EAP types, their TLS settings, and the other methods that access devices can use.',
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
    enabled: flag({ default: true, doc: 'False: packets of its access devices are not answered.' }),
    isDefault: flag({
      default: false,
      doc: 'True: the profile of devices without their own profile. Exactly one profile is the default.',
    }),
    tlsConfigID: reference('tls-service-configuration', 'restrict', {
      doc: 'TLS configuration with the certificate, versions and ciphers of EAP.',
    }),
    tlsServiceConfiguration: computed<Record<string, unknown>>(tlsShape, tlsSql, {
      doc: 'Properties of the TLS configuration.',
    }),
    enabledEapTypes: list<EapType>(
      { item: eapType, min: 1, max: eapTypes.length },
      {
        default: ['TLS', 'TTLS', 'PEAP', 'MSCHAPV2'],
        doc: 'EAP types that are offered. TLS is offered only if the TLS configuration has an authority in trustAliases.',
      },
    ),
    defaultEapType: choice<EapType, { default: EapType; doc: string }>(eapTypes, {
      default: 'PEAP',
      doc: 'EAP type that is proposed first.',
    }),
    tlsEapTlsFragmentSize: integer({ min: 200, max: 4_000, default: 1_002, doc: 'Fragment size in EAP-TLS.' }),
    tlsCommonFragmentSize: integer({ min: 200, max: 4_000, default: 1_200, doc: 'Fragment size in tunnels.' }),
    ocspEnabled: flag({ default: false, doc: 'Check by OCSP whether a client certificate was revoked.' }),
    ocspUrl: text({
      max: 500,
      nullable: true,
      pattern: {
        source: '^http://[^\\s\\\\\'"]+$',
        words: 'an address that begins with http://, without quotes and backslashes',
      },
      example: 'http://ocsp.example.org/',
      doc: 'URL of the OCSP responder. Required with ocspEnabled; the URL in a certificate is not used.',
    }),
    ocspSoftFail: flag({ default: false, doc: 'Accept a certificate if the OCSP responder does not answer.' }),
    crlEnabled: flag({
      default: false,
      doc: 'Reject client certificates that are on the revocation lists of the authorities.',
    }),
    eapFastServerUnauthenticatedProvisioning: notYet(
      flag({ default: false, doc: 'Allow unauthenticated provisioning of EAP-FAST.' }),
      'EAP-FAST is offered',
    ),
    mabEnabled: flag({ default: true, doc: 'Accept MAC authentication.' }),
    papEnabled: flag({ default: false, doc: 'Accept PAP outside a tunnel.' }),
    chapEnabled: flag({
      default: false,
      doc: 'Accept CHAP and MS-CHAPv2 outside a tunnel. MS-CHAPv1 is never accepted there.',
    }),
    requireMessageAuthenticator: flag({ default: true, doc: 'Drop requests without a Message-Authenticator.' }),
    allowAnyWinbindConfig: notYet(flag({ default: false, doc: 'Accept any domain.' }), winbind),
    winbindConfigurations: notYet(
      list<never>(
        // Accepts any value, so that the rejection reports that domains are not supported yet.
        { item: { kind: 'json', max: 4_000 }, max: 100 },
        { default: [], doc: 'Domains of users.' },
      ),
      winbind,
    ),
    yamsEventTag,
    auditObj,
    auditObjectName,
    auditObjectType,
  },
});
