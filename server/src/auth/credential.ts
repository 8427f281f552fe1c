import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefixes of both kinds of bearer credentials. */
export const prefixes = { token: 'prt', session: 'prs' } as const;

export type CredentialKind = keyof typeof prefixes;

export interface Credential {
  kind: CredentialKind;
  publicId: string;
  /** The complete text: returned once, never stored. */
  text: string;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^(prt|prs)_([0-9A-Za-z]{12})_([\w-]{43})([0-9A-Za-z]{6})$/;

const digits62 = (value: number, length: number): string => {
  let text = '';
  for (let rest = value, digits = 0; digits < length; digits++, rest = Math.floor(rest / 62))
    text = alphabet[rest % 62] + text;
  return text;
};

/** Returns a checksum of six characters, by which secret scanners recognise a leaked credential. */
export const checksum = (text: string): string => digits62(crc32(text), 6);

/** Creates a credential: a public id for lookups, and a secret of 256 random bits. */
export function issueCredential(kind: CredentialKind): Credential {
  const publicId = Array.from(randomBytes(12), (byte) => alphabet[byte % 62]).join('');
  const body = `${prefixes[kind]}_${publicId}_${randomBytes(32).toString('base64url')}`;
  return { kind, publicId, text: body + checksum(body) };
}

/** Parses a received credential, without checking its secret. Returns undefined if the format or the checksum is wrong. */
export function parseCredential(text: string): Credential | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  if (checksum(text.slice(0, -6)) !== match[4]) return undefined;
  return { kind: match[1] === 'prt' ? 'token' : 'session', publicId: match[2]!, text };
}

/** Returns the key that the console sends with each write. It is derived from the text of the session, so it is not stored. */
export const securityKeyOf = (sessionText: string): string =>
  createHmac('sha256', sessionText).update('portreeve security key 1').digest('base64url');

/** Returns the hash of a credential. A fast hash suffices, because its input has 256 random bits. */
export const credentialHash = (text: string): Buffer => hash('sha256', text, 'buffer');

export const hashFits = (text: string, expected: Buffer): boolean => {
  const computedHash = credentialHash(text);
  return computedHash.length === expected.length && timingSafeEqual(computedHash, expected);
};
