import type pg from 'pg';
import type { Visibility } from '../access/visibility.ts';
import { Parameters } from '../database/parameters.ts';
import type { Collection } from '../declare/declaration.ts';
import { type Field, initialOf, type Reference } from '../declare/field.ts';
import { quoted, snakeCase } from '../declare/names.ts';
import { Failure, type Fault, invalid, notFound, rejected } from '../failure.ts';
import { missing } from '../format/check-value.ts';
import type { Table } from '../model/model.ts';
import type { RecordValue } from '../read/select.ts';
import { instantSql } from '../values/time.ts';
import { same } from './changes.ts';
import type { Tx } from './engine.ts';
import { referredAt, resolveReference } from './references.ts';

/** The version that the client has read, to refuse a write that would overwrite a later change. */
export interface Expected {
  version?: number | undefined;
  /** True if the version came by If-Match: a mismatch returns 412 instead of 409. */
  byHeader?: boolean;
}

/** A row as it is after it was locked. */
export interface LockedRow {
  id: number;
  version: number;
  by: string;
  at: string;
}

/** Returns a condition to append to another one: the row `r` is visible. */
export function andVisible({ declaration }: Table, visibility: Visibility, parameters: Parameters): string {
  const visibleCondition = visibility.condition(declaration, parameters);
  return visibleCondition ? ` and ${visibleCondition}` : '';
}

/**
 * Locks rows in the order of their ids, so that two lists of the same records cannot deadlock. `no key update` does not
 * block transactions that refer to the row; a deletion locks with `update` and does.
 */
export async function lockRows(
  client: pg.PoolClient,
  table: Table,
  ids: readonly number[],
  strength: 'update' | 'no key update',
  visibility: Visibility,
): Promise<LockedRow[]> {
  const parameters = new Parameters([ids]);
  const { rows } = await client.query<LockedRow>(
    `select r.id, r.version, r.last_modified_by as "by", ${instantSql('r.last_modified_date')} as "at" from ${quoted(table.name)} r
     where r.id = any($1::bigint[])${andVisible(table, visibility, parameters)} order by r.id for ${strength} of r`,
    parameters.values,
  );
  if (rows.length < new Set(ids).size) {
    const visibleIds = new Set(rows.map((row) => row.id));
    throw notFound(
      table.declaration.title,
      ids.find((id) => !visibleIds.has(id)),
    );
  }
  return rows;
}

/**
 * Refuses references to records that the caller does not see, before the rules of the resource run: their errors could
 * otherwise distinguish hidden records from missing ones. A reference that the record already has may be sent back.
 */
export async function refuseHidden(
  { client, engine }: Tx,
  table: Table,
  before: RecordValue | undefined,
  input: Readonly<RecordValue>,
  visibility: Visibility,
): Promise<void> {
  const isHiding = (targetName: string) =>
    engine.model.has(targetName) && visibility.limitsOn(engine.model.byName(targetName).declaration).length > 0;
  const look = (reference: Pick<Reference, 'to' | 'by' | 'where'>, value: string | number, name: string) =>
    resolveReference(client, engine.model, reference, value, name, visibility);
  for (const [name, field] of table.fields) {
    const value = input[name];
    if (value === undefined || field.access !== 'write') continue;
    const { reference, nestedReferences: inner = [] } = field;
    if (
      reference &&
      isHiding(reference.to) &&
      !isEmptyReference(value) &&
      !isSameReference(field, before?.[name], value)
    )
      await look(reference, value as string | number, name);
    for (const nested of inner.filter(({ to: targetName }) => isHiding(targetName))) {
      const old = new Set(referredAt(before?.[name], nested));
      for (const target of referredAt(value, nested).filter((candidate) => !old.has(candidate)))
        await look({ by: 'id', ...nested }, target, name);
    }
  }
}

/** Refuses a record beyond the number that the declaration allows. */
export async function refuseTooMany(client: pg.PoolClient, { name, declaration }: Table): Promise<void> {
  const { recordsMax, title } = declaration as Collection;
  if (recordsMax === undefined) return;
  const { rows } = await client.query<{ count: number }>(`select count(*)::integer as count from ${quoted(name)}`);
  if (rows[0]!.count >= recordsMax)
    throw invalid(`There are ${rows[0]!.count} ${title} records already; at most ${recordsMax} are allowed.`);
}

/** Returns the record to create: the sent values, and defaults for the rest. A field without either is a fault. */
export function withDefaults(table: Table, input: RecordValue): RecordValue {
  const faults: Fault[] = [];
  const record: RecordValue = {};
  for (const [name, field] of table.fields) {
    const isClients = field.access === 'write' || field.access === 'secret';
    if (
      isClients &&
      input[name] !== undefined &&
      !(field.access === 'secret' && input[name] === null && field.default === undefined)
    ) {
      faults.push(...(field.faultsIn?.(input[name], undefined, `/${name}`) ?? []));
      if (field.access === 'write') record[name] = field.merge ? field.merge(input[name], undefined) : input[name];
    } else if (field.default !== undefined) {
      if (field.access !== 'secret') record[name] = structuredClone(field.default);
    } else if (isClients && (field.stored || field.reference)) {
      faults.push(missing(`/${name}`));
    }
  }
  if (faults.length > 0) throw invalid(faults);
  return record;
}

/** Returns the record after the update: each sent field merged into the stored one. */
export function withSent(table: Table, before: RecordValue, input: Readonly<RecordValue>): RecordValue {
  const after: RecordValue = { ...before };
  const faults: Fault[] = [];
  for (const [name, field] of table.fields) {
    const value = input[name];
    if (field.access !== 'write' || value === undefined || namesTheSame(field, before[name], value)) continue;
    faults.push(...(field.faultsIn?.(value, before[name], `/${name}`) ?? []));
    after[name] = field.merge ? field.merge(value, before[name]) : value;
  }
  if (faults.length > 0) throw invalid(faults);
  return after;
}

/** Refuses a body that contains another id than the path. */
export function refuseOtherIdentity({ declaration: { identity } }: Table, id: number, input: RecordValue): void {
  const bodyId = input[identity];
  if (bodyId !== undefined && bodyId !== null && bodyId !== 0 && bodyId !== id)
    throw invalid(`${identity}: the body has ${bodyId}, but the path has ${id}.`);
}

/** Refuses a write that was made for another version of the record. */
export function refuseStale(table: Table, current: LockedRow, input: RecordValue, expected: Expected): void {
  const version = expected.version ?? (table.fields.has('version') ? input.version : undefined);
  if (version === undefined || version === current.version) return;
  throw new Failure(
    'stale',
    `This ${table.declaration.title} was changed by ${current.by} at ${current.at} and now has version ${current.version}; read it again and repeat your change.`,
    { httpCode: expected.byHeader ? 412 : 409 },
  );
}

/** Refuses a change of an immutable field; the same value may be sent. */
export function refuseChangedFixed(table: Table, before: RecordValue, after: RecordValue): void {
  for (const [name, field] of table.fields) {
    if (field.immutable && !same(before[name], after[name]))
      throw rejected(`${name}: is ${JSON.stringify(before[name])} and cannot be changed after creation.`, `/${name}`);
  }
}

/** Refuses a value for a field that has no effect yet; the default and the stored value may be sent. */
export function refuseNotYet(
  table: Table,
  before: RecordValue | undefined,
  after: RecordValue,
  input: Readonly<RecordValue>,
): void {
  for (const [name, field] of table.fields) {
    if (!field.notYet || input[name] === undefined) continue;
    // The records do not contain the text of a secret: every sent text sets it, unless it is empty.
    const isSecret = field.access === 'secret';
    const value = isSecret ? (input[name] ?? '') : after[name];
    if (same(value, initialOf(field)) || (before && !isSecret && same(value, before[name]))) continue;
    throw rejected(
      `${name}: not supported yet, until ${field.notYet}; leave it at ${JSON.stringify(initialOf(field))}.`,
      `/${name}`,
    );
  }
}

/** Refuses another value for a read-only field; the same value may be sent. */
export function refuseChangedReadOnly(table: Table, before: RecordValue, input: RecordValue): void {
  const faults: Fault[] = [];
  for (const [name, field] of table.fields) {
    if (
      field.access !== 'readOnly' ||
      input[name] === undefined ||
      name === table.declaration.identity ||
      same(input[name], before[name])
    )
      continue;
    faults.push({
      pointer: `/${name}`,
      message: `${name}: is set by the service to ${JSON.stringify(before[name])}; send that value, or leave the field out.`,
    });
  }
  if (faults.length > 0) throw invalid(faults);
}

export const isEmptyReference = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === 0;

const isSameReference = (field: Field, before: unknown, input: unknown): boolean =>
  before === input || namesTheSame(field, before, input);

/** True for a reference by name that differs from the stored one only in upper and lower case. */
const namesTheSame = (field: Field, before: unknown, input: unknown): boolean =>
  field.reference?.by === 'name' &&
  typeof before === 'string' &&
  typeof input === 'string' &&
  before.toLowerCase() === input.toLowerCase();

/** Sets the bit mask of the fields that a write changes, if the collection has one. */
export function setChangeMask(table: Table, before: RecordValue, after: RecordValue): void {
  const mask = (table.declaration as Collection).changeMask;
  if (!mask) return;
  const changed = Object.entries(mask.bits).filter(([field]) => !same(before[field], after[field]));
  after[mask.last] = changed.reduce((bits, [, bit]) => bits | bit, 0);
}

/** Returns the same mask for observed fields, as an assignment for the statement that writes them. */
export function observedMask(table: Table, columns: readonly string[]): string {
  const mask = (table.declaration as Collection).changeMask;
  if (!mask) return '';
  const bits = Object.entries(mask.bits).flatMap(([field, bit]) => {
    const index = columns.indexOf(snakeCase(field));
    return index < 0
      ? []
      : [`case when ${quoted(snakeCase(field))} is distinct from $${index + 2} then ${bit} else 0 end`];
  });
  return `, ${quoted(snakeCase(mask.last))} = ${bits.join(' | ') || '0'}`;
}
