import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from './args.ts';
import { shippedDocument } from './document.ts';
import { UsageError } from './usage-error.ts';

/** Where the service is, and who asks. */
export interface Connection {
  url: string;
  token: string;
}

const connectionFile = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'portreeve', 'config.json');

/** The option wins over the environment, and the environment over what `portreeve login` kept. */
export async function findConnection(args: Arguments, env: NodeJS.ProcessEnv): Promise<Connection> {
  const told = { url: args.text('url') ?? env.PORTREEVE_URL, token: args.text('token') ?? env.PORTREEVE_TOKEN };
  const kept = told.url && told.token ? {} : await readKept(connectionFile(env));
  const url = told.url || kept.url;
  if (!url) throw new UsageError('Say where the service is: portreeve login --url URL, or PORTREEVE_URL, or --url.');
  // A token is for the service it was given for: another address gets it only when somebody says so.
  const isForeign = kept.url !== undefined && originOf(kept.url) !== originOf(url);
  return { url: checkedUrl(url), token: told.token || (isForeign ? '' : (kept.token ?? '')) };
}

export function clientOf({ url, token }: Connection): Client {
  return new Client({ url, token, userAgent: `portreeve-cli/${shippedDocument().version}` });
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

/** The origin of the service; a path is part of none of our addresses. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${JSON.stringify(text)} is not an address; it looks like https://nac.example.net.`);
  if (url.username || url.password) throw new UsageError('An address carries no password here; use --token.');
  return url.href.replace(/\/(api\/v2\/?)?$/, '');
}

async function readKept(file: string): Promise<Partial<Connection>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    // Who never logged in has no such file.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON; write it anew with portreeve login.`);
  }
}

/** Keeps a connection where only its owner can read it. */
export async function keepConnection(connection: Connection, env: NodeJS.ProcessEnv): Promise<string> {
  const file = connectionFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
  await chmod(partial, 0o600);
  await rename(partial, file);
  return file;
}
