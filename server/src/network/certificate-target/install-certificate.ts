import type { KeyObject, X509Certificate } from 'node:crypto';
import { rejected } from '../../kernel/failure.ts';
import { writeInstant } from '../../kernel/values/time.ts';
import { openPkcs12 } from '../../protocols/x509/pkcs12.ts';
import {
  alternativeNames,
  CertificateFault,
  chainOf,
  isForServers,
  isSelfSigned,
  keyPem,
  keyTypeOf,
  nameIn,
  readCertificates,
  readKey,
  sha256Of,
} from '../../protocols/x509/read-certificate.ts';

/** The certificate in a request. */
export interface SentCertificate {
  certificate: string;
  privateKey?: string;
  passphrase?: string;
  chain?: string;
}

/** The certificate, its chain, and its key, if there is one. */
interface Opened {
  chain: X509Certificate[];
  key: KeyObject | undefined;
}

/**
 * Reads a sent certificate, checks that its parts match, and returns the columns of its record. The second parameter
 * has stored keys that may belong to it.
 */
export async function readSent(sentCertificate: SentCertificate, storedKeys: readonly string[], nowMs: number) {
  try {
    const opened = await open(sentCertificate, storedKeys);
    return columnsOf(opened, nowMs);
  } catch (error) {
    if (error instanceof CertificateFault) throw rejected(`certificate: ${error.message}.`, '/certificate');
    throw error;
  }
}

async function open(sentCertificate: SentCertificate, storedKeys: readonly string[]): Promise<Opened> {
  const text = sentCertificate.certificate.includes('-----BEGIN')
    ? sentCertificate.certificate
    : await openPkcs12(Buffer.from(sentCertificate.certificate, 'base64'), sentCertificate.passphrase ?? '');
  const certificates = readCertificates(text);
  if (certificates.length === 0) throw new CertificateFault('is neither a certificate in PEM nor a PKCS#12 file');
  const chainCandidates = [...certificates, ...readCertificates(sentCertificate.chain ?? '')];
  const sentKey = keyIn(sentCertificate, text);
  const keys = sentKey ? [sentKey] : storedKeys.map((key) => readKey(key));
  for (const key of keys) {
    const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key));
    if (leaf) return { chain: chainOf(leaf, chainCandidates), key };
  }
  const first = certificates[0]!;
  if (sentKey) throw new CertificateFault(`the private key is not that of ${nameIn(first.subject)}`);
  if (!first.ca) throw new CertificateFault('its private key is missing');
  return { chain: chainOf(first, chainCandidates), key: undefined };
}

/** Returns the key that was sent with the certificate. */
function keyIn({ privateKey, passphrase }: SentCertificate, text: string): KeyObject | undefined {
  const key = privateKey ?? (/-----BEGIN (?:\w+ )?PRIVATE KEY-----/.test(text) ? text : undefined);
  return key === undefined ? undefined : readKey(key, passphrase);
}

/** Returns the columns of a record with this certificate. */
export function columnsOf({ chain, key }: Opened, nowMs: number) {
  const [leaf, ...above] = chain as [X509Certificate, ...X509Certificate[]];
  const keyType = keyTypeOf(leaf.publicKey);
  if (key && keyType === undefined)
    throw new CertificateFault('its key is neither RSA of 2048, 3072 or 4096 bits nor EC on P-256 or P-384');
  for (const certificate of chain)
    if (certificate.validToDate.getTime() <= nowMs)
      throw new CertificateFault(
        `${nameIn(certificate.subject)} ended on ${writeInstant(certificate.validToDate.getTime())}`,
      );
  if (key && !isForServers(leaf)) throw new CertificateFault('is not for servers (extended key usage serverAuth)');
  return {
    issuedTo: nameIn(leaf.subject),
    issuedBy: nameIn(leaf.issuer),
    serial: leaf.serialNumber,
    subjectAltNames: alternativeNames(leaf),
    notBefore: writeInstant(leaf.validFromDate.getTime()),
    notAfter: writeInstant(leaf.validToDate.getTime()),
    keyType: keyType ?? null,
    sha256: sha256Of(leaf),
    chain: chain.map((certificate) => ({
      subject: nameIn(certificate.subject),
      issuer: nameIn(certificate.issuer),
      notAfter: writeInstant(certificate.validToDate.getTime()),
    })),
    certificatePem: chain.map((certificate) => certificate.toString()).join(''),
    csrPem: null,
    privateKey: key ? keyPem(key) : '',
    pendingKey: '',
    warnings: warningsOf(leaf, above, nowMs, key !== undefined),
  };
}

function warningsOf(
  leaf: X509Certificate,
  above: readonly X509Certificate[],
  nowMs: number,
  isServer: boolean,
): string[] {
  const top = above.at(-1) ?? leaf;
  return [
    ...(isServer && isSelfSigned(leaf) ? ['It is self-signed: clients must be configured to trust it.'] : []),
    ...(isSelfSigned(top) ? [] : [`Its chain ends before its authority: ${nameIn(top.issuer)} is not in it.`]),
    ...(leaf.validFromDate.getTime() > nowMs ? [`It begins on ${writeInstant(leaf.validFromDate.getTime())}.`] : []),
    ...(isServer && alternativeNames(leaf).length === 0 ? ['It is for no name: browsers will refuse it.'] : []),
  ];
}
