import { execFile } from 'node:child_process';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Returns the attributes of a login by MS-CHAPv2 outside of a tunnel (RFC 2548 section 2.3, RFC 2759 section 8):
 * radclient only supports version 1.
 */
export async function msChapV2(userName: string, password: string): Promise<Record<string, string>> {
  const challenge = randomBytes(16);
  const response = await msChapV2Response(challenge, userName, password);
  return {
    'User-Name': userName,
    'MS-CHAP-Challenge': `0x${challenge.toString('hex')}`,
    'MS-CHAP2-Response': `0x${Buffer.concat([Buffer.alloc(2), response]).toString('hex')}`,
  };
}

/** The response to a challenge: the challenge of the peer, 8 reserved octets and the NT-Response. */
export async function msChapV2Response(challenge: Buffer, userName: string, password: string): Promise<Buffer> {
  const peerChallenge = randomBytes(16);
  const digest = createHash('sha1').update(peerChallenge).update(challenge).update(userName).digest().subarray(0, 8);
  const hash = Buffer.concat([await md4(Buffer.from(password, 'utf16le')), Buffer.alloc(5)]);
  const response = [0, 7, 14].map((offset) => encryptByDes(hash.subarray(offset, offset + 7), digest));
  return Buffer.concat([peerChallenge, Buffer.alloc(8), ...response]);
}

/** Node has no MD4; OpenSSL has it in its legacy provider. */
const md4 = (bytes: Buffer) =>
  new Promise<Buffer>((done, fail) => {
    const args = ['dgst', '-md4', '-binary', '-provider', 'legacy', '-provider', 'default'];
    const child = execFile('/usr/bin/openssl', args, { encoding: 'buffer' }, (error, stdout) =>
      error ? fail(error) : done(stdout),
    );
    child.stdin!.end(bytes);
  });

/** Triple DES with the same key three times is DES, which Node no longer has. */
function encryptByDes(key: Buffer, block: Buffer): Buffer {
  const bits = [...key].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const spread = Buffer.from(bits.match(/.{7}/g)!.map((seven) => Number.parseInt(`${seven}0`, 2)));
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([spread, spread, spread]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}
