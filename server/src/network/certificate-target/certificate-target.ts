import { collection } from '../../kernel/declare/declaration.ts';
import {
  choice,
  computed,
  derived,
  identity,
  list,
  modified,
  secret,
  text,
  time,
  version,
} from '../../kernel/declare/field.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { keyTypes } from '../../protocols/x509/names.ts';

/** The uses of a certificate. */
export const targets = ['ADMIN_UI', 'PORTAL', 'AGENT', 'RADIUS_EAP', 'RADSEC', 'REMOTE_API', 'TRUST'] as const;

export const namePattern = {
  source: '^(?!(?:copy|csr|restart)$)[a-z0-9_-]{2,40}$',
  words: '2 to 40 small letters, digits, hyphens and underscores, but not copy, csr or restart',
};

/** The states of a certificate. */
export const certificateStates = ['EMPTY', 'CSR_PENDING', 'SELF_SIGNED', 'INSTALLED', 'EXPIRING', 'EXPIRED'] as const;

/** Days before the end from which a certificate counts as expiring. */
export const expiringDays = 30;

/** SQL for the state of the row `r`. */
export const certificateStateSql = `case when r.certificate_pem is null then case when r.csr_pem is null then 'EMPTY' else 'CSR_PENDING' end
  when r.not_after <= now() then 'EXPIRED'
  when r.not_after <= now() + interval '${expiringDays} days' then 'EXPIRING'
  when r.issued_to = r.issued_by then 'SELF_SIGNED' else 'INSTALLED' end`;

export interface ChainLink {
  subject: string;
  issuer: string;
  notAfter: string;
}

const chainLink = {
  kind: 'object',
  name: 'CertificateChainLink',
  properties: {
    subject: { kind: 'text', max: 1_000 },
    issuer: { kind: 'text', max: 1_000 },
    notAfter: { kind: 'time' },
  },
} as const satisfies ObjectShape;

const pemMax = 200_000;

const keyStays = 'A private key never leaves the node; the peer gets the certificate.';

/** A certificate of the service with its key, or a trusted authority. */
export const certificateTarget = collection({
  name: 'certificate-target',
  title: 'Certificate',
  path: '/settings/security/certificate-server',
  permission: 'certificates',
  doc: 'Certificates of the service, by where they are used, and the authorities it trusts.',
  columns: ['name', 'target', 'state', 'issuedTo', 'issuedBy', 'notAfter', 'keyType'],
  patterns: ['list'],
  recordsMax: 1_000,
  sections: {
    Certificate: [
      'name',
      'target',
      'state',
      'issuedTo',
      'issuedBy',
      'serial',
      'subjectAltNames',
      'notBefore',
      'notAfter',
      'keyType',
      'sha256',
      'warnings',
    ],
    Files: ['certificatePem', 'chain', 'csrPem', 'crlPem', 'crlNextUpdate', 'privateKey', 'pendingKey'],
  },
  fields: {
    id: identity(),
    name: text({ min: 2, max: 40, unique: true, search: true, pattern: namePattern, example: 'admin_ui' }),
    target: choice(targets, { doc: 'Where it is used.' }),
    builtIn: derived<boolean>({ kind: 'flag' }, false, 'Built in; cannot be deleted.'),
    state: computed<(typeof certificateStates)[number]>(
      { kind: 'choice', values: certificateStates },
      certificateStateSql,
      {
        doc: `What there is; EXPIRING: it ends within ${expiringDays} days.`,
      },
    ),
    issuedTo: text({ max: 1_000, nullable: true, search: true }),
    issuedBy: text({ max: 1_000, nullable: true, search: true }),
    serial: text({ max: 80, nullable: true }),
    subjectAltNames: list<string>(
      { item: { kind: 'text', max: 253 }, max: 100 },
      { default: [], doc: 'Names and addresses that it is for.' },
    ),
    notBefore: time({ nullable: true, doc: 'When it begins.' }),
    notAfter: time({ nullable: true, doc: 'When it ends.' }),
    keyType: choice(keyTypes, { nullable: true, doc: 'Kind of its key.' }),
    sha256: text({ max: 64, nullable: true, doc: 'SHA-256 of the certificate.' }),
    chain: list<ChainLink>({ item: chainLink, max: 20 }, { default: [], doc: 'The certificate, and those above it.' }),
    certificatePem: text({ max: pemMax, nullable: true, doc: 'The certificate and its chain.' }),
    crlPem: text({ max: pemMax, nullable: true, doc: 'The revocation list of an authority.' }),
    crlNextUpdate: time({ nullable: true, doc: 'When its next revocation list is due.' }),
    csrPem: text({ max: pemMax, nullable: true, doc: 'The request that waits for its certificate.' }),
    privateKey: secret({ max: 20_000, unbound: keyStays, doc: 'Key of the certificate; no operation returns it.' }),
    pendingKey: secret({ max: 20_000, unbound: keyStays, doc: 'Key of the request.' }),
    warnings: list<string>(
      { item: { kind: 'text', max: 500 }, max: 20 },
      { default: [], doc: 'Problems of the certificate that need attention.' },
    ),
    ...modified,
    version,
  },
});
