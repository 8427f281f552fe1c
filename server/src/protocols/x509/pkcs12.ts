import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { CertificateFault } from './read-certificate.ts';

const program = '/usr/bin/openssl';
const secondsMax = 10;
const outputBytesMax = 1_048_576;

/**
 * Returns the certificates and key of a PKCS#12 file, in PEM. Node cannot read it, so openssl does; file and passphrase
 * are passed by pipes.
 */
export function openPkcs12(file: Buffer, passphrase: string): Promise<string> {
  const child = spawn(program, ['pkcs12', '-nodes', '-passin', 'fd:3'], {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    // The environment of the node contains database URLs, which openssl must not get.
    env: { PATH: process.env.PATH },
    signal: AbortSignal.timeout(secondsMax * 1_000),
    killSignal: 'SIGKILL',
  });
  return new Promise((done, fail) => {
    const refused = (cause?: unknown) =>
      fail(new CertificateFault('the PKCS#12 file cannot be opened; check its passphrase', { cause }));
    const chunks: Buffer[] = [];
    let length = 0;
    child.stdout!.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > outputBytesMax) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('error', refused);
    child.on('close', (code) => (code === 0 ? done(Buffer.concat(chunks).toString('utf8')) : refused()));
    const [input, secret] = [child.stdin!, child.stdio[3] as Writable];
    for (const stream of [input, secret]) stream.on('error', () => undefined);
    secret.end(`${passphrase}\n`);
    input.end(file);
  });
}
