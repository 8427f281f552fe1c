import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '../../src/auth/password.ts';
import { issueToken } from '../../src/auth/tokens.ts';
import type { Protocols } from '../../src/context.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import type { WriteTx } from '../../src/kernel/write/runtime.ts';
import { openProtocols } from '../../src/node/open-protocols.ts';
import { type Service, type ServiceOptions, startService } from '../../src/node/start-service.ts';
import { outboundGuard } from '../../src/protocols/outbound/outbound.ts';
import { probeGuard } from '../../src/protocols/outbound/probe-guard.ts';
import { adminProfile } from '../../src/user/admin-profile/admin-profile.ts';
import { userAccount } from '../../src/user/user-account/user-account.ts';
import { Client } from './client.ts';
import { migratedDatabase, type TestDatabase, testMasterKey } from './databases.ts';

/** A running service on a database of its own, and administrators to call it. */
export interface World {
  service: Service;
  database: TestDatabase;
  /** An administrator with all permissions. */
  admin: Client;
  /** Lines that the service logged. */
  logged: string[];
  /** Creates another caller, with these rights only. */
  caller(grants: Record<string, string[]>): Promise<Client & { accountId: number }>;
}

/** Networks that tests may send packets to. */
export const loopback: readonly string[] = ['127.0.0.0/8', '::1/128'];
/**
 * Returns the protocols of a deployment, limited to loopback, where the testbed runs. The check before work is started
 * permits the documentation addresses that test records have; the check of each packet does not.
 */
export const realProtocols = (): Protocols => ({
  ...openProtocols(probeGuard({ allow: [], refuse: [], networks: loopback }), outboundGuard({ allow: [], refuse: [] })),
  probes: probeGuard({ allow: [], refuse: [], networks: ['0.0.0.0/0', '::/0'] }),
});

export interface WorldOptions
  extends Partial<
    Pick<
      ServiceOptions,
      | 'masterKey'
      | 'jobs'
      | 'traps'
      | 'selfMonitorMs'
      | 'archiveFolder'
      | 'consoleFolder'
      | 'limits'
      | 'searchMs'
      | 'comparedInRequestMax'
      | 'overlay'
      | 'monotonicMs'
      | 'connectionsMax'
      | 'tracesUrl'
      | 'connections'
      | 'https'
      | 'publicOrigin'
      | 'node'
      | 'radius'
    >
  > {
  database?: TestDatabase;
  /** Protocols that replace the usual ones. */
  parts?: Partial<Protocols>;
}

const archiveFolderOf = (database: TestDatabase): string => join(tmpdir(), `portreeve-archives-${database.name}`);

/** Starts a node on a database; several may share one. */
export async function openNode(
  { database, ...options }: WorldOptions & { database: TestDatabase },
  logged: string[] = [],
): Promise<Service> {
  return startService({
    databaseUrl: database.serviceUrl,
    masterKey: await testMasterKey(),
    jobs: 'none',
    // Created by the first archive.
    archiveFolder: archiveFolderOf(database),
    limits: { requestsPerSecond: 1_000_000, burst: 1_000_000, testsPerMinute: 1_000 },
    // Long enough for a busy machine.
    searchMs: 30_000,
    logger: { level: 'info', stream: { write: (line) => void logged.push(line) } },
    onError: (error) => void logged.push(JSON.stringify({ level: 40, msg: error.message })),
    ...options,
    parts: { ...realProtocols(), ...options.parts },
  });
}

/** All callers have the same password, hashed once because hashing is slow. */
let passwordHash: Promise<string> | undefined;

async function administratorOf({ client, records }: WriteTx, userID: string, profile: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>('select id from admin_profile where name = $1', [profile]);
  const { id } = await records.create(userAccount, { userID, adminProfileDBID: rows[0]!.id });
  passwordHash ??= hashPassword('correct-horse-battery');
  await client.query('insert into password (account_id, hash) values ($1, $2)', [id, await passwordHash]);
  return id;
}

/** Opens a test world; the caller closes it. */
export async function openWorld(options: WorldOptions = {}): Promise<World & { close(): Promise<void> }> {
  const database = options.database ?? (await migratedDatabase());
  const logged: string[] = [];
  const service = await openNode({ ...options, database }, logged);
  let accounts = 0;
  const transact = <T>(work: (tx: WriteTx) => Promise<T>) => service.runtime.transact(systemOrigin('test'), work);
  const callerOf = async (profile: string) => {
    const userID = `${profile.toLowerCase().replaceAll(' ', '-')}-${++accounts}`;
    return transact(async (tx) => {
      const accountId = await administratorOf(tx, userID, profile);
      const { token } = await issueToken(tx, accountId, { name: userID });
      return Object.assign(new Client(service.app, token as string), { accountId });
    });
  };
  return {
    service,
    database,
    logged,
    admin: await callerOf('System Administrator'),
    async caller(grants) {
      const name = `profile ${++accounts}`;
      const granted = Object.entries(grants).map(([key, verbs]) => [
        key,
        Object.fromEntries(verbs.map((verb) => [verb, true])),
      ]);
      await transact((tx) => tx.records.create(adminProfile, { name, permissions: Object.fromEntries(granted) }));
      return callerOf(name);
    },
    async close() {
      await service.close();
      await database.drop();
      await rm(options.archiveFolder ?? archiveFolderOf(database), { recursive: true, force: true });
    },
  };
}
