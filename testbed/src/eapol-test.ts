import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = '/usr/bin/eapol_test';

/** A supplicant that logs in through an access device. */
export interface Supplicant {
  /** Address of the access device. */
  source: string;
  port: number;
  secret: string;
  mac: string;
  /** Settings of wpa_supplicant, one per line; texts in quotes. */
  network: Readonly<Record<string, string>>;
  seconds?: number;
}

export interface Login {
  isAccepted: boolean;
  /** The certificate of the server, in PEM; empty if none was received. */
  certificate: string;
  output: string;
}

/** Encodes a text for wpa_supplicant, with any characters. */
export const supplicantText = (text: string): string =>
  `P"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;

/** Logs in by EAP with `eapol_test` of wpa_supplicant. */
export async function logIn({ source, port, secret, mac, network, seconds = 20 }: Supplicant): Promise<Login> {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-eapol-'));
  try {
    const lines = Object.entries({ key_mgmt: 'WPA-EAP', ...network }).map(([name, value]) => `  ${name}=${value}`);
    await writeFile(join(folder, 'network.conf'), `network={\n${lines.join('\n')}\n}\n`);
    const shown = join(folder, 'server.pem');
    const args = [
      ...['-c', join(folder, 'network.conf'), '-a', '127.0.0.1', '-p', String(port), '-s', secret],
      ...['-A', source, '-M', mac, '-o', shown, '-t', String(seconds)],
    ];
    const output = await new Promise<string>((done) => {
      execFile(program, args, { timeout: (seconds + 10) * 1_000, maxBuffer: 16_777_216 }, (_, stdout) => done(stdout));
    });
    return {
      isAccepted: /^SUCCESS$/m.test(output),
      certificate: await readFile(shown, 'utf8').catch(() => ''),
      output,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
