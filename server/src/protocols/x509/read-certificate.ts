import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { KeyType } from './names.ts';

/** Thrown if sent data is not a certificate or key, or if they do not match; the message contains the reason. */
export class CertificateFault extends Error {
  override readonly name = 'CertificateFault';
}

const serverAuth = '1.3.6.1.5.5.7.3.1';
const certificatesMax = 20;

/** Returns the certificates of a PEM text, in order. */
export function readCertificates(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > certificatesMax)
    throw new CertificateFault(`has ${blocks.length} certificates; at most ${certificatesMax} are accepted`);
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch (cause) {
      throw new CertificateFault(`certificate ${index + 1} cannot be read`, { cause });
    }
  });
}

export function readKey(text: string, passphrase?: string): KeyObject {
  try {
    return createPrivateKey({ key: text, format: 'pem', ...(passphrase !== undefined && { passphrase }) });
  } catch (cause) {
    throw new CertificateFault('the private key cannot be read; if it is encrypted, send its passphrase', { cause });
  }
}

export const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;

const curves: Readonly<Record<string, KeyType>> = { prime256v1: 'EC_P256', secp384r1: 'EC_P384' };

/** Returns the type of a key; undefined if listeners do not support it. */
export function keyTypeOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyType | undefined {
  if (asymmetricKeyType === 'ec') return curves[asymmetricKeyDetails?.namedCurve ?? ''];
  const bits = asymmetricKeyType === 'rsa' ? asymmetricKeyDetails?.modulusLength : undefined;
  return bits === 2_048 || bits === 3_072 || bits === 4_096 ? `RSA_${bits}` : undefined;
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

/** True also for a certificate that may not sign others. */
export const isSelfSigned = (certificate: X509Certificate): boolean =>
  certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);

/**
 * Returns the certificate and its issuers, each signed by the next; throws for a certificate that is not part of the
 * chain.
 */
export function chainOf(leaf: X509Certificate, candidates: readonly X509Certificate[]): X509Certificate[] {
  const chain = [leaf];
  const unusedCertificates = new Map(candidates.map((certificate) => [certificate.fingerprint256, certificate]));
  unusedCertificates.delete(leaf.fingerprint256);
  for (let top = leaf; !isSelfSigned(top); ) {
    const issuer = [...unusedCertificates.values()].find((candidate) => isIssuedBy(top, candidate));
    if (!issuer) break;
    if (!issuer.ca) throw new CertificateFault(`${nameIn(issuer.subject)} signs others and is no authority`);
    unusedCertificates.delete(issuer.fingerprint256);
    chain.push(issuer);
    top = issuer;
  }
  const [stranger] = unusedCertificates.values();
  if (stranger) throw new CertificateFault(`${nameIn(stranger.subject)} is no part of the chain`);
  return chain;
}

/** True if servers may use it. */
export const isForServers = ({ keyUsage }: X509Certificate): boolean =>
  // Node's `keyUsage` is the extended key usage; without one a certificate is valid for every purpose.
  (keyUsage as string[] | undefined)?.includes(serverAuth) ?? true;

/** Formats a name in one line, the most specific part first. */
export const nameIn = (lines: string): string => lines.split('\n').reverse().join(', ');

/** Returns the DNS names and IP addresses of a certificate. */
export const alternativeNames = ({ subjectAltName }: X509Certificate): string[] =>
  (subjectAltName ?? '')
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1] ?? [])
    .map((entry) => entry.replaceAll('"', ''));

export const sha256Of = ({ fingerprint256 }: X509Certificate): string =>
  fingerprint256.replaceAll(':', '').toLowerCase();
