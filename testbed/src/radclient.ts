import { execFile } from 'node:child_process';

const program = '/usr/bin/radclient';

/** A packet as an access device would send it. */
export interface SentPacket {
  /** Address of the access device. */
  source: string;
  port: number;
  secret: string;
  attributes: Readonly<Record<string, string | number>>;
  /** Sign it, as every device should; absent: yes. */
  signs?: boolean;
  tries?: number;
  /** How long to wait after each try. */
  waitSeconds?: number;
}

/** An answer; `none` when nobody answered in time. */
export interface SeenReply {
  code: 'Access-Accept' | 'Access-Reject' | 'none';
  attributes: { name: string; value: string }[];
}

/** Sends an Access-Request by `radclient` of FreeRADIUS, and reads the answer. */
export function sendAccessRequest(packet: SentPacket): Promise<SeenReply> {
  const { source, port, secret, attributes, signs = true, tries = 3, waitSeconds = 2 } = packet;
  const lines = Object.entries({
    ...attributes,
    ...(signs && { 'Message-Authenticator': '0x00' }),
    'Packet-Src-IP-Address': source,
  }).map(([name, value]) => `${name} = ${typeof value === 'number' ? value : JSON.stringify(value)}`);
  const args = ['-x', '-r', String(tries), '-t', String(waitSeconds), `127.0.0.1:${port}`, 'auth', secret];
  return new Promise((done, fail) => {
    const child = execFile(program, args, { timeout: 60_000 }, (error, stdout) => {
      const [, code, text] = /^Received (Access-\w+) .*\n((?:\t.*\n?)*)/m.exec(stdout) ?? [];
      if (code) done({ code: code as SeenReply['code'], attributes: attributesIn(text ?? '') });
      else if (/No reply/.test(stdout)) done({ code: 'none', attributes: [] });
      else fail(new Error(`radclient: ${stdout}${error?.message ?? ''}`));
    });
    child.stdin!.end(`${lines.join('\n')}\n`);
  });
}

/** All but the signature, with its tags as `Name:1`; without a tag the name stands alone. */
const attributesIn = (text: string): SeenReply['attributes'] =>
  [...text.matchAll(/^\t([\w.-]+(?::\d+)?) = (.*)$/gm)]
    .map(([, name, value]) => ({ name: name!.replace(/:0$/, ''), value: value!.replace(/^"(.*)"$/, '$1') }))
    .filter(({ name }) => name !== 'Message-Authenticator');
