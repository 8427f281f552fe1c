import { collection, deletes } from '../../kernel/declare/declaration.ts';
import {
  choice,
  computed,
  derived,
  flag,
  identity,
  list,
  modified,
  reference,
  text,
  version,
} from '../../kernel/declare/field.ts';
import { type ClientAuth, clientAuths, type TlsProtocol, tlsProtocols } from '../../protocols/tls/names.ts';

/** Tag of the configuration for the API's listener, at present the only one of nodes. */
export const apiTag = 'default';

/** SQL: names of the authorities with the stored ids, in order. */
const trustAliases = `(select coalesce(jsonb_agg(c.name order by x.place), '[]'::jsonb)
  from jsonb_array_elements_text(r.trust_aliases) with ordinality x(id, place) join certificate_target c on c.id = x.id::bigint)`;

const deployed = (column: string) => `(select d.${column} from tls_deployment d where d.configuration_id = r.id)`;

/** TLS settings of listeners. */
export const tlsServiceConfiguration = collection({
  name: 'tls-service-configuration',
  title: 'TLS service configuration',
  path: '/settings/tls-service-configuration',
  permission: 'certificates',
  doc: 'How listeners speak TLS: certificate, versions, ciphers, certificates of clients.',
  columns: ['id', 'name', 'certificateAlias', 'protocols', 'clientAuth', 'version', 'deployedVersion'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  recordsMax: 200,
  example: { name: 'Modern clients', certificateAlias: 'admin_ui', protocols: ['TLS_1_3'], autoUpdate: false },
  fields: {
    id: identity(),
    name: text({ min: 1, max: 64, unique: true, search: true }),
    tag: {
      ...derived<string | null>(
        { kind: 'text', max: 80, nullable: true },
        null,
        'Stable key of a shipped configuration, used instead of its name.',
      ),
      unique: true,
    },
    certificateAlias: reference('certificate-target', 'restrict', {
      by: 'name',
      doc: 'Name of the certificate; it has a key.',
    }),
    trustAliases: list<string>(
      { item: { kind: 'text', min: 2, max: 40 }, max: 50 },
      {
        default: [],
        sql: trustAliases,
        nestedReferences: [
          { path: ['*'], to: 'certificate-target', by: 'name', onDelete: 'restrict', where: { target: 'TRUST' } },
        ],
        doc: 'Names of the authorities whose client certificates are accepted.',
      },
    ),
    protocols: list<TlsProtocol>(
      { item: { kind: 'choice', values: tlsProtocols }, min: 1, max: tlsProtocols.length },
      { default: [...tlsProtocols], doc: 'Versions that it speaks.' },
    ),
    ciphers: list<string>(
      { item: { kind: 'text', min: 1, max: 60 }, max: 100 },
      { default: [], doc: 'Names of OpenSSL, the preferred ones first; none: those that the release recommends.' },
    ),
    autoUpdate: flag({ default: true, doc: 'Versions and ciphers are those that the release recommends.' }),
    clientAuth: choice<ClientAuth, { default: ClientAuth; doc: string }>(clientAuths, {
      default: 'NONE',
      doc: 'Client certificates. OPTIONAL: a certificate that is sent must be valid. REQUIRED: clients without a valid certificate cannot connect.',
    }),
    checkCrl: flag({
      default: false,
      doc: 'Refuse client certificates that are on the revocation lists of the authorities.',
    }),
    deployedVersion: computed<number | null>(
      { kind: 'integer', min: 0, max: 2_147_483_647, nullable: true },
      deployed('version'),
      { doc: 'The version that listeners use; lower than version: changes wait for a deploy.' },
    ),
    deployedAt: computed<string | null>({ kind: 'time', nullable: true }, deployed('deployed_at'), {
      doc: 'When it was deployed.',
    }),
    usedBy: computed<string[]>(
      { kind: 'list', item: { kind: 'text', max: 100 }, max: 100 },
      `(case when r.tag = '${apiTag}' then '["API"]'::jsonb else '[]'::jsonb end
      || coalesce((select jsonb_agg('RADIUS: ' || s.name order by s.name) from server_configuration s where s.tls_config_id = r.id), '[]'))`,
      { doc: 'Listeners that speak so.' },
    ),
    ...modified,
    version,
  },
});
