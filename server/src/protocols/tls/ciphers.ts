import { execFile } from 'node:child_process';
import { getCiphers } from 'node:tls';
import { promisify } from 'node:util';
import type { KeyType } from '../x509/names.ts';
import { recommendedCiphers, type TlsProtocol } from './names.ts';

/** A cipher that OpenSSL offers. */
export interface Cipher {
  name: string;
  /** The protocol of the cipher; ciphers of older versions are used with TLS 1.2 too. */
  protocol: TlsProtocol;
  keyExchange: string;
  authentication: string;
  encryption: string;
  recommended: boolean;
}

const run = promisify(execFile);
const program = '/usr/bin/openssl';
const secondsMax = 10;
const line = /^(\S+)\s+(\S+)\s+Kx=(\S+)\s+Au=(\S+)\s+Enc=(\S+)/;

let cachedCiphers: Promise<readonly Cipher[]> | undefined;

/** Returns the ciphers of the system's OpenSSL, which the RADIUS engine uses too; read once. */
export function systemCiphers(): Promise<readonly Cipher[]> {
  cachedCiphers ??= readCiphers().catch((error: unknown) => {
    cachedCiphers = undefined;
    throw error;
  });
  return cachedCiphers;
}

async function readCiphers(): Promise<Cipher[]> {
  const { stdout } = await run(program, ['ciphers', '-s', '-v'], {
    env: { PATH: process.env.PATH },
    timeout: secondsMax * 1_000,
    killSignal: 'SIGKILL',
  });
  return stdout.split('\n').flatMap((outputLine) => {
    const [, name, version, keyExchange, authentication, encryption] = line.exec(outputLine) ?? [];
    if (name === undefined) return [];
    return {
      name,
      protocol: version === 'TLSv1.3' ? 'TLS_1_3' : 'TLS_1_2',
      keyExchange: keyExchange!,
      authentication: authentication!,
      encryption: encryption!,
      recommended: recommendedCiphers.includes(name),
    };
  });
}

/** True if the service's own listeners, which use Node's OpenSSL, support it too. */
export const isServed = ({ name }: Cipher): boolean => getCiphers().includes(name.toLowerCase());

/** True if a server with such a key can use the cipher. */
export const fitsKey = ({ authentication }: Cipher, keyType: KeyType): boolean =>
  authentication === 'any' || authentication === (keyType.startsWith('EC_') ? 'ECDSA' : 'RSA');
