import { hostname } from 'node:os';
import { makeKey, selfSigned } from '../../protocols/x509/make-certificate.ts';
import { readCertificates, readKey } from '../../protocols/x509/read-certificate.ts';
import { columnsOf } from './install-certificate.ts';

/** Longest validity that browsers accept. */
const days = 397;

/** Returns the columns of a new self-signed certificate for this node's names. */
export async function ownCertificate(nowMs: number) {
  const key = await makeKey('EC_P256');
  const node = hostname().toLowerCase();
  const names = [...(/^[a-z0-9.-]+$/.test(node) ? [node] : []), 'localhost', '127.0.0.1', '::1'];
  const certificate = selfSigned(key, { CN: names[0]! }, [...new Set(names)], { nowMs, days });
  return columnsOf({ chain: readCertificates(certificate), key: readKey(key) }, nowMs);
}
