import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The two kinds of bearer credential, by how their text begins. */
export const prefixes = { token: 'prt', session: 'prs' } as const;

export type CredentialKind = keyof typeof prefixes;

export interface Credential {
  kind: CredentialKind;
  publicId: string;
  /** The whole text: shown once, never stored. */
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

/** A checksum of six characters by which a secret scanner recognises a leaked credential. */
export const checksum = (text: string): string => digits62(crc32(text), 6);

/** A new credential: 256 random bits behind a public id by which it is found. */
export function issueCredential(kind: CredentialKind): Credential {
  const publicId = Array.from(randomBytes(12), (byte) => alphabet[byte % 62]).join('');
  const body = `${prefixes[kind]}_${publicId}_${randomBytes(32).toString('base64url')}`;
  return { kind, publicId, text: body + checksum(body) };
}

/** What a presented text claims to be; undefined when it cannot be one of ours. */
export function parseCredential(text: string): Credential | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  if (checksum(text.slice(0, -6)) !== match[4]) return undefined;
  return { kind: match[1] === 'prt' ? 'token' : 'session', publicId: match[2]!, text };
}

/** What a page of ours sends with each write: only who has the session's text can make it, so nobody has to store it. */
export const securityKeyOf = (sessionText: string): string =>
  createHmac('sha256', sessionText).update('portreeve security key 1').digest('base64url');

/** A plain hash suffices: its input has 256 bits that nobody can guess. */
export const credentialHash = (text: string): Buffer => hash('sha256', text, 'buffer');

export const hashFits = (text: string, expected: Buffer): boolean => {
  const computedHash = credentialHash(text);
  return computedHash.length === expected.length && timingSafeEqual(computedHash, expected);
};
