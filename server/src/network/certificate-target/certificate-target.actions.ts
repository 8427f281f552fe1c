import { isIP } from 'node:net';
import { action, type Context } from '../../context.ts';
import type { RecordOf } from '../../kernel/declare/declaration.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { noControlCharacters } from '../../kernel/declare/shapes.ts';
import { invalidField, notFound, protectedRecord, rejected } from '../../kernel/failure.ts';
import { isAddress } from '../../kernel/values/address.ts';
import { makeKey, makeRequest } from '../../protocols/x509/make-certificate.ts';
import { keyTypes } from '../../protocols/x509/names.ts';
import { keyTypeOf, readKey } from '../../protocols/x509/read-certificate.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { deployedWith } from '../tls-service-configuration/tls-service-configuration.service.ts';
import { certificateReplaced } from './certificate-target.events.ts';
import { restartListeners } from './certificate-target.jobs.ts';
import { certificateTarget, namePattern, type targets } from './certificate-target.ts';
import { readSent, type SentCertificate } from './install-certificate.ts';
import { readList, refuseForeignList } from './install-list.ts';
import { ownCertificate } from './own-certificate.ts';

const name = {
  kind: 'text',
  min: 2,
  max: 40,
  pattern: namePattern,
  example: 'admin_ui',
  doc: 'Name of the target.',
} as const;
const namedCa = { ...name, example: 'example-ca' } as const;
const newTarget = {
  kind: 'choice',
  values: ['RADIUS_EAP', 'REMOTE_API'],
  doc: 'Where a new target is used. Absent: REMOTE_API.',
} as const;
const part = (doc: string) =>
  ({
    kind: 'text',
    min: 1,
    max: 64,
    pattern: noControlCharacters,
    doc,
  }) as const;
const pem = (doc: string) => ({ kind: 'text', min: 1, max: 200_000, doc }) as const;

/** A certificate authority for examples, valid until 2126. */
const exampleAuthority = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBkTCCATegAwIBAgIUYUPa0rEYEnpKnyp5pEX74buzzTswCgYIKoZIzj0EAwIw',
  'FTETMBEGA1UEAwwKRXhhbXBsZSBDQTAgFw0yNjExMTcxNjQ0MzJaGA8yMTI2MTAy',
  'NDE2NDQzMlowFTETMBEGA1UEAwwKRXhhbXBsZSBDQTBZMBMGByqGSM49AgEGCCqG',
  'SM49AwEHA0IABDgAWb5J8zUZsXG0sKym6ksAr4izz11ZOnRt2bOgAy32J6TN/Pn2',
  '9qWfwiilTwk9gJmvX9lV1+7uORHf1Ex/AvejYzBhMB0GA1UdDgQWBBQyEpNW7hoX',
  'etsxV4fP2Ek3mjzLoTAfBgNVHSMEGDAWgBQyEpNW7hoXetsxV4fP2Ek3mjzLoTAP',
  'BgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwICBDAKBggqhkjOPQQDAgNIADBF',
  'AiBcYuA8SsRl5xfzRlCa1tLG71OG7BHsniNCKlXsR+htFQIhAPF2TWNe10v9zjb8',
  '0f6jSFwvmvNRIHSgs2CQVJjyA+KX',
  '-----END CERTIFICATE-----',
  '',
].join('\n');

interface Target {
  id: number;
  name: string;
  target: (typeof targets)[number];
  builtIn: boolean;
  certificatePem: string | null;
  crlPem: string | null;
  hasKey: boolean;
  hasPendingKey: boolean;
}

const targetSql = `select c.id, c.name, c.target, c.built_in as "builtIn", c.certificate_pem as "certificatePem", c.crl_pem as "crlPem",
  c.private_key is not null as "hasKey", c.pending_key is not null as "hasPendingKey"
from certificate_target c where c.name = $1`;

async function targetNamed(context: Context, name: string): Promise<Target> {
  const target = await findTarget(context, name);
  if (!target) throw notFound(certificateTarget.title, name);
  return target;
}

const findTarget = async ({ query }: Context, name: string): Promise<Target | undefined> =>
  (await query<Target>(targetSql, [name]))[0];

const generate = action(certificateTarget, {
  name: 'generate-request',
  method: 'POST',
  path: '/csr/generate',
  doc: 'Make a certificate request, with a new key or that of the certificate',
  body: {
    kind: 'object',
    name: 'CertificateRequest',
    required: ['name', 'subject', 'keyType'],
    properties: {
      name,
      target: newTarget,
      subject: {
        kind: 'object',
        name: 'CertificateSubject',
        required: ['CN'],
        properties: {
          CN: part('Name of the service.'),
          O: part('Organisation.'),
          OU: part('Unit of the organisation.'),
          L: part('Town.'),
          ST: part('State or province.'),
          C: {
            kind: 'text',
            max: 2,
            pattern: { source: '^[A-Z]{2}$', words: 'two capital letters' },
            doc: 'Country.',
          },
        },
      },
      subjectAltNames: {
        kind: 'list',
        item: { kind: 'text', min: 1, max: 253 },
        max: 100,
        doc: 'Names and addresses that it is for.',
      },
      keyType: { kind: 'choice', values: keyTypes, doc: 'Kind of the key.' },
      reuseKey: { kind: 'flag', doc: 'Take the key of the certificate. Default: false.' },
    },
  } as const satisfies ObjectShape,
  errors: ['rejected'],
  example: {
    name: 'admin_ui',
    subject: { CN: 'nac.example', O: 'Example Hospital' },
    subjectAltNames: ['nac.example', '192.0.2.7'],
    keyType: 'EC_P256',
  },
  async run({ body }, context) {
    const { subject, subjectAltNames = [], keyType, reuseKey = false } = body;
    refuseWrongNames(subjectAltNames);
    const target = await findTarget(context, body.name);
    refuseOtherTarget(target, body.target);
    if (target?.target === 'TRUST') throw rejected(`name: ${body.name} is an authority; it needs no request.`, '/name');
    const key = reuseKey ? await keyOf(context, target, keyType) : await makeKey(keyType);
    const columns = { csrPem: makeRequest(key, subject, subjectAltNames), pendingKey: reuseKey ? '' : key };
    if (target) await context.tx.records.update(certificateTarget, target.id, columns);
    else
      await context.tx.records.create(certificateTarget, {
        name: body.name,
        target: body.target ?? 'REMOTE_API',
        ...columns,
      });
    return {};
  },
});

async function keyOf(context: Context, target: Target | undefined, keyType: string): Promise<string> {
  if (!target?.hasKey) throw rejected('reuseKey: there is no key yet.', '/reuseKey');
  const key = await context.secretOf(certificateTarget, target.id, 'privateKey');
  const type = keyTypeOf(readKey(key));
  if (type !== keyType) throw rejected(`keyType: the key of the certificate is ${type}.`, '/keyType');
  return key;
}

/** The first label may be `*`; everything else is a host name (RFC 1123) or an address. */
const hostName = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

function refuseWrongNames(names: readonly string[]): void {
  for (const [index, targetName] of names.entries())
    if (isIP(targetName) === 0 ? !hostName.test(targetName) : !isAddress(targetName))
      throw invalidField(`subjectAltNames.${index}`, 'must be a host name or an IP address');
}

function refuseOtherTarget(target: Target | undefined, requestedUse: string | undefined): void {
  if (target && requestedUse !== undefined && requestedUse !== target.target)
    throw rejected(`target: ${target.name} is ${target.target}.`, '/target');
}

/** Limit for certificate, key, chain and revocation list together. */
const filesMax = 1_048_576;

const install = action(certificateTarget, {
  name: 'install',
  method: 'POST',
  path: '/{name}',
  pathShapes: { name: namedCa },
  doc: 'Install a certificate; one of an authority, without a key, is trusted',
  body: {
    kind: 'object',
    name: 'CertificateUpload',
    properties: {
      certificate: pem('Certificates in PEM, or a PKCS#12 file in base64. May be absent where only a crl is sent.'),
      privateKey: { ...pem('Key in PEM; absent: that of the request.'), secret: true },
      passphrase: { kind: 'text', max: 1_000, secret: true, doc: 'Of the key or the PKCS#12 file.' },
      chain: pem('Further certificates of the chain, in PEM.'),
      crl: pem('Revocation list of an authority, in PEM.'),
      target: newTarget,
    },
  } as const satisfies ObjectShape,
  uploads: {
    bytesMax: filesMax,
    asBody: true,
    fields: {
      certificate: 'Certificates in PEM, or a PKCS#12 file.',
      privateKey: 'Key in PEM.',
      passphrase: 'Of the key or the PKCS#12 file.',
      chain: 'Further certificates of the chain, in PEM.',
      crl: 'Revocation list of an authority, in PEM.',
      target: 'What a new target is for.',
    },
  },
  errors: ['rejected'],
  example: { certificate: exampleAuthority },
  async run(
    { parameters: { name: wantedName }, body: { certificate, crl, target: requestedUse, ...rest }, nowMs },
    context,
  ) {
    const target = await findTarget(context, wantedName);
    refuseOtherTarget(target, requestedUse);
    if (certificate === undefined) {
      refuseWithoutCertificate(rest, crl);
      if (!target)
        throw rejected(`crl: there is no authority ${wantedName} yet; send its certificate as well.`, '/crl');
      await installList(context, target, crl!, nowMs);
      return {};
    }
    const columns = await certificateColumns(
      context,
      { target, wanted: requestedUse, sent: { certificate, ...rest } },
      nowMs,
    );
    const list = listColumns(target, columns, crl, nowMs);
    const { id } = target
      ? await context.tx.records.update(certificateTarget, target.id, { ...columns, ...list })
      : await context.tx.records.create(certificateTarget, {
          name: wantedName,
          target: columns.privateKey === '' ? 'TRUST' : (requestedUse ?? 'REMOTE_API'),
          ...columns,
          ...list,
        });
    await noteReplaced(context, { id, name: wantedName }, columns);
    return {};
  },
});

/** Only a revocation list may be sent without a certificate. */
function refuseWithoutCertificate(rest: Omit<SentCertificate, 'certificate'>, crl: string | undefined): void {
  if (crl === undefined || Object.keys(rest).length > 0) throw invalidField('certificate', 'is required');
}

async function installList(
  { tx }: Context,
  { id, name, target, certificatePem }: Target,
  crl: string,
  nowMs: number,
): Promise<void> {
  if (target !== 'TRUST' || certificatePem === null)
    throw rejected(`crl: ${name} is no authority to be trusted, and has no revocation list.`, '/crl');
  await tx.records.update(certificateTarget, id, readList(crl, certificatePem, nowMs));
}

/**
 * Returns the columns of the revocation list: the one in the request, or else the stored one if the new certificate has
 * signed it too.
 */
function listColumns(
  target: Target | undefined,
  { privateKey, certificatePem }: { privateKey: string; certificatePem: string },
  crl: string | undefined,
  nowMs: number,
) {
  if (crl !== undefined) {
    if (privateKey !== '') throw rejected('crl: only an authority to be trusted has a revocation list.', '/crl');
    return readList(crl, certificatePem, nowMs);
  }
  if (target?.crlPem) refuseForeignList(target.crlPem, certificatePem);
  return {};
}

/** Returns the columns of a target for a certificate that was sent. */
async function certificateColumns(
  context: Context,
  {
    target,
    wanted: requestedName,
    sent: sentCertificate,
  }: { target: Target | undefined; wanted: string | undefined; sent: SentCertificate },
  nowMs: number,
) {
  const columns = await readSent(sentCertificate, await knownKeys(context, target), nowMs);
  const isAuthority = columns.privateKey === '';
  if (isAuthority && requestedName !== undefined)
    throw rejected(`target: an authority to be trusted is no ${requestedName}; its private key is missing.`, '/target');
  if (target && isAuthority !== (target.target === 'TRUST'))
    throw rejected(
      isAuthority
        ? `certificate: its private key is missing, and ${target.name} is no authority to be trusted.`
        : `certificate: ${target.name} is an authority to be trusted; send its certificate without a key.`,
      '/certificate',
    );
  return columns;
}

/** Returns stored keys that may belong to a certificate sent without one: that of the certificate request first. */
async function knownKeys(context: Context, target: Target | undefined): Promise<string[]> {
  if (!target) return [];
  const secretOf = (field: string) => context.secretOf(certificateTarget, target.id, field);
  return [
    ...(target.hasPendingKey ? [await secretOf('pendingKey')] : []),
    ...(target.hasKey ? [await secretOf('privateKey')] : []),
  ];
}

const noteReplaced = (
  { tx }: Context,
  element: { id: number; name: string },
  { issuedTo, issuedBy, notAfter }: { issuedTo: string | null; issuedBy: string | null; notAfter: string | null },
) =>
  tx.emit({
    type: certificateReplaced,
    element,
    attributes: { issuedTo: issuedTo ?? '', issuedBy: issuedBy ?? '', notAfter: notAfter ?? '' },
  });

const copy = action(certificateTarget, {
  name: 'copy',
  method: 'POST',
  path: '/copy',
  doc: 'Use a certificate with its key for other targets as well',
  body: {
    kind: 'object',
    name: 'CertificateCopy',
    required: ['from', 'to'],
    properties: { from: name, to: { kind: 'list', item: name, min: 1, max: 100 } },
  } as const satisfies ObjectShape,
  errors: ['not-found', 'rejected'],
  example: { from: 'agent', to: ['portal'] },
  async run({ body: { from: sourceName, to: targetNames } }, context) {
    const source = await targetNamed(context, sourceName);
    if (source.certificatePem === null || !source.hasKey)
      throw rejected(`from: ${sourceName} has no certificate with a key.`, '/from');
    const columns = certificateIn((await context.fetch(certificateTarget, source.id))!);
    const privateKey = await context.secretOf(certificateTarget, source.id, 'privateKey');
    for (const targetName of new Set(targetNames)) {
      const target = await targetNamed(context, targetName);
      if (target.id === source.id || target.target === 'TRUST')
        throw rejected(`to: ${targetName} cannot have the certificate of ${sourceName}.`, '/to');
      await context.tx.records.update(certificateTarget, target.id, {
        ...columns,
        privateKey,
        pendingKey: '',
        csrPem: null,
      });
      await noteReplaced(context, target, columns);
    }
    return {};
  },
});

/** Selects the fields of a record that belong to its certificate. */
const certificateIn = ({
  issuedTo,
  issuedBy,
  serial,
  subjectAltNames,
  notBefore,
  notAfter,
  keyType,
  sha256,
  chain,
  certificatePem,
  warnings,
}: RecordOf<typeof certificateTarget>) => ({
  issuedTo,
  issuedBy,
  serial,
  subjectAltNames,
  notBefore,
  notAfter,
  keyType,
  sha256,
  chain,
  certificatePem,
  warnings,
});

const nothing = {
  issuedTo: null,
  issuedBy: null,
  serial: null,
  subjectAltNames: [],
  notBefore: null,
  notAfter: null,
  keyType: null,
  sha256: null,
  chain: [],
  certificatePem: null,
  csrPem: null,
  privateKey: '',
  pendingKey: '',
  warnings: [],
};

const clear = action(certificateTarget, {
  name: 'delete-certificate',
  method: 'POST',
  path: '/{name}/deleteServerCert',
  pathShapes: { name },
  doc: 'Delete certificate, key and request; a built-in target gets a fresh self-signed one',
  errors: ['not-found'],
  async run({ parameters, nowMs }, context) {
    const { id, builtIn } = await targetNamed(context, parameters.name);
    const columns = builtIn ? await ownCertificate(nowMs) : nothing;
    await context.tx.records.update(certificateTarget, id, columns);
    return {};
  },
});

const remove = action(certificateTarget, {
  name: 'delete',
  method: 'POST',
  path: '/{name}/delete',
  pathShapes: { name: namedCa },
  verb: 'delete',
  doc: 'Delete a target with its certificate',
  errors: ['not-found', 'protected'],
  async run({ parameters }, context) {
    const { id, builtIn } = await targetNamed(context, parameters.name);
    if (builtIn) throw protectedRecord(`${parameters.name} is built in: a listener of the service uses it.`);
    await context.tx.records.remove(certificateTarget, [id]);
    return {};
  },
});

const restart = action(certificateTarget, {
  name: 'restart',
  method: 'POST',
  path: '/restart',
  doc: 'Have the listeners of all nodes take their certificates, without closing a connection',
  body: {
    kind: 'object',
    name: 'CertificateRestart',
    properties: {
      name: {
        kind: 'list',
        item: name,
        min: 1,
        max: 100,
        doc: 'Targets whose listeners are meant. Absent: all. Only the API has listeners in this release.',
      },
    },
  } as const satisfies ObjectShape,
  bodyOptional: true,
  success: 202,
  errors: ['not-found', 'rejected'],
  example: {},
  async run({ body }, context) {
    for (const targetName of body?.name ?? []) {
      const { id } = await targetNamed(context, targetName);
      if ((await deployedWith(context, id)).length === 0)
        throw rejected(`name: nothing listens with ${targetName} in this release.`, '/name');
    }
    const taskID = await context.startTask(
      restartListeners,
      { certificates: body?.name },
      'Take the certificates of listeners',
    );
    return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${taskID}` };
  },
});

export const certificateTargetActions = [generate, install, copy, clear, remove, restart];
