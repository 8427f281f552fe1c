import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Sql } from '../database/connect.ts';
import { quoted, snakeCase } from '../declare/names.ts';
import { Failure, notFound } from '../failure.ts';
import type { Table } from '../model/model.ts';

const nonceBytes = 12;
const tagBytes = 16;
const formatVersion = 1;
const headerBytes = 5;

/** Encrypts a text with one data key. `place` binds it to its row and column: a ciphertext copied to another place cannot be decrypted. */
export type Seal = (text: string, place: string) => Buffer;

/**
 * Encrypts secret fields with a data key of the cell. The data keys are stored in the database, wrapped by a master key in a file
 * outside it, so a database dump reveals no secret.
 */
export interface Secrets {
  /** Returns the function that encrypts in this transaction; no newer key is created until it ends. */
  sealer(tx: Sql): Promise<Seal>;
  /** Loads the key through `sql` if this node does not have it yet. */
  open(sql: Sql, sealed: Buffer, place: string): Promise<string>;
}

/** Reads the master key: 32 bytes, as 64 hexadecimal digits in a file that only the service can read. */
export async function readMasterKey(file: string): Promise<Buffer> {
  let text: string;
  let mode: number;
  try {
    [text, { mode }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
  } catch (cause) {
    throw new Error(`The key file ${file} cannot be read; create one with 'portreeve keys create'.`, { cause });
  }
  if (mode & 0o077)
    throw new Error(`The key file ${file} can be read by users other than its owner; set its mode to 600.`);
  if (!/^[0-9a-f]{64}\s*$/.test(text))
    throw new Error(`The key file ${file} must hold 64 hexadecimal digits and nothing else.`);
  return Buffer.from(text.trim(), 'hex');
}

/** Identifies the wrappings of a master key; the key cannot be derived from it. */
export const masterKeyId = (masterKey: Buffer): string =>
  createHmac('sha256', masterKey).update('portreeve master key').digest('hex').slice(0, 16);

/** Id of wrappings created before master keys had an id. */
const unnamed = '';

/** Returns the data keys that a master key unwraps, and those that it does not; a fresh database has none. */
export async function unwrapDataKeys(
  sql: Sql,
  masterKey: Buffer,
): Promise<{ keys: Map<number, Buffer>; locked: number[] }> {
  const { rows } = await sql.query<{ id: number; wrapped: Buffer | null }>(
    `select d.id, w.wrapped
     from data_key d
     left join lateral (
       select x.wrapped from data_key_wrapping x
       where x.data_key_id = d.id and x.master_id in ($1, '${unnamed}')
       order by x.master_id desc
       limit 1
     ) w on true
     order by d.id`,
    [masterKeyId(masterKey)],
  );
  const keys = new Map<number, Buffer>();
  const locked: number[] = [];
  for (const { id, wrapped } of rows) {
    const key = wrapped && tryDecrypt(masterKey, wrapped, keyPlace(id));
    if (key) keys.set(id, key);
    else locked.push(id);
  }
  return { keys, locked };
}

/** Wraps a data key with one more master key. */
export async function wrapDataKey(sql: Sql, id: number, key: Buffer, masterKey: Buffer): Promise<void> {
  await sql.query(
    'insert into data_key_wrapping (data_key_id, master_id, wrapped) values ($1, $2, $3) on conflict do nothing',
    [id, masterKeyId(masterKey), encrypt(masterKey, key, keyPlace(id))],
  );
}

/** Creates the first data key of a fresh database; if several nodes try at once, only one does. */
export async function makeFirstDataKey(sql: Sql, masterKey: Buffer): Promise<void> {
  await sql.query(
    `with made as (
       insert into data_key (id) select 1 where not exists (select from data_key) on conflict do nothing returning id
     )
     insert into data_key_wrapping (data_key_id, master_id, wrapped) select m.id, $1, $2 from made m`,
    [masterKeyId(masterKey), encrypt(masterKey, randomBytes(32), keyPlace(1))],
  );
}

/** Returns the data keys of the cell; throws if the master key does not unwrap all of them. */
export async function loadDataKeys(sql: Sql, masterKey: Buffer): Promise<Map<number, Buffer>> {
  const { keys, locked } = await unwrapDataKeys(sql, masterKey);
  if (locked.length > 0)
    throw new Error('The key file does not fit this database: its data keys were wrapped with another master key.');
  await nameWrappings(sql, keys, masterKey);
  return keys;
}

/** Adds the id of the master key to older wrappings that it opened. */
async function nameWrappings(sql: Sql, keys: ReadonlyMap<number, Buffer>, masterKey: Buffer): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    `delete from data_key_wrapping w where w.master_id = '${unnamed}' and w.data_key_id = any($1) returning w.data_key_id as id`,
    [[...keys.keys()]],
  );
  for (const { id } of rows) await wrapDataKey(sql, id, keys.get(id)!, masterKey);
}

/** Checks that a master key fits the database, without starting a keyring. */
export async function loadSecrets(sql: Sql, masterKey: Buffer): Promise<void> {
  await makeFirstDataKey(sql, masterKey);
  await loadDataKeys(sql, masterKey);
}

export const sealWith =
  (id: number, key: Buffer): Seal =>
  (text, place) => {
    const header = Buffer.alloc(headerBytes);
    header.writeUInt8(formatVersion, 0);
    header.writeUInt32BE(id, 1);
    return Buffer.concat([header, encrypt(key, Buffer.from(text, 'utf8'), place)]);
  };

/** Returns the number of the data key that a text was encrypted with; undefined for other texts. */
export const dataKeyOf = (sealed: Buffer): number | undefined =>
  sealed.length > headerBytes && sealed.readUInt8(0) === formatVersion ? sealed.readUInt32BE(1) : undefined;

export const openWith = (key: Buffer, sealed: Buffer, place: string): string =>
  decrypt(key, sealed.subarray(headerBytes), place).toString('utf8');

const keyPlace = (id: number): string => `data-key:${id}`;

function encrypt(key: Buffer, plain: Buffer, place: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, sealed: Buffer, place: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(place))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
}

/** Returns undefined for a wrong key: the authentication tag does not match. */
function tryDecrypt(key: Buffer, sealed: Buffer, place: string): Buffer | undefined {
  try {
    return decrypt(key, sealed, place);
  } catch {
    return undefined;
  }
}

/** Returns the place that a secret is bound to. */
export const secretPlace = (table: string, column: string, id: number): string => `${table}.${column}:${id}`;

/** Returns the plain text of a record's secret; empty if it has none. */
export async function readSecret(
  sql: Sql,
  secrets: Secrets,
  table: Table,
  { id, version }: { id: number; version?: number | undefined },
  field: string,
): Promise<string> {
  const column = snakeCase(field);
  const { rows } = await sql.query<{ sealed: Buffer | null; version: number }>(
    `select r.${quoted(column)} as sealed, r.version from ${quoted(table.name)} r where r.id = $1`,
    [id],
  );
  const { title } = table.declaration;
  if (!rows[0]) throw notFound(title, id);
  if (version !== undefined && rows[0].version !== version)
    throw new Failure('rejected', `${title} ${id} was changed at the same time; repeat the request.`);
  return rows[0].sealed ? secrets.open(sql, rows[0].sealed, secretPlace(table.name, column, id)) : '';
}
