import { verify, type X509Certificate } from 'node:crypto';
import { CertificateFault, nameIn } from './read-certificate.ts';

/** An element of DER: its tag, all its bytes, and its content. */
interface Element {
  tag: number;
  bytes: Buffer;
  content: Buffer;
}

const tags = { sequence: 0x30, integer: 0x02, bits: 0x03, objectId: 0x06, utcTime: 0x17, time: 0x18 } as const;

/** Splits bytes into DER elements; throws if a length is invalid. */
function elementsIn(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const first = bytes.readUInt8(offset + 1);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = offset + 2 + lengthBytes;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes);
    if (start + length > bytes.length) throw new RangeError('An element is longer than what it stands in.');
    elements.push({
      tag: bytes.readUInt8(offset),
      bytes: bytes.subarray(offset, start + length),
      content: bytes.subarray(start, start + length),
    });
    offset = start + length;
  }
  return elements;
}

/** Hash algorithms by the object identifier of the signature algorithm, in hexadecimal. */
const hashes: Readonly<Record<string, string>> = {
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};

/** RFC 5280, section 4.1.2.5: two-digit years are 1950 to 2049. */
function instantIn({ tag, content }: Element): Date | undefined {
  if (tag !== tags.utcTime && tag !== tags.time) return undefined;
  const text = content.toString('latin1');
  const digits = tag === tags.time ? text : `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}`;
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits) ?? [];
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const pem = /^\s*-----BEGIN X509 CRL-----([\sA-Za-z0-9+/=]+)-----END X509 CRL-----\s*$/;

/**
 * Reads a certificate revocation list in PEM (RFC 5280, section 5), checks the authority's signature and returns when
 * the next one is due.
 */
export function readRevocations(text: string, authority: X509Certificate): { nextUpdate: Date } {
  const base64 = pem.exec(text)?.[1];
  if (base64 === undefined) throw new CertificateFault('is no revocation list in PEM');
  const list = readList(Buffer.from(base64, 'base64'));
  if (!list) throw new CertificateFault('the revocation list cannot be read');
  const { signed, algorithm, issuer, nextUpdate, signature } = list;
  const hash = hashes[algorithm];
  if (hash === undefined)
    throw new CertificateFault('is signed by an algorithm that is neither RSA nor ECDSA with SHA-2');
  if (!issuer.equals(subjectOf(authority)) || !verify(hash, signed, authority.publicKey, signature))
    throw new CertificateFault(`is not signed by ${nameIn(authority.subject)}`);
  if (!nextUpdate) throw new CertificateFault('does not say when the next one is due');
  return { nextUpdate };
}

function readList(bytes: Buffer) {
  try {
    const [document] = elementsIn(bytes);
    const [signed, algorithm, signature] = elementsIn(document!.content);
    const parts = elementsIn(signed!.content);
    if (parts[0]!.tag === tags.integer) parts.shift();
    const [, issuer, , nextUpdate] = parts;
    if (signature!.tag !== tags.bits || issuer!.tag !== tags.sequence) return undefined;
    return {
      signed: signed!.bytes,
      algorithm: elementsIn(algorithm!.content)[0]!.content.toString('hex'),
      issuer: issuer!.bytes,
      nextUpdate: nextUpdate && instantIn(nextUpdate),
      // The first byte is the number of unused bits: 0 in a signature.
      signature: signature!.content.subarray(1),
    };
  } catch {
    return undefined;
  }
}

/**
 * Returns the subject of a certificate in DER: the element after version, serial number, algorithm, issuer and
 * validity.
 */
function subjectOf({ raw }: X509Certificate): Buffer {
  const [document] = elementsIn(raw);
  const [signed] = elementsIn(document!.content);
  return elementsIn(signed!.content)[5]!.bytes;
}
