import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Sql } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import {
  dataKeyOf,
  loadDataKeys,
  makeFirstDataKey,
  masterKeyId,
  openWith,
  type Seal,
  type Secrets,
  sealWith,
  unwrapDataKeys,
} from './secrets.ts';

const pollMs = 1_000;
/** A deleted key stays cached this long: a secret may have been read just before it was re-encrypted. */
const graceMs = 300_000;

/** After this long without a report from a node, a key rotation treats it as stopped. */
export const holderSecondsMax = 15;

export interface KeyringOptions {
  pool: pg.Pool;
  /** Called repeatedly, so that another key file is used without a restart. */
  masterKey: () => Promise<Buffer>;
  onError(error: Error): void;
}

interface CachedDataKey {
  key: Buffer;
  /** When the key was last found in the database. */
  foundMs: number;
}

/**
 * The data keys of one node. Reads from the database which key to encrypt with, in the transaction that encrypts; loads an unknown key
 * when it is needed, and new keys every second; and reports to the database which master key this node has.
 */
export class Keyring implements Secrets {
  readonly #options: KeyringOptions;
  readonly #node = `${hostname()} ${randomUUID().slice(0, 8)}`;
  readonly #keys = new Map<number, CachedDataKey>();
  #masterKey: Buffer;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #lastFault = '';

  private constructor(options: KeyringOptions, masterKey: Buffer) {
    this.#options = options;
    this.#masterKey = masterKey;
  }

  /** Loads the data keys, making the first one on a fresh database. */
  static async open(options: KeyringOptions): Promise<Keyring> {
    const masterKey = await options.masterKey();
    const ring = new Keyring(options, masterKey);
    await makeFirstDataKey(options.pool, masterKey);
    await ring.#load(masterKey);
    return ring;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#polling ??= this.#poll().finally(() => {
        this.#polling = undefined;
      });
    }, pollMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
    // If this fails, the entry of this node expires by itself.
    await this.#options.pool.query('delete from key_holder where node = $1', [this.#node]).catch(() => undefined);
  }

  async sealer(tx: Sql): Promise<Seal> {
    const { rows } = await tx.query<{ id: number }>('select sealing_key() as id');
    const { id } = rows[0]!;
    return sealWith(id, await this.#key(tx, id, 'A secret is to be'));
  }

  async open(sql: Sql, sealed: Buffer, place: string): Promise<string> {
    const id = dataKeyOf(sealed);
    if (id === undefined) throw new Error(`the stored secret of ${place} is not encrypted`);
    return openWith(await this.#key(sql, id, `A secret of ${place} was`), sealed, place);
  }

  async #key(sql: Sql, id: number, what: string): Promise<Buffer> {
    const cachedKey = this.#keys.get(id);
    if (cachedKey) return cachedKey.key;
    // Uses the session that waits: if each took a second session from the pool, all could wait for each other.
    await this.#unwrapKeys(sql, this.#masterKey);
    if (!this.#keys.has(id)) {
      const masterKey = await this.#options.masterKey();
      if (!masterKey.equals(this.#masterKey)) await this.#unwrapKeys(sql, masterKey);
    }
    const loadedKey = this.#keys.get(id);
    if (!loadedKey)
      throw new Error(`${what} sealed with data key ${id}, which this node's master key does not unwrap.`);
    return loadedKey.key;
  }

  async #unwrapKeys(sql: Sql, masterKey: Buffer): Promise<void> {
    this.#cacheKeys((await unwrapDataKeys(sql, masterKey)).keys);
  }

  #cacheKeys(keys: ReadonlyMap<number, Buffer>): void {
    const foundMs = performance.now();
    for (const [id, key] of keys) this.#keys.set(id, { key, foundMs });
  }

  /**
   * Loads the keys and reports which master key decrypted them, in one transaction that excludes the creation of a key: a rotation sees
   * this node, or this node sees the new key.
   */
  async #load(masterKey: Buffer): Promise<void> {
    const keys = await inTransaction(this.#options.pool, async (client) => {
      await client.query('select sealing_key()');
      const loaded = await loadDataKeys(client, masterKey);
      await client.query(
        `insert into key_holder (node, master_id) values ($1, $2)
         on conflict (node) do update set master_id = excluded.master_id, seen_at = now()`,
        [this.#node, masterKeyId(masterKey)],
      );
      return loaded;
    });
    this.#masterKey = masterKey;
    this.#cacheKeys(keys);
  }

  async #poll(): Promise<void> {
    let fault = '';
    try {
      const masterKey = await this.#readMasterKey();
      if (masterKey instanceof Error) fault = masterKey.message;
      await this.#load(masterKey instanceof Error ? this.#masterKey : masterKey);
      const oldestMs = performance.now() - graceMs;
      for (const [id, { foundMs }] of this.#keys) if (foundMs < oldestMs) this.#keys.delete(id);
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
    // Loaded keys stay usable; the same error is logged once, not every second.
    if (fault !== '' && fault !== this.#lastFault) this.#options.onError(new Error(fault));
    this.#lastFault = fault;
  }

  /**
   * Returns the master key of the file if it unwraps every data key of the database; otherwise the reason, and the key
   * in use stays.
   */
  async #readMasterKey(): Promise<Buffer | Error> {
    try {
      const masterKey = await this.#options.masterKey();
      if (masterKey.equals(this.#masterKey)) return masterKey;
      const { locked } = await unwrapDataKeys(this.#options.pool, masterKey);
      if (locked.length === 0) return masterKey;
      return new Error(
        'The key file contains a master key that does not belong to this database; the previous one stays in use.',
      );
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
