import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAdministrator } from '@portreeve/server/auth/account.ts';
import { issueToken } from '@portreeve/server/auth/tokens.ts';
import type { WriteTx } from '@portreeve/server/kernel/write/runtime.ts';
import { readConfig } from '@portreeve/server/node/config.ts';
import { runOnce } from '@portreeve/server/node/run-once.ts';
import { adminProfile } from '@portreeve/server/user/admin-profile/admin-profile.ts';
import { freePort } from '@portreeve/testbed/free-ports.ts';
import { ensureKeyFile, postgresFolder } from '@portreeve/testbed/postgres.ts';
import type { FilledDatabase } from './fill.ts';
import { endProgram } from './processes.ts';

export const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** A node that is measured. */
export interface BenchNode {
  pid: number;
  port: number;
  /** The token of the caller who reads, or of an administrator. */
  token: string;
  /** The token of a caller without rights on the measured records. */
  stranger: string;
  /** Returns the requests on a resource that it has logged since the last call. */
  logged(group: string): number;
  close(): Promise<void>;
}

/** The permissions of the caller, and what is done before the node starts. */
type Caller = { permissions: object } | { administrator: true; first?(tx: WriteTx): Promise<unknown> };

/** Writes the deployment file of a node on this database, in a folder of its own. */
export async function deploy(
  folder: string,
  { serviceUrl, ownerUrl }: FilledDatabase,
): Promise<{ PORTREEVE_CONFIG: string; PORTREEVE_PORT: string }> {
  const file = join(folder, 'portreeve.json');
  const keyFile = await ensureKeyFile(postgresFolder(checkout));
  const limits = { requestsPerSecond: 1_000_000, burst: 1_000_000, testsPerMinute: 10 };
  await writeFile(file, JSON.stringify({ databaseUrl: serviceUrl, ownerUrl, keyFile, limits, drainSeconds: 0 }), {
    mode: 0o600,
  });
  return { PORTREEVE_CONFIG: file, PORTREEVE_PORT: String(await freePort()) };
}

/** Creates two callers: the measured one, and one who may only view roles. */
async function issueTokens(environment: NodeJS.ProcessEnv, caller: Caller) {
  const mark = environment.PORTREEVE_PORT;
  return runOnce(await readConfig(environment), async (tx) => {
    if ('first' in caller) await caller.first?.(tx);
    const tokenFor = async (name: string, permissions?: object) => {
      if (permissions) await tx.records.create(adminProfile, { name, permissions });
      const profile = permissions ? name : 'System Administrator';
      const id = await createAdministrator(tx, { userID: name, password: 'correct-horse-battery', profile });
      return String((await issueToken(tx, id, { name })).token);
    };
    return {
      token: await tokenFor(`bench-caller ${mark}`, 'permissions' in caller ? caller.permissions : undefined),
      stranger: await tokenFor(`bench-stranger ${mark}`, { roles: { view: true } }),
    };
  });
}

/** Starts a node as in a deployment, in a separate process, with all features on; its log goes to a file. */
export async function startNode(
  database: FilledDatabase,
  caller: Caller,
  extraEnvironment: Readonly<Record<string, string>> = {},
): Promise<BenchNode> {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-bench-'));
  const environment = { ...(await deploy(folder, database)), ...extraEnvironment };
  const tokens = await issueTokens(environment, caller);
  const logFile = join(folder, 'node.log');
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [join(checkout, 'server/src/main.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  const close = async () => {
    await endProgram(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    while (!/Portreeve serves/.test(readFileSync(logFile, 'utf8'))) {
      if (child.exitCode !== null) throw new Error(`the node ended: ${readFileSync(logFile, 'utf8')}`);
      await sleep(20);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const logged = (group: string) => {
    const lines = readFileSync(logFile, 'latin1').split(`"operation":"${group}.`).length - 1;
    truncateSync(logFile);
    return lines;
  };
  return { pid: child.pid!, port: Number(environment.PORTREEVE_PORT), ...tokens, logged, close };
}
