import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { rejected } from '../kernel/failure.ts';
import { passwordFault } from '../kernel/values/password-rules.ts';

const derive = promisify(argon2);

/** The first recommendation of OWASP for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;

/** The maximum length of User-Password in RADIUS (RFC 2865, 5.2). */
const networkPasswordBytesMax = 128;

/**
 * Throws 422 for a password for network logins that attackers try first or that cannot be sent. Anyone at a switch port can guess
 * passwords, so the rules are those for administrators.
 */
export function requireNetworkPassword(password: string, userName: string): void {
  const isSendable = Buffer.byteLength(password) <= networkPasswordBytesMax && !/\p{Cc}/u.test(password);
  const fault = isSendable
    ? passwordFault(password, userName)
    : `has more than ${networkPasswordBytesMax} bytes, or control characters`;
  if (fault !== undefined) throw rejected(`networkPassword: ${fault}; choose another password.`, '/networkPassword');
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** Returns the argon2id hash of a password as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce: salt, tagLength, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export async function passwordFits(password: string, hash: string): Promise<boolean> {
  const match = phc.exec(hash);
  if (!match) return false;
  const [, memory, passes, parallelism, salt, tag] = match;
  const expected = Buffer.from(tag!, 'base64');
  const computedHash = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt!, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(computedHash, expected);
}

/** True if a hash was computed with other cost parameters, and should be computed again at the next login. */
export const isOutdated = (hash: string): boolean =>
  !hash.startsWith(`$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`);

/** Replaces the hash of an account that does not exist, so that a guessed name takes the same time as an existing one. */
let dummyHash: Promise<string> | undefined;
export const dummyPasswordHash = (): Promise<string> => (dummyHash ??= hashPassword(randomBytes(16).toString('hex')));
