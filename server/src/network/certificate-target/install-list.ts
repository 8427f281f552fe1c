import { X509Certificate } from 'node:crypto';
import { rejected } from '../../kernel/failure.ts';
import { writeInstant } from '../../kernel/values/time.ts';
import { CertificateFault } from '../../protocols/x509/read-certificate.ts';
import { readRevocations } from '../../protocols/x509/read-crl.ts';

/** The columns of a revocation list that was sent for an authority. */
export function readList(crl: string, authorityPem: string, nowMs: number) {
  const nextUpdateMs = nextUpdateOf(crl, authorityPem, (why) => `crl: ${why}.`).getTime();
  if (nextUpdateMs <= nowMs) throw rejected(`crl: the next one was due on ${writeInstant(nextUpdateMs)}.`, '/crl');
  return { crlPem: crl, crlNextUpdate: writeInstant(nextUpdateMs) };
}

/** A list that is there and that the new certificate of its authority has not signed. */
export function refuseForeignList(crl: string, authorityPem: string): void {
  nextUpdateOf(
    crl,
    authorityPem,
    (why) => `crl: the revocation list that is there ${why}; send that of the certificate.`,
  );
}

function nextUpdateOf(crl: string, authorityPem: string, message: (why: string) => string): Date {
  try {
    // The first one is the authority itself; those above it follow.
    return readRevocations(crl, new X509Certificate(authorityPem)).nextUpdate;
  } catch (error) {
    if (error instanceof CertificateFault) throw rejected(message(error.message), '/crl');
    throw error;
  }
}
