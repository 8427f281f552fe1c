import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import {
  bits,
  explicit,
  flag,
  generalName,
  instant,
  integer,
  nothing,
  objectId,
  octets,
  printable,
  sequence,
  set,
  text,
} from './der.ts';
import type { KeyType } from './names.ts';

/*
 * Certificates and requests are small and always have the same form: they are encoded here, so that the key never
 * leaves the process.
 */

/** The subject of a certificate; absent values are omitted. */
export interface Subject {
  CN: string;
  O?: string | undefined;
  OU?: string | undefined;
  L?: string | undefined;
  ST?: string | undefined;
  C?: string | undefined;
}

const subjectIds = { C: '2.5.4.6', ST: '2.5.4.8', L: '2.5.4.7', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3' } as const;

const ids = {
  rsaSha256: '1.2.840.113549.1.1.11',
  ecdsaSha256: '1.2.840.10045.4.3.2',
  ecdsaSha384: '1.2.840.10045.4.3.3',
  extensionRequest: '1.2.840.113549.1.9.14',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

/** Purpose of a certificate. */
type Usage = 'serverAuth' | 'clientAuth';

const generate = promisify(generateKeyPair);
const pem = { type: 'pkcs8', format: 'pem' } as const;

/** Creates a private key, in PEM. */
export async function makeKey(type: KeyType): Promise<string> {
  const { privateKey } = type.startsWith('RSA_')
    ? await generate('rsa', { modulusLength: Number(type.slice(4)) })
    : await generate('ec', { namedCurve: type === 'EC_P256' ? 'prime256v1' : 'secp384r1' });
  return privateKey.export(pem) as string;
}

const nameOf = (subject: Subject): Buffer =>
  sequence(
    ...Object.entries(subjectIds).flatMap(([part, id]) => {
      const value = subject[part as keyof Subject];
      return value === undefined ? [] : [set(sequence(objectId(id), part === 'C' ? printable(value) : text(value)))];
    }),
  );

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(objectId(id), ...(isCritical ? [flag(true)] : []), octets(value));

/** digitalSignature and, for RSA, keyEncipherment for TLS 1.2. */
const keyUsage = (key: KeyObject): Buffer =>
  key.asymmetricKeyType === 'rsa' ? bits(Buffer.from([0xa0]), 5) : bits(Buffer.from([0x80]), 7);

const extensionsFor = (
  names: readonly string[],
  key: KeyObject,
  usages: readonly Usage[] = ['serverAuth'],
): Buffer[] => [
  ...(names.length > 0 ? [extension(ids.subjectAltName, sequence(...names.map(generalName)))] : []),
  extension(ids.keyUsage, keyUsage(key), true),
  extension(ids.extendedKeyUsage, sequence(...usages.map((usage) => objectId(ids[usage])))),
];

function signatureOf(key: KeyObject): { algorithm: Buffer; digest: 'sha256' | 'sha384' } {
  if (key.asymmetricKeyType === 'rsa')
    return { algorithm: sequence(objectId(ids.rsaSha256), nothing()), digest: 'sha256' };
  return key.asymmetricKeyDetails?.namedCurve === 'secp384r1'
    ? { algorithm: sequence(objectId(ids.ecdsaSha384)), digest: 'sha384' }
    : { algorithm: sequence(objectId(ids.ecdsaSha256)), digest: 'sha256' };
}

function signed(content: Buffer, key: KeyObject): Buffer {
  const { algorithm, digest } = signatureOf(key);
  return sequence(content, algorithm, bits(sign(digest, content, key)));
}

const armoured = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;

const publicOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' });

/** Creates a certificate request (PKCS#10), in PEM. */
export function makeRequest(keyPem: string, subject: Subject, names: readonly string[]): string {
  const key = createPrivateKey(keyPem);
  const extensionRequest = explicit(
    0,
    sequence(objectId(ids.extensionRequest), set(sequence(...extensionsFor(names, key)))),
  );
  const content = sequence(integer(Buffer.from([0])), nameOf(subject), publicOf(key), extensionRequest);
  return armoured('CERTIFICATE REQUEST', signed(content, key));
}

const dayMs = 86_400_000;

/** Creates a self-signed certificate, in PEM. It is valid from one hour ago, because clocks differ. */
export function selfSigned(
  keyPem: string,
  subject: Subject,
  names: readonly string[],
  { nowMs, days, usages }: { nowMs: number; days: number; usages?: readonly Usage[] },
): string {
  const key = createPrivateKey(keyPem);
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  const name = nameOf(subject);
  const validity = sequence(instant(new Date(nowMs - 3_600_000)), instant(new Date(nowMs + days * dayMs)));
  const isNoAuthority = extension(ids.basicConstraints, sequence(), true);
  const extensions = sequence(isNoAuthority, ...extensionsFor(names, key, usages));
  const content = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serial),
    signatureOf(key).algorithm,
    name,
    validity,
    name,
    publicOf(key),
    explicit(3, extensions),
  );
  return armoured('CERTIFICATE', signed(content, key));
}
