import { createCipheriv, randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Client } from '../../test/world/client.ts';
import { emptyDatabase, type TestDatabase, testMasterKey } from '../../test/world/databases.ts';
import { openWorld } from '../../test/world/open-world.ts';
import { realProtocols, type World, world } from '../../test/world/world.ts';
import { deviceProfilingRule } from '../host/device-profiling-rule/device-profiling-rule.ts';
import { aaaServer } from '../integration/aaa-server/aaa-server.ts';
import { proxySettings } from '../integration/proxy-settings/proxy-settings.ts';
import { storedProxy } from '../integration/proxy-settings/stored-proxy.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { holderSecondsMax } from '../kernel/write/keyring.ts';
import { dataKeyOf, masterKeyId, readMasterKey, secretPlace, unwrapDataKeys } from '../kernel/write/secrets.ts';
import { readConfig } from './config.ts';
import { migrateDatabase, migrationsFolder } from './migrate-database.ts';
import { type RotationStep, rotateKeys } from './rotate-keys.ts';
import { serve } from './serve.ts';
import { type Service, startService } from './start-service.ts';

const folder = await mkdtemp(join(tmpdir(), 'portreeve-keys-'));
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
const keyFile = async (key: Buffer = randomBytes(32)): Promise<string> => {
  const file = join(folder, `${++files}.key`);
  await writeFile(file, `${key.toString('hex')}\n`, { mode: 0o600 });
  return file;
};

/** A cell whose nodes read their master key from one file, with the settings for a rotation. */
interface TestCell {
  testWorld: World;
  config: { databaseUrl: string; keyFile: string };
  nodes: readonly [Service, Service];
  admins: readonly [Client, Client];
}

async function cell(): Promise<TestCell> {
  const file = await keyFile(await testMasterKey());
  const testWorld = await world({ masterKey: () => readMasterKey(file) });
  // Started like a deployment, so that it loads a new key file by itself.
  const listeners = ['SIGTERM', 'SIGINT'].map((signal) => [signal, process.listeners(signal as 'SIGTERM')] as const);
  const { service: second } = await serve({
    ...(await readConfig({})),
    databaseUrl: testWorld.database.serviceUrl,
    keyFile: file,
    port: 0,
    limits: { requestsPerSecond: 1_000_000, burst: 1_000_000, testsPerMinute: 1_000, eventsPerSecond: 50 },
    logLevel: 'silent',
  });
  for (const [signal, existingListeners] of listeners)
    for (const addedListener of process
      .listeners(signal as 'SIGTERM')
      .filter((listener) => !existingListeners.includes(listener)))
      process.removeListener(signal, addedListener);
  afterAll(second.close);
  return {
    testWorld,
    config: { databaseUrl: testWorld.database.serviceUrl, keyFile: file },
    nodes: [testWorld.service, second],
    admins: [testWorld.admin, new Client(second.app, testWorld.admin.token)],
  };
}

const sshMethod = (password: string) => ({
  methodType: { shortName: 'SSH' },
  data: { userName: 'probe', password },
});

const ruleOf = (name: string, password: string) => ({
  name,
  type: { id: 1 },
  methods: [sshMethod(password)],
});

const query = async <R extends pg.QueryResultRow>(database: TestDatabase, text: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
};

const dataKeys = async ({ testWorld }: TestCell): Promise<number[]> =>
  (await query<{ id: number }>(testWorld.database, 'select id from data_key order by id')).map(({ id }) => id);

/** Returns the data keys with which secrets in the database are sealed. */
async function keysInUse({ testWorld }: TestCell): Promise<Set<number | undefined>> {
  const columns = await query<{ sealed: Buffer }>(
    testWorld.database,
    `select x.sealed from (
       select secret from aaa_server union all select check_password from aaa_server
       union all select http_proxy_password from proxy_settings union all select https_proxy_password from proxy_settings
     ) x(sealed) where x.sealed is not null`,
  );
  const cells = await query<{ text: string }>(
    testWorld.database,
    `select m #>> '{data,password}' as text from device_profiling_rule r, jsonb_array_elements(r.methods) m
     where coalesce(m #>> '{data,password}', '') <> ''`,
  );
  return new Set(
    [...columns.map(({ sealed }) => sealed), ...cells.map(({ text }) => Buffer.from(text, 'base64'))].map(dataKeyOf),
  );
}

const secretOf = async (admin: Client, id: number): Promise<string> => {
  const reply = await admin.get(`${aaaServer.path}/${id}/secret`);
  if (reply.code !== 200) throw new Error(`reading a secret answered ${reply.code}: ${reply.text}`);
  return String(reply.body.results![0]!.value);
};

async function openedRule({ nodes }: TestCell, id: number): Promise<string> {
  const { pool, engine } = nodes[1].runtime;
  const { rows } = await pool.query('select methods from device_profiling_rule where id = $1', [id]);
  const place = secretPlace('device_profiling_rule', 'methods', id);
  return engine.secrets.open(pool, Buffer.from(rows[0].methods[0].data.password, 'base64'), place);
}

/** Writes and reads secrets until `isOver` returns true. Every failure fails the test. */
async function busy(testCell: TestCell, name: string, isOver: () => boolean): Promise<number> {
  let [round, last] = [0, ''];
  const [firstAdmin, secondAdmin] = testCell.admins;
  const id = await firstAdmin.create(aaaServer, {
    name,
    netId: `192.0.2.${name.at(-1)}`,
    secret: `${name}-hush-first`,
  });
  const rule = await firstAdmin.create(deviceProfilingRule, ruleOf(name, `${name}-hush-first`));
  last = `${name}-hush-first`;
  while (!isOver()) {
    const [writer, reader] = ++round % 2 ? [secondAdmin, firstAdmin] : [firstAdmin, secondAdmin];
    const newSecret = `${name}-hush-${round}`;
    // Every third round changes other fields and not the secrets.
    const isKept = round % 3 === 0;
    const server = isKept ? { acctPort: 2_000 + (round % 1_000) } : { secret: newSecret };
    const methods = isKept ? [{ ...sshMethod('•••'), enabled: round % 2 === 0 }] : [sshMethod(newSecret)];
    for (const reply of [
      await writer.post(`${aaaServer.path}/${id}`, server),
      await writer.post(`${deviceProfilingRule.path}/${rule}`, { methods }),
    ])
      if (reply.code !== 200) throw new Error(`${name} in round ${round}: ${reply.code} ${reply.text}`);
    if (!isKept) last = newSecret;
    const readSecrets = [await secretOf(reader, id), await openedRule(testCell, rule)];
    if (readSecrets.some((text) => text !== last))
      throw new Error(`${name} wrote ${last} and read ${readSecrets.join(', ')}`);
  }
  return round;
}

const quietServer = (admins: readonly Client[], n: number): Promise<number> =>
  admins[n % 2]!.create(aaaServer, {
    name: `quiet-${n}`,
    netId: `198.51.100.${n % 250}`,
    authPort: 3_000 + n,
    secret: `hush-hush-${n}`,
  });

describe('a key rotation', () => {
  test('under load on two nodes loses no secret, leaves none under the old data key, and makes the old master key useless', async () => {
    const testCell = await cell();
    const { testWorld, config, admins } = testCell;
    const quiet: number[] = [];
    // In slices, because the number of waiting requests per caller is limited.
    for (let first = 0; first < 450; first += 90)
      quiet.push(...(await Promise.all(Array.from({ length: 90 }, (_, n) => quietServer(admins, first + n)))));
    await admins[0].post(proxySettings.path!, {
      httpProxyHost: 'proxy.example',
      httpProxyPort: 3128,
      httpProxyPassword: 'hush-proxy',
    });
    const [before] = await query(
      testWorld.database,
      `select (select count(*)::integer from audit_record) as audits, (select count(*)::integer from change_feed) as feed,
         (select sum(version)::integer from aaa_server where name like 'quiet-%') as versions`,
    );
    const oldMaster = await readMasterKey(config.keyFile);
    const newMaster = randomBytes(32);
    const newKeyFile = await keyFile(newMaster);

    let isOver = false;
    const writers = Promise.all(['w1', 'w2', 'w3', 'w4'].map((name) => busy(testCell, name, () => isOver)));
    // Awaited below; avoids an unhandledRejection until then.
    writers.catch(() => undefined);
    const steps = new Set<RotationStep>();
    const report = async ({ step, text }: { step: RotationStep; text: string }) => {
      // The operator installs the key on the nodes that are reported without it.
      if (step === 'wait' && !steps.has('wait')) {
        expect(text).toMatch(/^Waiting for the new key file on .+, .+\.$/);
        await writeFile(config.keyFile, `${newMaster.toString('hex')}\n`, { mode: 0o600 });
      }
      steps.add(step);
    };
    const rotated = await rotateKeys(config, newKeyFile, { report });
    expect([...steps]).toEqual(['wrap', 'wait', 'make', 'reseal', 'forget']);
    expect(rotated.dataKey).toBe(2);
    expect(rotated.resealed).toBeGreaterThanOrEqual(451);
    isOver = true;
    for (const rounds of await writers) expect(rounds).toBeGreaterThan(3);

    expect(await dataKeys(testCell)).toEqual([2]);
    expect(await keysInUse(testCell)).toEqual(new Set([2]));
    for (const n of [0, 7, 449]) expect(await secretOf(admins[n % 2]!, quiet[n]!)).toBe(`hush-hush-${n}`);
    expect((await storedProxy(testCell.nodes[1].runtime)).http?.password).toBe('hush-proxy');
    const { pool } = testWorld.service.runtime;
    expect((await unwrapDataKeys(pool, oldMaster)).keys.size).toBe(0);
    expect((await unwrapDataKeys(pool, newMaster)).locked).toEqual([]);

    const [after] = await query(
      testWorld.database,
      `select (select sum(version)::integer from aaa_server where name like 'quiet-%') as versions,
         (select count(*)::integer from change_feed f join aaa_server s on s.id = f.record_id and s.name like 'quiet-%'
          where f.table_name = 'aaa_server' and f.change = 'modified') as reported,
         (select count(*)::integer from audit_record where yams_event_tag = 'KEYS_ROTATED' and action = 'EXECUTE') as rotations,
         (select count(*)::integer from audit_record a join aaa_server s on s.id = a.live_dbid and s.name like 'quiet-%'
          where a.db_table_name = 'aaa_server' and a.action = 'MODIFY') as modified`,
    );
    expect(after).toEqual({ versions: before!.versions, reported: 0, rotations: 1, modified: 0 });

    await expect(
      startService({
        databaseUrl: config.databaseUrl,
        masterKey: oldMaster,
        parts: realProtocols(),
        jobs: 'none',
        limits: { requestsPerSecond: 1, burst: 1, testsPerMinute: 1 },
        logger: false,
      }),
    ).rejects.toThrow('The key file does not fit this database');
  });

  test('that is stopped after any step leaves every secret readable, and is completed by the next', async () => {
    const testCell = await cell();
    const { config, admins } = testCell;
    const id = await admins[0].create(aaaServer, { name: 'radius', netId: '192.0.2.1', secret: 'hush-hush-0' });
    const rule = await admins[0].create(deviceProfilingRule, ruleOf('by ssh', 'hush-rule'));
    for (const [round, step] of (['wrap', 'wait', 'make', 'reseal', 'forget'] as const).entries()) {
      const newMaster = randomBytes(32);
      const newKeyFile = await keyFile(newMaster);
      const crash = rotateKeys(config, newKeyFile, {
        report: async (progress) => {
          if (progress.step === 'wrap')
            await writeFile(config.keyFile, `${newMaster.toString('hex')}\n`, { mode: 0o600 });
          const isDone = progress.step !== 'wait' || progress.done === progress.total;
          if (progress.step === step && isDone) throw new Error(`crash after ${step}`);
        },
      });
      await expect(crash).rejects.toThrow(`crash after ${step}`);
      for (const admin of admins) expect(await secretOf(admin, id)).toBe(`hush-hush-${round}`);
      expect(await openedRule(testCell, rule)).toBe('hush-rule');
      expect((await admins[1].post(`${aaaServer.path}/${id}`, { secret: `hush-hush-${round + 1}` })).code).toBe(200);
      const { dataKey } = await rotateKeys(config, newKeyFile);
      expect(await dataKeys(testCell)).toEqual([dataKey]);
      expect(await keysInUse(testCell)).toEqual(new Set([dataKey]));
      for (const admin of admins) expect(await secretOf(admin, id)).toBe(`hush-hush-${round + 1}`);
    }
  });

  test('of the data key alone needs no new file, and continues an unfinished rotation', async () => {
    const testCell = await cell();
    const id = await testCell.admins[0].create(aaaServer, { name: 'radius', netId: '192.0.2.1', secret: 'hush-hush' });
    expect(await rotateKeys(testCell.config)).toEqual({ dataKey: 2, resealed: 1 });
    const crash = rotateKeys(testCell.config, undefined, {
      report: ({ step }) => {
        if (step === 'make') throw new Error('crash');
      },
    });
    await expect(crash).rejects.toThrow('crash');
    expect(await dataKeys(testCell)).toEqual([2, 3]);
    // A node that misses the notification loads the new key when it first needs it.
    expect((await testCell.admins[1].post(`${aaaServer.path}/${id}`, { secret: 'hush-hush-3' })).code).toBe(200);
    expect(await keysInUse(testCell)).toEqual(new Set([3]));
    expect(await secretOf(testCell.admins[0], id)).toBe('hush-hush-3');
    expect(await rotateKeys(testCell.config)).toEqual({ dataKey: 3, resealed: 0 });
    expect(await dataKeys(testCell)).toEqual([3]);
  });

  test('waits for running writes of secrets, and processes records again that changed meanwhile', async () => {
    const testCell = await cell();
    const [firstNode, secondNode] = testCell.nodes.map(({ runtime }) => runtime) as [
      Service['runtime'],
      Service['runtime'],
    ];
    const rule = await testCell.admins[0].create(deviceProfilingRule, ruleOf('by ssh', 'hush-rule'));
    const began = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const sealing = firstNode.transact(systemOrigin('test'), async ({ records }) => {
      const createdServer = await records.create(aaaServer, { name: 'slow', netId: '192.0.2.1', secret: 'hush-slow' });
      began.resolve();
      await mayEnd.promise;
      return createdServer.id;
    });
    await began.promise;
    const steps: RotationStep[] = [];
    let keeping: Promise<unknown> | undefined;
    const rotation = rotateKeys(testCell.config, undefined, {
      report: async ({ step }) => {
        steps.push(step);
        if (step !== 'make') return;
        // Locks the row and writes the stored secret again, under the old key, while the rotation reaches it.
        const locked = Promise.withResolvers<void>();
        keeping = secondNode.transact(systemOrigin('test'), async ({ records }) => {
          await records.update(deviceProfilingRule, rule, { methods: [{ ...sshMethod('•••'), enabled: false }] });
          locked.resolve();
          await sleep(300);
        });
        await locked.promise;
      },
    });
    await sleep(300);
    expect(steps).not.toContain('make');
    mayEnd.resolve();
    const id = await sealing;
    expect((await rotation).dataKey).toBe(2);
    await keeping;
    expect(await keysInUse(testCell)).toEqual(new Set([2]));
    expect(await secretOf(testCell.admins[1], id)).toBe('hush-slow');
    expect(await openedRule(testCell, rule)).toBe('hush-rule');
  });

  test('does not start without the key on every node, with a wrong key, or during another rotation', async () => {
    const testCell = await cell();
    const late = rotateKeys(testCell.config, await keyFile(), { waitSecondsMax: 0 });
    await expect(late).rejects.toThrow('did not load the new key file');
    await expect(rotateKeys({ ...testCell.config, keyFile: await keyFile() })).rejects.toThrow(
      'does not fit this database',
    );
    let second: Promise<unknown> | undefined;
    await rotateKeys(testCell.config, undefined, {
      report: async ({ step }) => {
        if (step !== 'wrap') return;
        second = rotateKeys(testCell.config);
        await expect(second).rejects.toThrow('Another key rotation is running');
      },
    });
    expect(second).toBeDefined();
    // The rotation does not wait for a node that was last seen too long ago.
    await query(
      testCell.testWorld.database,
      `insert into key_holder (node, master_id, seen_at) values ('gone', 'other', now() - make_interval(secs => $1))`,
      [holderSecondsMax + 1],
    );
    expect((await rotateKeys(testCell.config)).dataKey).toBe(3);
  });

  test('a database of an older release keeps its data key and gets the id of its master key', async () => {
    const before = join(folder, 'migrations');
    await mkdir(before);
    for (const file of (await readdir(migrationsFolder)).filter((name) => name < '0008'))
      await copyFile(join(migrationsFolder, file), join(before, file));
    const database = await emptyDatabase();
    onTestFinished(() => database.drop());
    await migrateDatabase(database.ownerUrl, before);
    const [master, key, nonce] = [await testMasterKey(), randomBytes(32), randomBytes(12)];
    const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(Buffer.from('data-key:1'));
    const body = Buffer.concat([cipher.update(key), cipher.final()]);
    const wrapped = Buffer.concat([nonce, cipher.getAuthTag(), body]);
    await query(database, 'insert into data_key (id, wrapped) values (1, $1)', [wrapped]);
    await migrateDatabase(database.ownerUrl);
    const { service } = await openWorld({ database });
    const { pool } = service.runtime;
    expect((await unwrapDataKeys(pool, master)).keys).toEqual(new Map([[1, key]]));
    expect((await pool.query('select master_id as id from data_key_wrapping')).rows).toEqual([
      { id: masterKeyId(master) },
    ]);
    await service.close();
  });
});
