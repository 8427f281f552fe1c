import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { faultOfFile } from '@portreeve/server/kernel/values/file-faults.ts';
import { suggestion } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/** URL of the service and the token of the caller. */
export interface Connection {
  url: string;
  token: string;
}

/** The services stored by `portreeve login`, by name, and the current one. */
export interface Contexts {
  current: string;
  contexts: Readonly<Record<string, Connection>>;
}

const nothingStored: Contexts = { current: '', contexts: {} };

const fileOf = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'portreeve', 'config.json');

export async function readContexts(env: NodeJS.ProcessEnv): Promise<Contexts> {
  const file = fileOf(env);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    // The file does not exist before the first login.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothingStored;
    throw new UsageError(`${file} cannot be read: ${faultOfFile(error)}.`);
  }
  try {
    return readFormat(JSON.parse(text));
  } catch {
    throw new UsageError(`${file} is not valid. Delete it and run portreeve login.`);
  }
}

/** Reads the file, also in the old format with a single connection. */
function readFormat(stored: Contexts | Connection): Contexts {
  if ('contexts' in stored) return stored;
  const name = nameOf(stored.url);
  return { current: name, contexts: { [name]: stored } };
}

/** Stores connections in a file that only its owner can read. */
async function writeContexts(contexts: Contexts, env: NodeJS.ProcessEnv): Promise<string> {
  const file = fileOf(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 });
  await chmod(partial, 0o600);
  await rename(partial, file);
  return file;
}

/** Returns the default name of a connection: the host of its URL. */
export const nameOf = (url: string): string => new URL(url).host;

/** Returns the current connection: that of `PORTREEVE_CONTEXT`, otherwise the last selected one. */
export async function currentContext(env: NodeJS.ProcessEnv): Promise<({ name: string } & Connection) | undefined> {
  const stored = await readContexts(env);
  const name = env.PORTREEVE_CONTEXT || stored.current;
  if (name === '') return undefined;
  return { name, ...contextNamed(stored, name) };
}

function contextNamed({ contexts }: Contexts, name: string): Connection {
  if (Object.hasOwn(contexts, name)) return contexts[name]!;
  const names = Object.keys(contexts);
  const advice =
    names.length === 0 ? ' No services are stored. Run portreeve login.' : ` Available: ${names.join(', ')}.`;
  throw new UsageError(`There is no context ${JSON.stringify(name)}.${suggestion(name, names) || advice}`);
}

/** Stores a connection and selects it. Returns the file name. */
export async function storeConnection(name: string, connection: Connection, env: NodeJS.ProcessEnv): Promise<string> {
  const { contexts } = await readContexts(env);
  return writeContexts({ current: name, contexts: { ...contexts, [name]: connection } }, env);
}

export async function useContext(name: string, env: NodeJS.ProcessEnv): Promise<Connection> {
  const stored = await readContexts(env);
  const connection = contextNamed(stored, name);
  await writeContexts({ ...stored, current: name }, env);
  return connection;
}

/** Removes a connection; if it was the current one, none is selected. */
export async function removeContext(name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { current, contexts } = await readContexts(env);
  const remainingContexts = Object.fromEntries(
    Object.entries(contexts).filter(([contextName]) => contextName !== name),
  );
  await writeContexts({ current: current === name ? '' : current, contexts: remainingContexts }, env);
}
