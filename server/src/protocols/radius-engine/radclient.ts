import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

const program = '/usr/bin/radclient';

type SentValue = string | number;

/** A packet as an access device would send it. */
export interface SentPacket {
  /** Address of the access device. */
  source: string;
  /** Address of the server; absent: loopback. */
  host?: string;
  port: number;
  secret: string;
  /** A list is sent as one attribute per value. */
  attributes: Readonly<Record<string, SentValue | readonly SentValue[]>>;
  /** Folder of a dictionary with custom attributes; absent: those of the engine alone. */
  dictionary?: string;
  /** Adds a Message-Authenticator, as every device should; default true. */
  signs?: boolean;
  tries?: number;
  /** Seconds to wait after each try. */
  waitSeconds?: number;
}

/** A reply; `none` if there was none in time. */
export interface SeenReply {
  code: 'Access-Accept' | 'Access-Reject' | 'Access-Challenge' | 'none';
  attributes: { name: string; value: string }[];
}

/** Sends an Access-Request with `radclient` of FreeRADIUS and reads the reply. */
export async function sendAccessRequest(packet: SentPacket): Promise<SeenReply> {
  const output = await exchange(packet, 'auth');
  const [, code, attributeText] = /^Received (Access-\w+) .*\n((?:\t.*\n?)*)/m.exec(output) ?? [];
  if (code) return { code: code as SeenReply['code'], attributes: attributesIn(attributeText ?? '') };
  if (/No reply/.test(output)) return { code: 'none', attributes: [] };
  throw new Error(`radclient: ${output}`);
}

/** Sends an Accounting-Request with `radclient`, and returns whether there was a response in time. */
export async function sendAccountingRequest(packet: SentPacket): Promise<boolean> {
  const output = await exchange(packet, 'acct');
  if (/^Received Accounting-Response /m.test(output)) return true;
  if (/No reply/.test(output)) return false;
  throw new Error(`radclient: ${output}`);
}

async function exchange(packet: SentPacket, kind: 'auth' | 'acct'): Promise<string> {
  const { source, host = '127.0.0.1', port, secret, attributes, dictionary, signs = true } = packet;
  const { tries = 3, waitSeconds = 2 } = packet;
  const lines = Object.entries({
    ...attributes,
    ...(signs && { 'Message-Authenticator': '0x00' }),
    'Packet-Src-IP-Address': source,
  }).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name} = ${typeof value === 'number' ? value : literal(value)}`),
  );
  // Passed by file descriptor, because all users can read the arguments of a process.
  const args = ['-x', '-r', String(tries), '-t', String(waitSeconds), '-S', '/dev/fd/3'];
  return run([...args, ...(dictionary ? ['-D', dictionary] : []), `${host}:${port}`, kind], {
    input: `${lines.join('\n')}\n`,
    secret: `${secret}\n`,
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes
const controlCharacter = /[\x01-\x1f\x7f]/g;

/** Between single quotes nothing is expanded; control characters can be written between double quotes alone. */
function literal(value: string): string {
  if (value.search(controlCharacter) === -1) return `'${value.replaceAll(/[\\']/g, (sign) => `\\${sign}`)}'`;
  const text = value
    .replaceAll(/[\\"]/g, (sign) => `\\${sign}`)
    .replaceAll(controlCharacter, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${text}"`;
}

async function run(args: readonly string[], { input, secret }: { input: string; secret: string }): Promise<string> {
  const secretFile = await namelessFile(secret);
  try {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe', secretFile.fd],
      timeout: 60_000,
      env: { PATH: process.env.PATH },
    });
    const failed = new Promise<never>((_done, fail) => child.once('error', fail));
    child.stdin!.on('error', () => undefined).end(input);
    const texts = await Promise.race([Promise.all([text(child.stdout!), text(child.stderr!)]), failed]);
    return texts.join('');
  } finally {
    await secretFile.close();
  }
}

/** Opens a file in memory that no other process can open, because radclient cannot read a pipe of Node. */
async function namelessFile(words: string): Promise<FileHandle> {
  const name = `/dev/shm/portreeve-${randomUUID()}`;
  const file = await open(name, 'wx+', 0o600);
  await unlink(name);
  await file.write(words, 0);
  return file;
}

/** Returns all attributes except the signature, those with a tag as `Name:1`. */
const attributesIn = (attributeText: string): SeenReply['attributes'] =>
  [...attributeText.matchAll(/^\t([\w.-]+(?::\d+)?) = (.*)$/gm)]
    .map(([, name, value]) => ({ name: name!.replace(/:0$/, ''), value: value!.replace(/^"(.*)"$/, '$1') }))
    .filter(({ name }) => name !== 'Message-Authenticator');
