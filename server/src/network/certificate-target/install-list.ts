import { X509Certificate } from 'node:crypto';
import { rejected } from '../../kernel/failure.ts';
import { writeInstant } from '../../kernel/values/time.ts';
import { CertificateFault } from '../../protocols/x509/read-certificate.ts';
import { readRevocations } from '../../protocols/x509/read-crl.ts';

/** Returns the columns of a revocation list for an authority. */
export function readList(crl: string, authorityPem: string, nowMs: number) {
  const nextUpdateMs = nextUpdateOf(crl, authorityPem, (why) => `crl: ${why}.`).getTime();
  if (nextUpdateMs <= nowMs) throw rejected(`crl: the next one was due on ${writeInstant(nextUpdateMs)}.`, '/crl');
  return { crlPem: crl, crlNextUpdate: writeInstant(nextUpdateMs) };
}

/** Throws if the new certificate of the authority has not signed the stored revocation list. */
export function refuseForeignList(crl: string, authorityPem: string): void {
  nextUpdateOf(
    crl,
    authorityPem,
    (why) => `crl: the revocation list that is there ${why}; send that of the certificate.`,
  );
}

function nextUpdateOf(crl: string, authorityPem: string, message: (why: string) => string): Date {
  try {
    // The first certificate is the authority itself; its issuers follow.
    return readRevocations(crl, new X509Certificate(authorityPem)).nextUpdate;
  } catch (error) {
    if (error instanceof CertificateFault) throw rejected(message(error.message), '/crl');
    throw error;
  }
}
