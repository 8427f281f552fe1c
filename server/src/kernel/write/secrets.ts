import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Sql } from '../database/connect.ts';
import { notFound } from '../failure.ts';
import type { Table } from '../model.ts';
import { quoted, snakeCase } from '../names.ts';

const nonceBytes = 12;
const tagBytes = 16;
const formatVersion = 1;

/**
 * Encrypts secret fields. Each is sealed with a data key of the cell; the data keys lie in the database wrapped by a master key
 * that is kept in a file outside it, so a dump of the database gives nothing away.
 */
export interface Secrets {
  /** `place` binds the text to its row and column: a ciphertext copied elsewhere does not open. */
  seal(text: string, place: string): Buffer;
  open(sealed: Buffer, place: string): string;
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
  if (mode & 0o077) throw new Error(`The key file ${file} can be read by others than its owner; set its mode to 600.`);
  if (!/^[0-9a-f]{64}\s*$/.test(text))
    throw new Error(`The key file ${file} must hold 64 hexadecimal digits and nothing else.`);
  return Buffer.from(text.trim(), 'hex');
}

/** Loads the data keys of the cell, making the first one on a fresh database. */
export async function loadSecrets(sql: Sql, masterKey: Buffer): Promise<Secrets> {
  const first = randomBytes(32);
  await sql.query('insert into data_key (id, wrapped) values (1, $1) on conflict (id) do nothing', [
    encrypt(masterKey, first, 'data-key:1'),
  ]);
  const { rows } = await sql.query<{ id: number; wrapped: Buffer }>('select id, wrapped from data_key order by id');
  const keys = new Map<number, Buffer>();
  for (const { id, wrapped } of rows) {
    try {
      keys.set(id, decrypt(masterKey, wrapped, `data-key:${id}`));
    } catch (cause) {
      throw new Error('The key file does not fit this database: its data keys were wrapped with another master key.', {
        cause,
      });
    }
  }
  const newest = Math.max(...keys.keys());
  return {
    seal(text, place) {
      const header = Buffer.alloc(5);
      header.writeUInt8(formatVersion, 0);
      header.writeUInt32BE(newest, 1);
      return Buffer.concat([header, encrypt(keys.get(newest)!, Buffer.from(text, 'utf8'), place)]);
    },
    open(sealed, place) {
      const key = sealed.readUInt8(0) === formatVersion ? keys.get(sealed.readUInt32BE(1)) : undefined;
      if (!key) throw new Error(`a secret of ${place} was sealed with a key that this node does not have`);
      return decrypt(key, sealed.subarray(5), place).toString('utf8');
    },
  };
}

function encrypt(key: Buffer, plain: Buffer, place: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, sealed: Buffer, place: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
}

/** Where a secret belongs. */
export const secretPlace = (table: string, column: string, id: number): string => `${table}.${column}:${id}`;

/** The plain text of a record's secret; empty when it has none. */
export async function readSecret(sql: Sql, secrets: Secrets, table: Table, id: number, field: string): Promise<string> {
  const column = snakeCase(field);
  const { rows } = await sql.query<{ sealed: Buffer | null }>(
    `select r.${quoted(column)} as sealed from ${quoted(table.name)} r where r.id = $1`,
    [id],
  );
  if (!rows[0]) throw notFound(table.declaration.title, id);
  return rows[0].sealed ? secrets.open(rows[0].sealed, secretPlace(table.name, column, id)) : '';
}
