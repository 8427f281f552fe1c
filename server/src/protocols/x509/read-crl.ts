import { verify, type X509Certificate } from 'node:crypto';
import { CertificateFault, nameIn } from './read-certificate.ts';

/** An element of DER: its tag, all its bytes, and where what it holds begins in them. */
interface Element {
  tag: number;
  bytes: Buffer;
  content: Buffer;
}

const tags = { sequence: 0x30, integer: 0x02, bits: 0x03, objectId: 0x06, utcTime: 0x17, time: 0x18 } as const;

/** The elements that stand in a row; a length that does not fit throws. */
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

/** Algorithms of signatures, by their object identifier in hexadecimal, and the hash that each has. */
const hashes: Readonly<Record<string, string>> = {
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};

/** RFC 5280, section 4.1.2.5: two digits of the year are 1950 to 2049. */
function instantIn({ tag, content }: Element): Date | undefined {
  if (tag !== tags.utcTime && tag !== tags.time) return undefined;
  const text = content.toString('latin1');
  const digits = tag === tags.time ? text : `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}`;
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits) ?? [];
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const pem = /^\s*-----BEGIN X509 CRL-----([\sA-Za-z0-9+/=]+)-----END X509 CRL-----\s*$/;

/** When the next revocation list of an authority is due, of one in PEM (RFC 5280, section 5) that it has signed. */
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
      // The first byte counts bits at the end that do not count: none in a signature.
      signature: signature!.content.subarray(1),
    };
  } catch {
    return undefined;
  }
}

/** The subject of a certificate, as it stands in it: the place after version, serial, algorithm, issuer and validity. */
function subjectOf({ raw }: X509Certificate): Buffer {
  const [document] = elementsIn(raw);
  const [signed] = elementsIn(document!.content);
  return elementsIn(signed!.content)[5]!.bytes;
}
