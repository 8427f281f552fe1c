import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { catalogue } from '../catalogue.ts';
import type { Context } from '../context.ts';
import { connect } from '../kernel/database/connect.ts';
import { Session, sessionConfig } from '../kernel/database/session.ts';
import { inTransaction } from '../kernel/database/transaction.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { quoted, snakeCase } from '../kernel/declare/names.ts';
import type { Shape } from '../kernel/declare/shape.ts';
import type { Table } from '../kernel/model/model.ts';
import { holdsSecrets, replaceSecrets } from '../kernel/model/nested-secrets.ts';
import type { Resource } from '../kernel/operations/resource.ts';
import { holderSecondsMax } from '../kernel/write/keyring.ts';
import {
  dataKeyOf,
  masterKeyId,
  openWith,
  readMasterKey,
  type Seal,
  sealWith,
  secretPlace,
  unwrapDataKeys,
  wrapDataKey,
} from '../kernel/write/secrets.ts';
import { writeAudit } from '../logging/audit-log/audit-log.service.ts';
import type { Config } from './config.ts';
import { refuseOtherSchema } from './migrate-database.ts';
import { modelFor } from './start-service.ts';

/** The steps of a rotation in their order. Every secret is readable after each step, and each step can be repeated. */
export type RotationStep = 'wrap' | 'wait' | 'make' | 'reseal' | 'forget';

export interface RotationProgress {
  step: RotationStep;
  done: number;
  total: number;
  /** One sentence for the operator. */
  text: string;
}

export interface RotationOptions {
  report?: (progress: RotationProgress) => void | Promise<void>;
  /** Seconds that nodes may take to load the new master key. */
  waitSecondsMax?: number;
  groups?: readonly Resource<Context>[];
}

export interface Rotated {
  dataKey: number;
  /** Records whose secrets were re-encrypted. */
  resealed: number;
}

const waitSecondsDefault = 600;
const batchRows = 200;
const triesMax = 10;
/** A time limit for the statement or the lock, or a deadlock. */
const lockErrorCodes = new Set(['57014', '55P03', '40P01']);

/**
 * Replaces the data key of a cell, and with `newKeyFile` also the master key, while nodes run. An interrupted rotation is started again. The
 * new data key is wrapped only with the new master key, so secrets that are sealed afterwards cannot be opened with an older one.
 */
export async function rotateKeys(
  config: Pick<Config, 'databaseUrl' | 'keyFile'>,
  newKeyFile?: string,
  options: RotationOptions = {},
): Promise<Rotated> {
  const [currentMasterKey, newMasterKey] = await Promise.all(
    [config.keyFile, newKeyFile ?? config.keyFile].map(readMasterKey),
  );
  await refuseOtherSchema(config.databaseUrl);
  const pool = connect({ url: config.databaseUrl, connectionsMax: 2 });
  try {
    return await withRotationLock(config.databaseUrl, () =>
      new Rotation(pool, currentMasterKey!, newMasterKey!, options).run(),
    );
  } finally {
    await pool.end();
  }
}

/** Runs a rotation under a lock, because two rotations would delete each other's keys. It is a session lock, so a crash releases it. */
async function withRotationLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new Session({ ...sessionConfig(url), application_name: 'portreeve-rotation', keepAlive: true });
  await client.connect();
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  try {
    const { rows } = await client.query<{ free: boolean }>(
      `select pg_try_advisory_lock(hashtext('portreeve-rotation')) as free`,
    );
    if (!rows[0]!.free) throw new Error('Another key rotation is running; wait until it has ended.');
    const result = await work();
    if (lost) throw lost;
    return result;
  } finally {
    await client.end().catch(() => undefined);
  }
}

class Rotation {
  readonly #pool: pg.Pool;
  readonly #currentMasterKey: Buffer;
  readonly #newMasterKey: Buffer;
  readonly #options: RotationOptions;
  readonly #sealed: readonly SealedTable[];
  readonly #keys = new Map<number, Buffer>();

  constructor(pool: pg.Pool, currentMasterKey: Buffer, newMasterKey: Buffer, options: RotationOptions) {
    this.#pool = pool;
    this.#currentMasterKey = currentMasterKey;
    this.#newMasterKey = newMasterKey;
    this.#options = options;
    this.#sealed = modelFor(options.groups ?? catalogue).tables.flatMap(sealedTable);
  }

  async run(): Promise<Rotated> {
    await this.#wrapDataKeys();
    await this.#report('wrap', 1, 1, 'All data keys are wrapped with the new master key.');
    await this.#waitForNodes();
    const id = await this.#makeDataKey();
    await this.#report('make', 1, 1, `Secrets are sealed with data key ${id} from now on.`);
    const resealed = await this.#resealAll(id);
    await this.#deleteOldKeys(id, resealed);
    await this.#report('forget', 1, 1, `Data key ${id} is the only one left.`);
    return { dataKey: id, resealed };
  }

  async #report(step: RotationStep, done: number, total: number, text: string): Promise<void> {
    await this.#options.report?.({ step, done, total, text });
  }

  /** Wraps all data keys with the new master key, so that nodes with the new key file can start. */
  async #wrapDataKeys(): Promise<void> {
    const [byWanted, byCurrent] = [
      await unwrapDataKeys(this.#pool, this.#newMasterKey),
      await unwrapDataKeys(this.#pool, this.#currentMasterKey),
    ];
    if (byWanted.keys.size + byWanted.locked.length === 0)
      throw new Error('The database has no data key yet; there is nothing to rotate.');
    for (const [id, key] of [...byCurrent.keys, ...byWanted.keys]) this.#keys.set(id, key);
    const lost = byWanted.locked.filter((id) => !this.#keys.has(id));
    if (lost.length > 0)
      throw new Error(
        'The key file does not fit this database: its data keys were wrapped with another master key. To resume an unfinished rotation, use its new key file.',
      );
    await inTransaction(this.#pool, async (client) => {
      for (const [id, key] of this.#keys) await wrapDataKey(client, id, key, this.#newMasterKey);
    });
  }

  async #waitForNodes(): Promise<void> {
    const endMs = performance.now() + (this.#options.waitSecondsMax ?? waitSecondsDefault) * 1_000;
    for (;;) {
      const nodes = await this.#nodes(this.#pool);
      const late = nodesWithoutKey(nodes);
      const text = late.length > 0 ? `Waiting for the new key file on ${late.join(', ')}.` : 'Every node has the key.';
      await this.#report('wait', nodes.length - late.length, nodes.length, text);
      if (late.length === 0) return;
      if (performance.now() > endMs)
        throw new Error(
          `${late.join(', ')} did not load the new key file; replace the old one there, and start the rotation again.`,
        );
      await sleep(500);
    }
  }

  async #nodes(sql: Pick<pg.Pool, 'query'> | pg.PoolClient): Promise<Node[]> {
    const { rows } = await sql.query<Node>(
      `select h.node as name, h.master_id = $1 as "isReady" from key_holder h
       where h.seen_at > now() - make_interval(secs => $2) order by h.node`,
      [masterKeyId(this.#newMasterKey), holderSecondsMax],
    );
    return rows;
  }

  /** Creates a data key, or returns that of an unfinished rotation. */
  async #makeDataKey(): Promise<number> {
    const id = await this.#withSealingLocked(async (client) => {
      // Checked again under the lock: a node that started meanwhile is either found here, or finds the new key.
      const late = nodesWithoutKey(await this.#nodes(client));
      if (late.length > 0)
        throw new Error(`${late.join(', ')} joined with another key file; start the rotation again.`);
      const { rows } = await client.query<{ id: number; isLeft: boolean }>(
        `select d.id, count(*) over () > 1 and not exists (
             select from data_key_wrapping w where w.data_key_id = d.id and w.master_id <> $1
           ) as "isLeft"
         from data_key d order by d.id desc limit 1`,
        [masterKeyId(this.#newMasterKey)],
      );
      const newest = rows[0]!;
      if (newest.isLeft) return newest.id;
      const newId = newest.id + 1;
      const key = randomBytes(32);
      await client.query('insert into data_key (id) values ($1)', [newId]);
      await wrapDataKey(client, newId, key, this.#newMasterKey);
      return newId;
    });
    const { keys } = await unwrapDataKeys(this.#pool, this.#newMasterKey);
    for (const [keyId, key] of keys) this.#keys.set(keyId, key);
    return id;
  }

  /** Waits until no write seals a secret, and blocks such writes until the end of the transaction. */
  async #withSealingLocked<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(this.#pool, async (client) => {
          // Other writes queue behind this lock request, so several short attempts are better than a long one.
          await client.query('set local lock_timeout = 2000');
          await client.query(`select pg_advisory_xact_lock(hashtext('portreeve-sealing'))`);
          return work(client);
        });
      } catch (error) {
        if ((error as { code?: string }).code !== '55P03' || tries === triesMax) throw error;
        await sleep(500);
      }
    }
  }

  /** Repeats passes over all tables until one finds no old secret. Records that change during a pass are handled by the next one. */
  async #resealAll(id: number): Promise<number> {
    const seal = sealWith(id, this.#keys.get(id)!);
    const client = await this.#pool.connect();
    try {
      await client.query(`set portreeve.resealing = 'on'`);
      let resealed = 0;
      for (let pass = 1; pass <= triesMax; pass++) {
        const staleRecords = await this.#pass(client, id, seal, (count) => {
          resealed += count;
        });
        if (staleRecords === 0) return resealed;
      }
      throw new Error(
        'Some records changed during every attempt to re-encrypt their secrets; start the rotation again.',
      );
    } finally {
      // The connection is discarded, because the setting applies to its session.
      client.release(true);
    }
  }

  /** Re-encrypts secrets in all tables once. Returns how many records had secrets under another key. */
  async #pass(client: pg.PoolClient, id: number, seal: Seal, note: (resealed: number) => void): Promise<number> {
    let [staleRecords, done, total] = [0, 0, 0];
    for (const { countSql } of this.#sealed) total += (await client.query<{ rows: number }>(countSql)).rows[0]!.rows;
    for (const table of this.#sealed) {
      for (let after = 0; ; ) {
        const { rows } = await client.query<SealedRow>(table.pageSql, [after]);
        for (const row of rows) {
          const changes = this.#changesOf(table, row, id, seal);
          if (changes.length === 0) continue;
          staleRecords++;
          note(await replace(client, table.name, row.id, changes));
        }
        done += rows.length;
        await this.#report('reseal', done, Math.max(done, total), `Re-encrypting the secrets of ${table.title}.`);
        if (rows.length < batchRows) break;
        after = rows.at(-1)!.id;
      }
    }
    return staleRecords;
  }

  #changesOf(table: SealedTable, row: SealedRow, id: number, seal: Seal): Change[] {
    return table.columns.flatMap(({ column, inner }, index): Change[] => {
      const stored = row.cells[index] ?? null;
      if (stored === null) return [];
      const place = secretPlace(table.name, column, row.id);
      const renewed = (sealed: Buffer) => (dataKeyOf(sealed) === id ? sealed : seal(this.#open(sealed, place), place));
      if (!inner) {
        const sealed = Buffer.from(stored, 'hex');
        const after = renewed(sealed);
        return after === sealed ? [] : [{ column, before: sealed, after }];
      }
      let isChanged = false;
      const after = replaceSecrets(inner, JSON.parse(stored), undefined, (text) => {
        const sealed = Buffer.from(text, 'base64');
        const again = renewed(sealed);
        isChanged ||= again !== sealed;
        return again.toString('base64');
      });
      return isChanged ? [{ column, before: stored, after: JSON.stringify(after) }] : [];
    });
  }

  #open(sealed: Buffer, place: string): string {
    const key = this.#keys.get(dataKeyOf(sealed) ?? 0);
    if (!key)
      throw new Error(
        `The secret of ${place} was encrypted with a data key that no longer exists; set the secret again.`,
      );
    try {
      return openWith(key, sealed, place);
    } catch (cause) {
      throw new Error(
        `The secret of ${place} cannot be decrypted: it was damaged, or copied from another record; set the secret again.`,
        {
          cause,
        },
      );
    }
  }

  /** Deletes the other data keys and their wrappings, and writes the audit row of the rotation. */
  async #deleteOldKeys(id: number, resealed: number): Promise<void> {
    await inTransaction(this.#pool, async (client) => {
      // Only older keys: if this rotation lost its lock and another one started, the key of that one must stay.
      const { rows } = await client.query<{ id: number }>('delete from data_key where id < $1 returning id', [id]);
      await client.query(`delete from key_holder where seen_at < now() - interval '1 day'`);
      const deletedIds = rows.map((row) => row.id).sort((a, b) => a - b);
      const summary = `data key ${deletedIds.join(', ')} replaced by ${id}, master key ${masterKeyId(this.#currentMasterKey)} by ${masterKeyId(this.#newMasterKey)}, ${resealed} records re-encrypted`;
      const entry = { table: 'data_key', recordId: id, recordName: `data key ${id}`, eventTag: 'KEYS_ROTATED' };
      await writeAudit(client, systemOrigin('command line'), [{ ...entry, action: 'EXECUTE', summary, changes: [] }]);
    });
  }
}

interface Node {
  name: string;
  isReady: boolean;
}

const nodesWithoutKey = (nodes: readonly Node[]): string[] =>
  nodes.filter(({ isReady }) => !isReady).map(({ name }) => name);

/** A table with sealed columns, or with JSON cells that have sealed texts inside. */
interface SealedTable {
  name: string;
  title: string;
  columns: readonly { column: string; inner: Shape | undefined }[];
  pageSql: string;
  countSql: string;
}

interface SealedRow {
  id: number;
  /** Columns in hexadecimal digits, cells as their JSON text. */
  cells: (string | null)[];
}

interface Change {
  column: string;
  before: Buffer | string;
  after: Buffer | string;
}

function sealedTable({ name, fields, declaration }: Table): SealedTable[] {
  const columns = [...fields]
    .filter(([, { access, stored, shape }]) => access === 'secret' || (stored && holdsSecrets(shape)))
    .map(([field, { access, shape }]) => ({
      column: snakeCase(field),
      inner: access === 'secret' ? undefined : shape,
    }));
  if (columns.length === 0) return [];
  const cells = columns.map(({ column, inner }) =>
    inner ? `r.${quoted(column)}::text` : `encode(r.${quoted(column)}, 'hex')`,
  );
  const isAny = columns.map(({ column }) => `r.${quoted(column)} is not null`).join(' or ');
  return [
    {
      name,
      title: declaration.title,
      columns,
      pageSql: `select r.id, array[${cells.join(', ')}] as cells from ${quoted(name)} r
        where r.id > $1 and (${isAny}) order by r.id limit ${batchRows}`,
      countSql: `select count(*)::integer as rows from ${quoted(name)} r where ${isAny}`,
    },
  ];
}

/** Updates one record per statement, so that its row is locked only briefly. Changes nothing if the record has changed meanwhile. */
async function replace(client: pg.PoolClient, table: string, id: number, changes: readonly Change[]): Promise<number> {
  const sets = changes.map(({ column }, index) => `${quoted(column)} = $${index + 2}`);
  const unchanged = changes.map(({ column }, index) => `${quoted(column)} = $${index + 2 + changes.length}`);
  try {
    const { rowCount } = await client.query(
      `update ${quoted(table)} set ${sets.join(', ')} where id = $1 and ${unchanged.join(' and ')}`,
      [id, ...changes.map(({ after }) => after), ...changes.map(({ before }) => before)],
    );
    return rowCount ?? 0;
  } catch (error) {
    // Another transaction has locked the row. Nothing was written, and the next pass tries again.
    if (lockErrorCodes.has((error as { code?: string }).code ?? '')) return 0;
    throw error;
  }
}
