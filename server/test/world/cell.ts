import { randomBytes } from 'node:crypto';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cell, type CellGround, type CellNode, startCell } from '@portreeve/testbed/cell.ts';
import pg from 'pg';
import { createAdministrator } from '../../src/auth/account.ts';
import { issueToken } from '../../src/auth/tokens.ts';
import { catalogue } from '../../src/catalogue.ts';
import type { Context } from '../../src/context.ts';
import { tableOf } from '../../src/kernel/declare/declaration.ts';
import type { Resource } from '../../src/kernel/operations/resource.ts';
import type { WriteTx } from '../../src/kernel/write/runtime.ts';
import { type Config, readConfig } from '../../src/node/config.ts';
import { ensureDatabase, migrateDatabase } from '../../src/node/migrate-database.ts';
import { runOnce } from '../../src/node/run-once.ts';
import { modelFor } from '../../src/node/start-service.ts';
import { runScript, schemaDrift } from '../surface/schema-drift.ts';
import { NodeClient } from './node-client.ts';

/** A cell of real processes with an administrator to call its nodes. */
export interface ServedCell extends Omit<Cell, 'stop'> {
  /** Calls a node as the administrator. */
  client(node: CellNode): NodeClient;
  /** The administrator's name in the audit log. */
  userID: string;
  /** The database as its superuser, to read the stored state and the sessions of the nodes. */
  sql: pg.Pool;
  close(): Promise<void>;
}

export const serverMain = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

const userID = 'cell-admin';
/** Long enough that every client notices it with its next request. */
const drainSeconds = 0.5;

/** Opens a cell whose nodes run `program`, with the tables of resources that are not in the catalogue. */
export async function openCell(options: {
  nodes: number;
  program?: string;
  groups?: readonly Resource<Context>[];
  /** Settings of the nodes, in addition to those of every cell. */
  settings?: Partial<Config>;
  environment?: Readonly<Record<string, string>>;
  /** The environment of one node, by its port. */
  environmentOf?(port: number): Readonly<Record<string, string>>;
  /** The nodes also have the address of a second database server, where a standby may be started. */
  standbyPort?: number;
  /** Returns another address by which the nodes reach the database. */
  addressOf?(serviceUrl: string): Promise<string>;
  lifeSeconds?: number;
  /** Each node receives traps at the UDP port with the number of its own port. */
  hearsTraps?: boolean;
  /** Fills the database before the first node starts. */
  fill?(tx: WriteTx): Promise<void>;
}): Promise<ServedCell> {
  let token = '';
  const cell = await startCell({
    nodes: options.nodes,
    program: options.program ?? serverMain,
    readyWhen: 'Portreeve serves',
    ...(options.lifeSeconds && { lifeSeconds: options.lifeSeconds }),
    async prepare(ground) {
      await ensureDatabase(ground.ownerUrl);
      await migrateDatabase(ground.ownerUrl);
      if (options.groups) await addTables(ground, options.groups);
      const { standbyPort } = options;
      const databaseUrl =
        (await options.addressOf?.(ground.serviceUrl)) ??
        ground.serviceUrl.replace(/@([^/]+)/, standbyPort ? `@$1,127.0.0.1:${standbyPort}` : '@$1');
      const file = await writeConfig(ground, { databaseUrl, ...options.settings });
      token = await runOnce(await readConfig({ PORTREEVE_CONFIG: file }), async (tx) => {
        const id = await createAdministrator(tx, {
          userID,
          password: 'correct-horse-battery',
          profile: 'System Administrator',
        });
        await options.fill?.(tx);
        return String((await issueToken(tx, id, { name: userID })).token);
      });
      return (port) => ({
        PORTREEVE_CONFIG: file,
        PORTREEVE_PORT: String(port),
        ...(options.hearsTraps && { PORTREEVE_TRAP_HOST: '127.0.0.1', PORTREEVE_TRAP_PORT: String(port) }),
        NODE_COMPILE_CACHE: join(ground.folder, 'cache'),
        HOME: ground.folder,
        // The values that cli/portreeve sets.
        MALLOC_ARENA_MAX: '2',
        MALLOC_MMAP_THRESHOLD_: '65536',
        MALLOC_TRIM_THRESHOLD_: '131072',
        ...options.environment,
        ...options.environmentOf?.(port),
      });
    },
  });
  const url = new URL(cell.ownerUrl);
  url.username = 'postgres';
  const sql = new pg.Pool({ connectionString: url.href, max: 4, application_name: 'cell-observer' });
  // Some trials kill PostgreSQL during its sessions.
  sql.on('error', () => undefined);
  sql.on('connect', (client) => client.on('error', () => undefined));
  const clients = new Map(cell.nodes.map((node) => [node.name, new NodeClient(node.port, token)]));
  return {
    ...cell,
    sql,
    userID,
    client: (node) => clients.get(node.name)!,
    async close() {
      for (const client of clients.values()) client.close();
      await sql.end();
      await cell.stop();
    },
  };
}

async function addTables({ ownerUrl, serviceUrl }: CellGround, groups: readonly Resource<Context>[]): Promise<void> {
  const database = { name: 'portreeve', ownerUrl, serviceUrl, drop: async () => undefined };
  const tables = groups.map(({ declaration }) => tableOf(declaration));
  const missing = await schemaDrift(modelFor([...catalogue, ...groups]), database, tables);
  await runScript(database, missing.join('\n'));
}

/** Writes the deployment file of every node, without rate limits, because the load comes from one token. */
async function writeConfig(
  { folder, owner, ownerUrl, serviceUrl }: CellGround,
  settings: Partial<Config> = {},
): Promise<string> {
  const [file, keyFile] = [join(folder, 'portreeve.json'), join(folder, 'master.key')];
  const config = {
    databaseUrl: serviceUrl,
    ownerUrl,
    keyFile,
    archiveFolder: join(folder, 'archives'),
    limits: { requestsPerSecond: 1_000_000, burst: 1_000_000, testsPerMinute: 10 },
    logLevel: 'warn',
    probeNetworks: ['127.0.0.0/8', '::1/128'],
    drainSeconds,
    ...settings,
  };
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  await writeFile(keyFile, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  if (owner) await Promise.all([file, keyFile].map((path) => chown(path, owner.uid, owner.gid)));
  return file;
}
