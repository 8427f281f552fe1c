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

/** A guard against stale writes: the version the client has read. */
export interface Expected {
  version?: number | undefined;
  /** The version came by If-Match, so a clash is 412. */
  byHeader?: boolean;
}

/** A row as it is when its lock is held. */
export interface LockedRow {
  id: number;
  version: number;
  by: string;
  at: string;
}

/** Behind another condition: what a row `r` must fulfil to be seen. */
export function andVisible({ declaration }: Table, visibility: Visibility, parameters: Parameters): string {
  const visibleCondition = visibility.condition(declaration, parameters);
  return visibleCondition ? ` and ${visibleCondition}` : '';
}

/**
 * Rows are locked in the order of their ids, so that two lists of the same records cannot wait for each other.
 * A change leaves the key alone, so those who refer to the row need not wait for it; a deletion makes them.
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
 * What is sent may name nothing that the caller does not see; said before the group's rules look at it, so that those cannot tell
 * the hidden from the unknown. What a record refers to already may be sent back.
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

/** The record as it is created: what was sent, defaults for the rest; fields without either are faults. */
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

/** The record as it will be: each sent field merged into the stored one. */
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

/** A body that names another record than the path. */
export function refuseOtherIdentity({ declaration: { identity } }: Table, id: number, input: RecordValue): void {
  const bodyId = input[identity];
  if (bodyId !== undefined && bodyId !== null && bodyId !== 0 && bodyId !== id)
    throw invalid(`${identity}: the body has ${bodyId}, but the path has ${id}.`);
}

/** A write that was made for another version of the record. */
export function refuseStale(table: Table, current: LockedRow, input: RecordValue, expected: Expected): void {
  const version = expected.version ?? (table.fields.has('version') ? input.version : undefined);
  if (version === undefined || version === current.version) return;
  throw new Failure(
    'stale',
    `This ${table.declaration.title} was changed by ${current.by} at ${current.at} and now has version ${current.version}; read it again and repeat your change.`,
    { httpCode: expected.byHeader ? 412 : 409 },
  );
}

/** What was chosen once and for all may be sent back, not changed. */
export function refuseChangedFixed(table: Table, before: RecordValue, after: RecordValue): void {
  for (const [name, field] of table.fields) {
    if (field.immutable && !same(before[name], after[name]))
      throw rejected(`${name}: is ${JSON.stringify(before[name])} and cannot be changed after creation.`, `/${name}`);
  }
}

/** A value that would have no effect is refused; what is stored already may be sent back. */
export function refuseNotYet(
  table: Table,
  before: RecordValue | undefined,
  after: RecordValue,
  input: Readonly<RecordValue>,
): void {
  for (const [name, field] of table.fields) {
    if (!field.notYet || input[name] === undefined) continue;
    // The text of a secret is in neither record: what is sent sets it, unless it is empty.
    const isSecret = field.access === 'secret';
    const value = isSecret ? (input[name] ?? '') : after[name];
    if (same(value, initialOf(field)) || (before && !isSecret && same(value, before[name]))) continue;
    throw rejected(
      `${name}: not supported yet, until ${field.notYet}; leave it at ${JSON.stringify(initialOf(field))}.`,
      `/${name}`,
    );
  }
}

/** A field that the service keeps may be sent back as it was read, not changed. */
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

/** A reference by name, in other letters, to the record it names already: no change. */
const namesTheSame = (field: Field, before: unknown, input: unknown): boolean =>
  field.reference?.by === 'name' &&
  typeof before === 'string' &&
  typeof input === 'string' &&
  before.toLowerCase() === input.toLowerCase();

/** Bit mask of the fields that a write changes, if the collection has one. */
export function setChangeMask(table: Table, before: RecordValue, after: RecordValue): void {
  const mask = (table.declaration as Collection).changeMask;
  if (!mask) return;
  const changed = Object.entries(mask.bits).filter(([field]) => !same(before[field], after[field]));
  after[mask.last] = changed.reduce((bits, [, bit]) => bits | bit, 0);
}

/** The same for what was observed, decided by the statement that writes it. */
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
