import { quoted, snakeCase } from '../declare/names.ts';
import type { Shape } from '../declare/shape.ts';
import { rejected } from '../failure.ts';
import { nameOf } from '../format/check-value.ts';
import type { Table } from '../model/model.ts';
import { holdsSecrets, maskSecrets, replaceSecrets, secretMask } from '../model/nested-secrets.ts';
import type { RecordValue } from '../read/select.ts';
import { same } from './changes.ts';
import type { Tx } from './engine.ts';
import { type Seal, secretPlace } from './secrets.ts';

/** Encrypts the secrets of a record before it is stored: secret fields, and secrets inside lists and objects. */
export class FieldSealer {
  readonly #tx: Tx;
  #sealer: Promise<Seal> | undefined;

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** Returns the encryption function, which stays the same until the transaction ends. */
  #seal(): Promise<Seal> {
    const { client, engine } = this.#tx;
    this.#sealer ??= engine.secrets.sealer(client);
    return this.#sealer;
  }

  /** Returns what to store for a secret field; null for an empty one. */
  async field(table: Table, id: number, column: string, text: string): Promise<Buffer | null> {
    const place = secretPlace(table.name, column, id);
    return text === '' ? null : (await this.#seal())(text, place);
  }

  /**
   * Encrypts the secrets inside lists and objects: `after` is left with masks, and the result is what to store instead, for the changed
   * fields. A mask keeps the stored secret; sending the stored text again is no change.
   */
  async inside(
    table: Table,
    id: number,
    before: RecordValue | undefined,
    after: RecordValue,
  ): Promise<Map<string, unknown>> {
    const { client } = this.#tx;
    const sealed = new Map<string, unknown>();
    for (const [name, { shape, access, stored }] of table.fields) {
      if (access !== 'write' || !stored || !holdsSecrets(shape) || same(before?.[name], after[name])) continue;
      const column = snakeCase(name);
      const place = secretPlace(table.name, column, id);
      const cell = before
        ? (await client.query(`select r.${quoted(column)} as cell from ${quoted(table.name)} r where r.id = $1`, [id]))
            .rows[0].cell
        : undefined;
      const opened = await this.#openInside(shape, cell, place);
      const seal = await this.#seal();
      let isNew = false;
      const value = replaceSecrets(
        shape,
        after[name],
        cell,
        (text, storedSecret, pointer) => {
          if (text === secretMask && !storedSecret)
            throw rejected(
              `${nameOf(pointer)}: no secret is stored, so ${secretMask} cannot keep it; send the secret.`,
              pointer,
            );
          if (storedSecret && (text === secretMask || opened.get(storedSecret) === text)) return storedSecret;
          isNew = true;
          return seal(text, place).toString('base64');
        },
        `/${name}`,
      );
      after[name] = maskSecrets(shape, value);
      if (isNew || !same(before?.[name], after[name])) sealed.set(name, value);
    }
    return sealed;
  }

  /** Returns the plain text of every secret inside a stored cell, by its stored text. */
  async #openInside(shape: Shape, cell: unknown, place: string): Promise<Map<string, string>> {
    const { client, engine } = this.#tx;
    const stored: string[] = [];
    replaceSecrets(shape, cell, undefined, (text) => {
      stored.push(text);
      return text;
    });
    const opened = new Map<string, string>();
    for (const text of stored) opened.set(text, await engine.secrets.open(client, Buffer.from(text, 'base64'), place));
    return opened;
  }
}

/** Returns the request without secrets that equal the stored ones: sending them again is no change. */
export async function withoutUnchangedSecrets(
  table: Table,
  input: Readonly<RecordValue>,
  storedText: (field: string) => Promise<string>,
): Promise<RecordValue> {
  const remainingInput = { ...input };
  for (const [name, field] of table.fields) {
    if (field.access === 'secret' && typeof input[name] === 'string' && (await storedText(name)) === input[name])
      delete remainingInput[name];
  }
  return remainingInput;
}
