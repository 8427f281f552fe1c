import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { BerError } from './ber.ts';
import { BoundedMap } from './bounded-map.ts';
import { decodeScopedPdu, encodeScopedPdu, encodeV3Message, type ScopedPdu, type V3Message } from './message.ts';
import { oid } from './oid.ts';

/** The user-based security model of SNMPv3: RFC 3414, RFC 3826 (AES), RFC 7860 (SHA-2). */

export const authProtocols = {
  MD5: { hash: 'md5', length: 12 },
  SHA: { hash: 'sha1', length: 12 },
  SHA224: { hash: 'sha224', length: 16 },
  SHA256: { hash: 'sha256', length: 24 },
  SHA384: { hash: 'sha384', length: 32 },
  SHA512: { hash: 'sha512', length: 48 },
} as const;

/** AES256B lengthens short keys as draft-blumenthal-aes-usm does, AES256R as draft-reeder-snmpv3-usm-3desede (Cisco) does. */
export const privProtocols = {
  DES: { keyLength: 16 },
  AES: { keyLength: 16 },
  AES256B: { keyLength: 32 },
  AES256R: { keyLength: 32 },
} as const;

export type AuthProtocol = keyof typeof authProtocols;
export type PrivProtocol = keyof typeof privProtocols;

export interface UsmUser {
  userName: string;
  auth?: { protocol: AuthProtocol; password: string } | undefined;
  /** Privacy needs authentication. */
  priv?: { protocol: PrivProtocol; password: string } | undefined;
}

/** A user's keys at one engine. */
export interface UsmKeys {
  auth?: { protocol: AuthProtocol; key: Buffer };
  priv?: { protocol: PrivProtocol; key: Buffer };
}

/** RFC 3414 section 5 and RFC 3412 section 5: what an engine reports instead of an answer. */
export const reportNames = {
  unsupportedLevel: oid('1.3.6.1.6.3.15.1.1.1.0'),
  notInTimeWindow: oid('1.3.6.1.6.3.15.1.1.2.0'),
  unknownUser: oid('1.3.6.1.6.3.15.1.1.3.0'),
  unknownEngine: oid('1.3.6.1.6.3.15.1.1.4.0'),
  wrongDigest: oid('1.3.6.1.6.3.15.1.1.5.0'),
  decryption: oid('1.3.6.1.6.3.15.1.1.6.0'),
  unknownContext: oid('1.3.6.1.6.3.12.1.5.0'),
} as const;

/** RFC 3414 section 11.2: shorter passwords are refused by every agent. */
export const passwordLengthMin = 8;
const expandedLength = 1024 * 1024;

// Hashing 1 MiB takes milliseconds, so the result is cached; by a digest, so that no password is a key of the map.
const masterKeys = new BoundedMap<string, Buffer>(1_024);
const localKeys = new BoundedMap<string, UsmKeys>(8_192);

/** RFC 3414 appendix A.2: the hash of the password repeated to 1 MiB. */
function masterKey(hash: string, password: Buffer): Buffer {
  const id = createHash('sha256').update(`${hash}:`).update(password).digest('base64');
  const cachedKey = masterKeys.get(id);
  if (cachedKey) return cachedKey;
  if (password.length === 0) throw new BerError('an empty password makes no key');
  const key = createHash(hash).update(Buffer.alloc(expandedLength, password)).digest();
  masterKeys.set(id, key);
  return key;
}

const localized = (hash: string, master: Buffer, engineId: Buffer): Buffer =>
  createHash(hash).update(master).update(engineId).update(master).digest();

/** RFC 3414 section 2.6: derives from a password a key that is valid at one engine only. */
export function localizedKey(protocol: AuthProtocol, password: string, engineId: Buffer): Buffer {
  const { hash } = authProtocols[protocol];
  return localized(hash, masterKey(hash, Buffer.from(password, 'utf8')), engineId);
}

function privacyKey(user: UsmUser, engineId: Buffer): Buffer {
  const { protocol, password } = user.priv!;
  const { hash } = authProtocols[user.auth!.protocol];
  const { keyLength } = privProtocols[protocol];
  let key = localizedKey(user.auth!.protocol, password, engineId);
  while (key.length < keyLength) {
    const extension =
      protocol === 'AES256R' ? localized(hash, masterKey(hash, key), engineId) : createHash(hash).update(key).digest();
    key = Buffer.concat([key, extension]);
  }
  return key.subarray(0, keyLength);
}

export function keysOf(user: UsmUser, engineId: Buffer): UsmKeys {
  if (!user.auth) return {};
  const id = createHash('sha256')
    .update(JSON.stringify([user.auth, user.priv ?? null, engineId.toString('hex')]))
    .digest('base64');
  const cachedKeys = localKeys.get(id);
  if (cachedKeys) return cachedKeys;
  const keys: UsmKeys = {
    auth: { protocol: user.auth.protocol, key: localizedKey(user.auth.protocol, user.auth.password, engineId) },
    ...(user.priv ? { priv: { protocol: user.priv.protocol, key: privacyKey(user, engineId) } } : {}),
  };
  localKeys.set(id, keys);
  return keys;
}

/** The header of a message: its engine, time and user. */
export type Envelope = Pick<V3Message, 'msgId' | 'isReportable' | 'engineId' | 'boots' | 'time' | 'userName'>;

const none = Buffer.alloc(0);

/** Encrypts and signs a message with the keys that the user has. */
export function sealMessage(envelope: Envelope, keys: UsmKeys, scoped: ScopedPdu): Buffer {
  const plain = encodeScopedPdu(scoped);
  const { payload, salt } = keys.priv ? encrypt(keys.priv, envelope, plain) : { payload: plain, salt: none };
  const length = keys.auth ? authProtocols[keys.auth.protocol].length : 0;
  const parts = { ...envelope, hasAuth: keys.auth !== undefined, hasPriv: keys.priv !== undefined, payload, salt };
  const unsigned = encodeV3Message({ ...parts, authentication: Buffer.alloc(length) });
  if (!keys.auth) return unsigned;
  return encodeV3Message({ ...parts, authentication: digest(keys.auth, unsigned) });
}

/** Checks the signature of a message: RFC 3414 section 6.3.2. */
export function isAuthentic(message: V3Message, keys: UsmKeys): boolean {
  if (!keys.auth || !message.hasAuth) return false;
  if (message.authentication.length !== authProtocols[keys.auth.protocol].length) return false;
  const blanked = Buffer.from(message.bytes);
  blanked.fill(0, message.authenticationAt, message.authenticationAt + message.authentication.length);
  return timingSafeEqual(digest(keys.auth, blanked), message.authentication);
}

/** Decrypts and decodes the scoped PDU. Call `isAuthentic` before, if the message is signed. */
export function openMessage(message: V3Message, keys: UsmKeys): ScopedPdu {
  if (!message.hasPriv) return decodeScopedPdu(message.payload);
  if (!keys.priv) throw new BerError('the message is encrypted, the user has no privacy key');
  return decodeScopedPdu(decrypt(keys.priv, message));
}

function digest({ protocol, key }: NonNullable<UsmKeys['auth']>, bytes: Buffer): Buffer {
  const { hash, length } = authProtocols[protocol];
  return createHmac(hash, key).update(bytes).digest().subarray(0, length);
}

let saltCounter = randomBytes(8).readBigUInt64BE();

function nextSalt(): Buffer {
  saltCounter = BigInt.asUintN(64, saltCounter + 1n);
  const salt = Buffer.alloc(8);
  salt.writeBigUInt64BE(saltCounter);
  return salt;
}

function encrypt(
  priv: NonNullable<UsmKeys['priv']>,
  envelope: Envelope,
  plain: Buffer,
): { payload: Buffer; salt: Buffer } {
  const salt = nextSalt();
  if (priv.protocol === 'DES') {
    salt.writeUInt32BE(envelope.boots); // RFC 3414 section 8.1.1.1
    const padded = Buffer.concat([plain, Buffer.alloc((8 - (plain.length % 8)) % 8)]);
    const cipher = createCipheriv('des-ede3-cbc', desKey(priv.key), desVector(priv.key, salt)).setAutoPadding(false);
    return { payload: Buffer.concat([cipher.update(padded), cipher.final()]), salt };
  }
  const cipher = createCipheriv(aesName(priv.key), priv.key, aesVector(envelope, salt));
  return { payload: Buffer.concat([cipher.update(plain), cipher.final()]), salt };
}

function decrypt(priv: NonNullable<UsmKeys['priv']>, message: V3Message): Buffer {
  const { payload, salt } = message;
  if (salt.length !== 8) throw new BerError('the salt has not eight bytes');
  if (priv.protocol === 'DES') {
    if (payload.length % 8 !== 0) throw new BerError('what DES has encrypted is a multiple of eight bytes');
    const decipher = createDecipheriv('des-ede3-cbc', desKey(priv.key), desVector(priv.key, salt)).setAutoPadding(
      false,
    );
    return Buffer.concat([decipher.update(payload), decipher.final()]);
  }
  const decipher = createDecipheriv(aesName(priv.key), priv.key, aesVector(message, salt));
  return Buffer.concat([decipher.update(payload), decipher.final()]);
}

// OpenSSL 3 has DES in its legacy provider only, but triple DES with three equal keys is DES.
const desKey = (key: Buffer): Buffer => Buffer.concat([key.subarray(0, 8), key.subarray(0, 8), key.subarray(0, 8)]);
const desVector = (key: Buffer, salt: Buffer): Buffer => Buffer.from(salt.map((byte, index) => byte ^ key[8 + index]!));

const aesName = (key: Buffer): string => (key.length === 32 ? 'aes-256-cfb' : 'aes-128-cfb');

/** RFC 3826 section 3.1.2.1 */
function aesVector({ boots, time }: Pick<Envelope, 'boots' | 'time'>, salt: Buffer): Buffer {
  const vector = Buffer.alloc(16);
  vector.writeUInt32BE(boots, 0);
  vector.writeUInt32BE(time, 4);
  salt.copy(vector, 8);
  return vector;
}
