import { fullVisibility, type Visibility } from '../access/visibility.ts';
import { Parameters } from '../database/parameters.ts';
import type { AuditAction, FieldChange } from '../declare/audit-entry.ts';
import { type Collection, isRanked, type RecordOf } from '../declare/declaration.ts';
import type { Field } from '../declare/field.ts';
import { quoted, referenceColumn, snakeCase } from '../declare/names.ts';
import { Failure, notFound } from '../failure.ts';
import type { Table } from '../model/model.ts';
import type { RecordValue } from '../read/select.ts';
import { requireBoundSecrets, withStoredParts } from './bound-secrets.ts';
import { fieldChanges, same, writeChanges } from './changes.ts';
import { Deletion } from './delete.ts';
import { readerOf, type SaveStep, storedRowsOf, type Tx, visibilityOf } from './engine.ts';
import { lockRanks, makeRoom, shiftBetween } from './rank.ts';
import { mirrorInnerReferences, resolveReference, withStoredIds } from './references.ts';
import {
  andVisible,
  type Expected,
  isEmptyReference,
  type LockedRow,
  lockRows,
  observedMask,
  refuseChangedFixed,
  refuseChangedReadOnly,
  refuseHidden,
  refuseNotYet,
  refuseOtherIdentity,
  refuseStale,
  refuseTooMany,
  setChangeMask,
  withDefaults,
  withSent,
} from './save-checks.ts';
import { FieldSealer, withoutUnchangedSecrets } from './seal-fields.ts';
import { readSecret } from './secrets.ts';
import { placingField, storePlacesBeforeMove } from './visibility-changes.ts';

/** The result of a save. */
export interface Saved {
  id: number;
  version: number;
  created: boolean;
  /** False if the record already had the sent values: no new version, no audit row, no event. */
  changed: boolean;
}

type Named = Pick<Collection, 'name'>;

/**
 * Changes declared tables; there is no other way. Each change gets its version, audit row, event, reference mirror and
 * encrypted secrets here, and its feed entry and count from the table's trigger, all in the transaction of the caller.
 * A row that the caller does not see does not exist: it cannot be read, changed, deleted or referred to.
 */
export class Records {
  readonly #tx: Tx;
  readonly #visibility: Visibility;
  readonly #sealer: FieldSealer;

  constructor(tx: Tx) {
    this.#tx = tx;
    this.#visibility = visibilityOf(tx.engine, tx.origin);
    this.#sealer = new FieldSealer(tx);
  }

  /** Returns a condition to append to another one: the row `r` is visible to the caller. */
  #andVisible(collection: Named, parameters: Parameters): string {
    return andVisible(this.#table(collection), this.#visibility, parameters);
  }

  #table(collection: Named): Table & { declaration: Collection } {
    return this.#tx.engine.model.byName(collection.name) as Table & { declaration: Collection };
  }

  /** Returns the record, including the changes of this transaction. */
  async fetch<D extends Named>(collection: D, id: number): Promise<RecordOf<D> | undefined> {
    // The reader assembles every field of the declaration; the compiler cannot infer that.
    return this.#reader(collection).fetch(this.#tx.client, id) as Promise<RecordOf<D> | undefined>;
  }

  #reader({ name }: Named) {
    return readerOf(this.#tx.engine, name, this.#visibility);
  }

  async exists(collection: Named, id: number): Promise<boolean> {
    const parameters = new Parameters([id]);
    const { rowCount } = await this.#tx.client.query(
      `select from ${quoted(this.#table(collection).name)} r where r.id = $1${this.#andVisible(collection, parameters)}`,
      parameters.values,
    );
    return rowCount === 1;
  }

  async create(collection: Named, input: RecordValue): Promise<Saved> {
    const table = this.#table(collection);
    const { client } = this.#tx;
    await this.#rules(table)?.beforeLock?.(input, this.#tx);
    if (isRanked(table.declaration)) await lockRanks(client, table);
    await refuseTooMany(client, table);
    const after = { ...withDefaults(table, input) };
    const id = await this.#nextId(table);
    refuseNotYet(table, undefined, after, input);
    const step: SaveStep = { id, before: undefined, after, sent: input };
    await refuseHidden(this.#tx, table, undefined, input, this.#visibility);
    await this.#rules(table)?.beforeSave?.(step, this.#tx);
    // Only a requested rank can shift records that the caller does not see.
    const readScope = input.rank ? this.#visibility : fullVisibility;
    if (isRanked(table.declaration)) after.rank = await makeRoom(client, table, Number(after.rank ?? 0), readScope);
    const sealed = await this.#sealer.inside(table, id, undefined, after);
    step.sent = await withStoredParts(table.fields, input, async () => '');
    const changes = fieldChanges(table, undefined, after, step.sent);
    const columns = await this.#columnValues(
      table,
      id,
      [...table.fields.keys()],
      { ...after, ...Object.fromEntries(sealed) },
      step.sent,
    );
    const { auditId } = await this.#insert(table, id, columns, changes, after);
    await mirrorInnerReferences(client, this.#tx.engine.model, table, id, undefined, after, this.#visibility);
    await writeChanges(this.#tx, table, 'ADD', 'created', [{ id, auditId, record: after, changes }]);
    await this.#rules(table)?.afterSave?.(step, this.#tx);
    await this.#refuseInvisible(table, id);
    return { id, version: 1, created: true, changed: true };
  }

  async update(
    collection: Named,
    id: number,
    input: RecordValue,
    expected: Expected = {},
    action: AuditAction = 'MODIFY',
  ): Promise<Saved> {
    const table = this.#table(collection);
    const { client } = this.#tx;
    const moves = isRanked(table.declaration) && input.rank !== undefined;
    await this.#rules(table)?.beforeLock?.(input, this.#tx);
    if (moves) await lockRanks(client, table);
    const current = await this.#lock(table, id);
    const before = (await storedRowsOf(this.#tx.engine, collection.name, this.#visibility).fetch(client, id))!;
    refuseOtherIdentity(table, id, input);
    refuseStale(table, current, input, expected);
    refuseChangedReadOnly(table, before, input);
    const after = withSent(table, before, input);
    refuseChangedFixed(table, before, after);
    refuseNotYet(table, before, after, input);
    if (after.rank === 0) after.rank = before.rank;
    const step: SaveStep = { id, before, after, sent: input };
    await refuseHidden(this.#tx, table, before, input, this.#visibility);
    await this.#rules(table)?.beforeSave?.(step, this.#tx);
    setChangeMask(table, before, after);
    const storedText = (field: string) => this.secret(collection, id, field);
    await requireBoundSecrets(table.fields, { before, after, sent: step.sent }, storedText);
    const completed = await withStoredParts(table.fields, step.sent, storedText);
    step.sent = await withoutUnchangedSecrets(table, completed, storedText);
    const sealed = await this.#sealer.inside(table, id, before, after);
    const changes = fieldChanges(table, before, after, step.sent, sealed);
    if (changes.length === 0) return { id, version: current.version, created: false, changed: false };
    if (moves && after.rank !== before.rank) {
      await shiftBetween(client, table, id, Number(before.rank), Number(after.rank), this.#visibility);
    }
    const changedFields = [...table.fields.keys()].filter(
      (name) => table.fields.get(name)!.access === 'secret' || sealed.has(name) || !same(before[name], after[name]),
    );
    const stored = { ...after, ...Object.fromEntries(sealed) };
    const columns = await this.#columnValues(table, id, changedFields, stored, step.sent);
    const place = placingField(table);
    if (place && changedFields.includes(place)) await storePlacesBeforeMove(this.#tx, table, id);
    const { version, auditId } = await this.#update(table, id, columns, action, changes);
    await mirrorInnerReferences(client, this.#tx.engine.model, table, id, before, after, this.#visibility);
    await writeChanges(this.#tx, table, action, 'modified', [{ id, auditId, record: after, changes }]);
    await this.#rules(table)?.afterSave?.(step, this.#tx);
    await this.#refuseInvisible(table, id);
    return { id, version, created: false, changed: true };
  }

  /**
   * Records a change of data that belongs to a record but is stored in another table, such as the adapters of a host:
   * the record gets a version and an audit row, so that a client that read it before notices. If this transaction has
   * already written the record, it gets no second version.
   */
  async touch(collection: Named, id: number, changes: readonly FieldChange[]): Promise<void> {
    const table = this.#table(collection);
    const { client } = this.#tx;
    await this.#lock(table, id);
    const { rowCount } = await client.query(
      `select from ${quoted(table.name)} r where r.id = $1 and r.xmin = pg_current_xact_id()::xid`,
      [id],
    );
    if (rowCount === 1) return;
    const record = (await this.fetch(collection, id))!;
    const { auditId } = await this.#update(table, id, new Map(), 'MODIFY', changes);
    await writeChanges(this.#tx, table, 'MODIFY', 'modified', [{ id, auditId, record, changes }]);
  }

  /** Deletes all or none: one unknown, protected or referenced record refuses the complete deletion. */
  async remove(collection: Named, ids: readonly number[], expected: Expected = {}): Promise<void> {
    await new Deletion(this.#tx, this.#visibility, this).run(this.#table(collection), ids, expected);
  }

  async setEnabled(
    collection: Named,
    ids: readonly number[],
    enabled: boolean,
    expected: Expected = {},
  ): Promise<Saved[]> {
    // Locks all rows first, in the order of their ids; a single row is locked by its update.
    if (ids.length > 1)
      await lockRows(this.#tx.client, this.#table(collection), ids, 'no key update', this.#visibility);
    const saved: Saved[] = [];
    for (const id of ids)
      saved.push(await this.update(collection, id, { enabled }, expected, enabled ? 'ENABLE' : 'DISABLE'));
    return saved;
  }

  /** Moves one record to a rank; other records shift without a new version. */
  async setRank(collection: Named, id: number, rank: number, expected: Expected = {}): Promise<Saved> {
    return this.update(collection, id, { rank }, expected, 'RANK');
  }

  /** Swaps the ranks of two records, with one audit row for both. */
  async swapRanks(collection: Named, a: number, b: number): Promise<void> {
    const table = this.#table(collection);
    const { client } = this.#tx;
    await this.#rules(table)?.beforeLock?.({ rank: 0 }, this.#tx);
    await lockRanks(client, table);
    await lockRows(client, table, [a, b], 'no key update', this.#visibility);
    const [first, second] = [(await this.fetch(collection, a))!, (await this.fetch(collection, b))!];
    if (a === b) return;
    const steps = [
      { id: a, before: first, after: { ...first, rank: second.rank }, sent: { rank: second.rank } },
      { id: b, before: second, after: { ...second, rank: first.rank }, sent: { rank: first.rank } },
    ];
    // The later record first: if the last record is protected, the error is the same for either order of the ids.
    const latestFirst = steps.toSorted((step, otherStep) => Number(otherStep.before.rank) - Number(step.before.rank));
    for (const step of latestFirst) await this.#rules(table)?.beforeSave?.(step, this.#tx);
    const { label } = table.declaration;
    const rankOf = (record: RecordValue) => String(record.rank);
    const changes: FieldChange[] = [
      { field: 'rank', before: rankOf(first), after: rankOf(second) },
      { field: `rank of ${second[label]}`, before: rankOf(second), after: rankOf(first) },
    ];
    const { auditId } = await this.#update(table, a, new Map([['rank', second.rank]]), 'RANK', changes);
    await this.#update(table, b, new Map([['rank', first.rank]]), 'RANK', changes, auditId);
    await writeChanges(this.#tx, table, 'RANK', 'modified', [{ id: a, auditId, record: first, changes }]);
    for (const step of steps) await this.#rules(table)?.afterSave?.(step, this.#tx);
  }

  /**
   * Stores values that a poll, a trap or the service observed: only if they differ, with a feed entry, without version
   * or audit row.
   */
  async observe(collection: Named, id: number, observedValues: RecordValue): Promise<boolean> {
    const table = this.#table(collection);
    for (const name of Object.keys(observedValues)) {
      if (!table.fields.get(name)?.observed) throw new Error(`${table.name}.${name} is not an observed field`);
    }
    const columns = await this.#columnValues(table, id, Object.keys(observedValues), observedValues, {});
    const names = [...columns.keys()];
    const parameters = new Parameters([id, ...columns.values()]);
    const { rowCount } = await this.#tx.client.query(
      `update ${quoted(table.name)} r set ${names.map((name, index) => `${quoted(name)} = $${index + 2}`).join(', ')}${observedMask(table, names)}
       where r.id = $1 and (${names.map((name, index) => `r.${quoted(name)} is distinct from $${index + 2}`).join(' or ')})${this.#andVisible(collection, parameters)}`,
      parameters.values,
    );
    return rowCount === 1;
  }

  /** Returns the plain text of a secret, for the code of the resource itself. */
  async secret(collection: Named, id: number, field: string): Promise<string> {
    const { declaration } = this.#table(collection);
    const isLimited = this.#visibility.limitsOn(declaration).length > 0;
    if (isLimited && !(await this.exists(collection, id))) throw notFound(declaration.title, id);
    return readSecret(this.#tx.client, this.#tx.engine.secrets, this.#table(collection), { id }, field);
  }

  #rules(table: Table) {
    return this.#tx.engine.rules.get(table.declaration.name);
  }

  async #nextId(table: Table): Promise<number> {
    const { rows } = await this.#tx.client.query<{ id: number }>(
      `select nextval(pg_get_serial_sequence($1, 'id')) as id`,
      [quoted(table.name)],
    );
    return rows[0]!.id;
  }

  async #lock(table: Table, id: number): Promise<LockedRow> {
    return (await lockRows(this.#tx.client, table, [id], 'no key update', this.#visibility))[0]!;
  }

  /** Refuses a write whose result the caller would not see. */
  async #refuseInvisible(table: Table & { declaration: Collection }, id: number): Promise<void> {
    const { title } = table.declaration;
    if (this.#visibility.limitsOn(table.declaration).length === 0 || (await this.exists(table.declaration, id))) return;
    throw new Failure(
      'forbidden',
      `Nothing was changed: the resulting ${title} record would not be visible to the caller, whose profile limits the records.`,
    );
  }

  async #columnValues(
    table: Table,
    id: number,
    names: readonly string[],
    record: RecordValue,
    input: Readonly<RecordValue>,
  ): Promise<Map<string, unknown>> {
    const values = new Map<string, unknown>();
    for (const name of names) {
      const field = table.fields.get(name)!;
      const text = input[name];
      const column = snakeCase(name);
      if (field.access === 'secret') {
        if (typeof text === 'string') values.set(column, await this.#sealer.field(table, id, column, text));
      } else if (field.reference) await this.#setReference(values, field, name, record[name]);
      else if (field.stored)
        values.set(column, columnValue(field, await this.#withStoredIds(field, name, record[name])));
    }
    return values;
  }

  #withStoredIds(field: Field, name: string, value: unknown): Promise<unknown> {
    const { client, engine } = this.#tx;
    return withStoredIds(client, engine.model, field, name, value, this.#visibility);
  }

  async #setReference(values: Map<string, unknown>, field: Field, name: string, shown: unknown): Promise<void> {
    const { by: keyKind } = field.reference!;
    const value = field.store && shown ? field.store(shown) : shown;
    const target = isEmptyReference(value)
      ? null
      : await resolveReference(
          this.#tx.client,
          this.#tx.engine.model,
          field.reference!,
          value as string | number,
          name,
          this.#visibility,
        );
    if (field.stored) values.set(referenceColumn(name, keyKind), target);
  }

  async #insert(
    table: Table,
    id: number,
    columns: Map<string, unknown>,
    changes: readonly FieldChange[],
    after: RecordValue,
  ): Promise<{ auditId: number }> {
    columns.set('id', id);
    columns.set('last_modified_by', this.#tx.origin.user);
    columns.set('audit_action', 'ADD');
    columns.set('audit_tag', table.changes!.created!.name);
    columns.set('audit_text', auditText('added', changes, after));
    const names = [...columns.keys()];
    const { rows } = await this.#tx.client.query<{ auditId: number }>(
      `insert into ${quoted(table.name)} (${names.map(quoted).join(', ')}, audit_id)
       values (${names.map((_, index) => `$${index + 1}`).join(', ')}, log_id()) returning audit_id as "auditId"`,
      [...columns.values()],
    );
    return rows[0]!;
  }

  async #update(
    table: Table,
    id: number,
    columns: Map<string, unknown>,
    action: AuditAction,
    changes: readonly FieldChange[],
    auditId?: number,
  ): Promise<{ version: number; auditId: number }> {
    const values = new Map(columns);
    values.set('last_modified_by', this.#tx.origin.user);
    values.set('audit_action', action);
    values.set('audit_tag', table.changes!.modified.name);
    values.set('audit_text', auditText('changed', changes));
    const sets = [...values.keys()].map((name, index) => `${quoted(name)} = $${index + 2}`);
    const { rows } = await this.#tx.client.query<{ version: number; auditId: number }>(
      `update ${quoted(table.name)} set ${sets.join(', ')}, version = version + 1, last_modified_date = now(), audit_id = ${auditId ?? 'log_id()'}
       where id = $1 returning version, audit_id as "auditId"`,
      [id, ...values.values()],
    );
    return rows[0]!;
  }
}

const columnValue = (field: Field, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  const { kind } = field.shape;
  const stored = field.store ? field.store(value) : value;
  return kind === 'list' || kind === 'map' || kind === 'object' || kind === 'json' ? JSON.stringify(stored) : stored;
};

/** Returns the text about the last change that the record itself stores. */
const auditText = (verb: string, changes: readonly FieldChange[], created?: RecordValue): string => {
  if (created) return verb;
  return `${verb} ${changes.map((change) => change.field).join(', ')}`.slice(0, 500);
};
