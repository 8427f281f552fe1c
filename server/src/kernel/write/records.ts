import { missing, nameOf } from '../check.ts';
import { type Collection, isRanked } from '../declare.ts';
import type { ChangeEvents, EventEntry } from '../event-type.ts';
import { Failure, type Fault, invalid, notFound, rejected } from '../failure.ts';
import type { Field, Reference } from '../field.ts';
import { Parameters } from '../filter/compile.ts';
import { holdsSecrets, maskSecrets, replaceSecrets, secretMask } from '../inner-secrets.ts';
import type { Link, Table } from '../model.ts';
import { referenceColumn } from '../model.ts';
import { quoted, snakeCase } from '../names.ts';
import type { RecordValue } from '../read/select.ts';
import { type Sight, wholeSight } from '../scope.ts';
import type { Shape } from '../shape.ts';
import { instantSql } from '../time.ts';
import { fieldChanges, same, summaryOf } from './changes.ts';
import { noteDeparture, noteMove, placingField } from './departures.ts';
import { readerOf, type SaveStep, sightOf, type Tx } from './engine.ts';
import { closeGaps, lockRanks, makeRoom, shiftBetween } from './rank.ts';
import {
  idsAt,
  innerReferencesTo,
  linksTo,
  mirrorInnerReferences,
  refuseInUse,
  resolveReference,
  withoutReference,
} from './references.ts';
import { readSecret, type Seal, secretPlace } from './secrets.ts';
import type { AuditAction, AuditEntry, FieldChange } from './sinks.ts';

/** What a save did. */
export interface Saved {
  id: number;
  version: number;
  created: boolean;
  /** False when the record already was as sent: no new version, no audit row, no event. */
  changed: boolean;
}

/** A guard against stale writes: the version the client has read. */
export interface Expected {
  version?: number | undefined;
  /** The version came by If-Match, so a clash is 412. */
  byHeader?: boolean;
}

type Named = Pick<Collection, 'name'>;

/** A change as it is kept: in the audit log and as an event. */
interface WrittenDown {
  id: number;
  /** The id that the record itself keeps as its last audit. */
  auditId?: number;
  record: RecordValue;
  changes: readonly FieldChange[];
}

/** So many records of a deletion are held in memory at a time. */
const removedAtOnce = 100;

/**
 * The one way to change declared tables: every change gets its version, audit row, event, reference mirror and secrets here,
 * and its feed entry and count from the table's trigger, all in the transaction of the caller.
 * A row that the caller does not see is not there: it cannot be read, changed, deleted or referred to.
 */
export class Records {
  readonly #tx: Tx;
  readonly #sight: Sight;
  #sealer: Promise<Seal> | undefined;

  constructor(tx: Tx) {
    this.#tx = tx;
    this.#sight = sightOf(tx.engine, tx.origin);
  }

  /** For SQL of a group's own, behind another condition: what a row `r` must fulfil to be seen by the caller. */
  andSeen(named: Named, parameters: Parameters): string {
    const seen = this.#sight.condition(this.#table(named).declaration, parameters);
    return seen ? ` and ${seen}` : '';
  }

  #table(named: Named): Table & { declaration: Collection } {
    return this.#tx.engine.model.byName(named.name) as Table & { declaration: Collection };
  }

  /** The record as the transaction sees it. */
  async fetch(named: Named, id: number): Promise<RecordValue | undefined> {
    return this.#reader(named).fetch(this.#tx.client, id);
  }

  #reader({ name }: Named) {
    return readerOf(this.#tx.engine, name, this.#sight);
  }

  async exists(named: Named, id: number): Promise<boolean> {
    const parameters = new Parameters([id]);
    const { rowCount } = await this.#tx.client.query(
      `select from ${quoted(this.#table(named).name)} r where r.id = $1${this.andSeen(named, parameters)}`,
      parameters.values,
    );
    return rowCount === 1;
  }

  async create(named: Named, sent: RecordValue): Promise<Saved> {
    const table = this.#table(named);
    const { client } = this.#tx;
    await this.#rules(table)?.beforeLock?.(sent, this.#tx);
    if (isRanked(table.declaration)) await lockRanks(client, table);
    const after = { ...withDefaults(table, sent) };
    const id = await this.#nextId(table);
    const step: SaveStep = { id, before: undefined, after, sent };
    await this.#refuseHidden(table, undefined, sent);
    await this.#rules(table)?.beforeSave?.(step, this.#tx);
    // Who chose no place is not told that others are in the way.
    const eyes = sent.rank ? this.#sight : wholeSight;
    if (isRanked(table.declaration)) after.rank = await makeRoom(client, table, Number(after.rank ?? 0), eyes);
    const sealed = await this.#sealInside(table, id, undefined, after);
    const changes = fieldChanges(table, undefined, after, sent);
    const columns = await this.#columnValues(
      table,
      id,
      [...table.fields.keys()],
      { ...after, ...Object.fromEntries(sealed) },
      sent,
    );
    const { auditId } = await this.#insert(table, id, columns, changes, after);
    await mirrorInnerReferences(client, this.#tx.engine.model, table, id, undefined, after, this.#sight);
    await this.#writeDown(table, 'ADD', 'created', [{ id, auditId, record: after, changes }]);
    await this.#rules(table)?.afterSave?.(step, this.#tx);
    await this.#refuseOutOfSight(table, id);
    return { id, version: 1, created: true, changed: true };
  }

  async update(
    named: Named,
    id: number,
    sent: RecordValue,
    expected: Expected = {},
    action: AuditAction = 'MODIFY',
  ): Promise<Saved> {
    const table = this.#table(named);
    const { client } = this.#tx;
    const moves = isRanked(table.declaration) && sent.rank !== undefined;
    await this.#rules(table)?.beforeLock?.(sent, this.#tx);
    if (moves) await lockRanks(client, table);
    const current = await this.#lock(table, id);
    const before = (await this.fetch(named, id))!;
    refuseStale(table, current, sent, expected);
    refuseChangedKept(table, before, sent);
    const after: RecordValue = { ...before };
    for (const [name, field] of table.fields) {
      if (field.access === 'write' && sent[name] !== undefined && !namesTheSame(field, before[name], sent[name]))
        after[name] = field.merge ? field.merge(sent[name], before[name]) : sent[name];
    }
    refuseChangedFixed(table, before, after);
    if (after.rank === 0) after.rank = before.rank;
    const step: SaveStep = { id, before, after, sent };
    await this.#refuseHidden(table, before, sent);
    await this.#rules(table)?.beforeSave?.(step, this.#tx);
    noteMask(table, before, after);
    await this.#dropUnchangedSecrets(table, id, sent, step);
    const sealed = await this.#sealInside(table, id, before, after);
    const changes = fieldChanges(table, before, after, step.sent, sealed);
    if (changes.length === 0) return { id, version: current.version, created: false, changed: false };
    if (moves && after.rank !== before.rank) {
      await shiftBetween(client, table, id, Number(before.rank), Number(after.rank), this.#sight);
    }
    const touched = [...table.fields.keys()].filter(
      (name) => table.fields.get(name)!.access === 'secret' || sealed.has(name) || !same(before[name], after[name]),
    );
    const stored = { ...after, ...Object.fromEntries(sealed) };
    const columns = await this.#columnValues(table, id, touched, stored, step.sent);
    const place = placingField(table);
    if (place && touched.includes(place)) await noteMove(this.#tx, table, id);
    const { version, auditId } = await this.#update(table, id, columns, action, changes);
    await mirrorInnerReferences(client, this.#tx.engine.model, table, id, before, after, this.#sight);
    await this.#writeDown(table, action, 'modified', [{ id, auditId, record: after, changes }]);
    await this.#rules(table)?.afterSave?.(step, this.#tx);
    await this.#refuseOutOfSight(table, id);
    return { id, version, created: false, changed: true };
  }

  /** All or none: one unknown id, one protected or one referenced record, and nothing is deleted. */
  async remove(named: Named, ids: readonly number[], expected: Expected = {}): Promise<void> {
    await this.#remove(named, ids, expected, false);
  }

  async #remove(named: Named, ids: readonly number[], expected: Expected, isDependent: boolean): Promise<void> {
    const table = this.#table(named);
    const { client, engine } = this.#tx;
    await this.#rules(table)?.beforeLock?.(undefined, this.#tx);
    const dependents = linksTo(engine.model, named.name).filter((link) => link.onDelete === 'cascade');
    for (const each of [table, ...dependents.map((link) => link.from)])
      if (isRanked(each.declaration)) await lockRanks(client, each);
    const rows = await this.#lockMany(table, ids, 'update');
    if (expected.version !== undefined) refuseStale(table, rows[0]!, {}, expected);
    const whenGone = await this.#rules(table)?.beforeRemoval?.(ids, this.#tx, isDependent);
    for (let start = 0; start < rows.length; start += removedAtOnce)
      await this.#beforeRemoval(
        table,
        rows.slice(start, start + removedAtOnce).map(({ id }) => id),
      );
    await refuseInUse(client, engine.model, table, ids, this.#sight);
    await this.#releaseReferrers(table, ids);
    for (const link of dependents) await this.#removeDependents(link, ids);
    await noteDeparture(this.#tx, table, ids);
    await client.query('delete from reference where from_table = $1 and from_id = any($2::bigint[])', [
      table.name,
      ids,
    ]);
    const { rows: gone } = await client.query<{ rank: number }>(
      `delete from ${quoted(table.name)} where id = any($1::bigint[])${isRanked(table.declaration) ? ' returning rank' : ''}`,
      [ids],
    );
    if (isRanked(table.declaration)) await closeGaps(client, table, Math.min(...gone.map(({ rank }) => rank)));
    await whenGone?.();
  }

  /** What the rules say to the deletion of these, and what is kept of them. */
  async #beforeRemoval(table: Table, ids: readonly number[]): Promise<void> {
    const { identity } = table.declaration;
    const records = await this.#reader(table.declaration).fetchMany(this.#tx.client, ids, [], 0);
    const removed = records
      .map((record) => ({
        id: record[identity] as number,
        record,
        changes: fieldChanges(table, record, undefined, {}),
      }))
      .sort((a, b) => a.id - b.id);
    for (const { record } of removed) await this.#rules(table)?.beforeDelete?.(record, this.#tx);
    await this.#writeDown(table, 'DELETE', 'deleted', removed);
  }

  async setEnabled(named: Named, ids: readonly number[], enabled: boolean, expected: Expected = {}): Promise<Saved[]> {
    // All of them first, in the order of their ids; one alone is locked by its change.
    if (ids.length > 1) await this.#lockMany(this.#table(named), ids, 'no key update');
    const saved: Saved[] = [];
    for (const id of ids)
      saved.push(await this.update(named, id, { enabled }, expected, enabled ? 'ENABLE' : 'DISABLE'));
    return saved;
  }

  /** Moves one record to a place; the others give way without a version of their own. */
  async setRank(named: Named, id: number, rank: number, expected: Expected = {}): Promise<Saved> {
    return this.update(named, id, { rank }, expected, 'RANK');
  }

  /** Exchanges the places of two records: one audit row tells both. */
  async swapRanks(named: Named, a: number, b: number): Promise<void> {
    const table = this.#table(named);
    const { client } = this.#tx;
    await this.#rules(table)?.beforeLock?.({ rank: 0 }, this.#tx);
    await lockRanks(client, table);
    await this.#lockMany(table, [a, b], 'no key update');
    const [first, second] = [(await this.fetch(named, a))!, (await this.fetch(named, b))!];
    if (a === b) return;
    const steps = [
      { id: a, before: first, after: { ...first, rank: second.rank }, sent: { rank: second.rank } },
      { id: b, before: second, after: { ...second, rank: first.rank }, sent: { rank: first.rank } },
    ];
    for (const step of steps) await this.#rules(table)?.beforeSave?.(step, this.#tx);
    const { label } = table.declaration;
    const rankOf = (record: RecordValue) => String(record.rank);
    const changes: FieldChange[] = [
      { field: 'rank', before: rankOf(first), after: rankOf(second) },
      { field: `rank of ${second[label]}`, before: rankOf(second), after: rankOf(first) },
    ];
    const { auditId } = await this.#update(table, a, new Map([['rank', second.rank]]), 'RANK', changes);
    await this.#update(table, b, new Map([['rank', first.rank]]), 'RANK', changes, auditId);
    await this.#writeDown(table, 'RANK', 'modified', [{ id: a, auditId, record: first, changes }]);
    for (const step of steps) await this.#rules(table)?.afterSave?.(step, this.#tx);
  }

  /** Writes what a poll, a trap or the service itself saw: only where different, with a feed entry, without version or audit row. */
  async observe(named: Named, id: number, seen: RecordValue): Promise<boolean> {
    const table = this.#table(named);
    for (const name of Object.keys(seen)) {
      if (!table.fields.get(name)?.observed) throw new Error(`${table.name}.${name} is not an observed field`);
    }
    const columns = await this.#columnValues(table, id, Object.keys(seen), seen, {});
    const names = [...columns.keys()];
    const parameters = new Parameters([id, ...columns.values()]);
    const { rowCount } = await this.#tx.client.query(
      `update ${quoted(table.name)} r set ${names.map((name, index) => `${quoted(name)} = $${index + 2}`).join(', ')}${observedMask(table, names)}
       where r.id = $1 and (${names.map((name, index) => `r.${quoted(name)} is distinct from $${index + 2}`).join(' or ')})${this.andSeen(named, parameters)}`,
      parameters.values,
    );
    return rowCount === 1;
  }

  /** The plain text of a secret, for the group's own use of it. */
  async secret(named: Named, id: number, field: string): Promise<string> {
    const { declaration } = this.#table(named);
    const isLimited = this.#sight.limitsOn(declaration).length > 0;
    if (isLimited && !(await this.exists(named, id))) throw notFound(declaration.title, id);
    return readSecret(this.#tx.client, this.#tx.engine.secrets, this.#table(named), id, field);
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
    return (await this.#lockMany(table, [id], 'no key update'))[0]!;
  }

  /**
   * Rows are locked in the order of their ids, so that two lists of the same records cannot wait for each other.
   * A change leaves the key alone, so those who refer to the row need not wait for it; a deletion makes them.
   */
  async #lockMany(table: Table, ids: readonly number[], strength: 'update' | 'no key update'): Promise<LockedRow[]> {
    const parameters = new Parameters([ids]);
    const { rows } = await this.#tx.client.query<LockedRow>(
      `select r.id, r.version, r.last_modified_by as "by", ${instantSql('r.last_modified_date')} as "at" from ${quoted(table.name)} r
       where r.id = any($1::bigint[])${this.andSeen(table.declaration, parameters)} order by r.id for ${strength} of r`,
      parameters.values,
    );
    if (rows.length < new Set(ids).size) {
      const found = new Set(rows.map((row) => row.id));
      throw notFound(
        table.declaration.title,
        ids.find((id) => !found.has(id)),
      );
    }
    return rows;
  }

  /**
   * What is sent may name nothing that the caller does not see; said before the group's rules look at it, so that those cannot tell
   * the hidden from the unknown. What a record refers to already may be sent back.
   */
  async #refuseHidden(table: Table, before: RecordValue | undefined, sent: Readonly<RecordValue>): Promise<void> {
    const { client, engine } = this.#tx;
    const isHiding = (to: string) =>
      engine.model.has(to) && this.#sight.limitsOn(engine.model.byName(to).declaration).length > 0;
    const look = (reference: Pick<Reference, 'to' | 'by' | 'where'>, value: string | number, name: string) =>
      resolveReference(client, engine.model, reference, value, name, this.#sight);
    for (const [name, field] of table.fields) {
      const value = sent[name];
      if (value === undefined || field.access !== 'write') continue;
      const { reference, inner = [] } = field;
      if (
        reference &&
        isHiding(reference.to) &&
        !isEmptyReference(value) &&
        !isSameReference(field, before?.[name], value)
      )
        await look(reference, value as string | number, name);
      for (const each of inner.filter(({ to }) => isHiding(to))) {
        const old = new Set(idsAt(before?.[name], each.path));
        for (const id of idsAt(value, each.path).filter((target) => !old.has(target)))
          await look({ ...each, by: 'id' }, id, name);
      }
    }
  }

  /** Nobody puts a record where they do not see it themselves. */
  async #refuseOutOfSight(table: Table & { declaration: Collection }, id: number): Promise<void> {
    const { title } = table.declaration;
    if (this.#sight.limitsOn(table.declaration).length === 0 || (await this.exists(table.declaration, id))) return;
    throw new Failure(
      'forbidden',
      `The caller's profile limits which records of ${title} they see, and this one would not be among them; nothing was changed.`,
    );
  }

  /** A secret that is sent again as it is stored is no change. */
  async #dropUnchangedSecrets(table: Table, id: number, sent: RecordValue, step: SaveStep): Promise<void> {
    const kept = { ...step.sent };
    for (const [name, field] of table.fields) {
      if (
        field.access === 'secret' &&
        typeof sent[name] === 'string' &&
        (await this.secret(table.declaration, id, name)) === sent[name]
      )
        delete kept[name];
    }
    step.sent = kept;
  }

  /**
   * Seals the secrets inside lists and objects: `after` is left with their masks, and the answer is what to store instead,
   * for the fields that changed. A mask keeps what is stored in its place; the stored text sent again is no change.
   */
  async #sealInside(
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
        (text, kept, pointer) => {
          if (text === secretMask && !kept)
            throw rejected(
              `${nameOf(pointer)}: nothing is stored that ${secretMask} could keep; send the secret.`,
              pointer,
            );
          if (kept && (text === secretMask || opened.get(kept) === text)) return kept;
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

  /** The key to seal with is the same until the transaction ends. */
  #seal(): Promise<Seal> {
    const { client, engine } = this.#tx;
    this.#sealer ??= engine.secrets.sealer(client);
    return this.#sealer;
  }

  /** The plain text of every secret inside a stored cell, by what is stored for it. */
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

  async #columnValues(
    table: Table,
    id: number,
    names: readonly string[],
    record: RecordValue,
    sent: Readonly<RecordValue>,
  ): Promise<Map<string, unknown>> {
    const values = new Map<string, unknown>();
    for (const name of names) {
      const field = table.fields.get(name)!;
      if (field.access === 'secret') await this.#sealInto(values, table, id, name, sent[name]);
      else if (field.reference) await this.#referenceInto(values, field, name, record[name]);
      else if (field.stored) values.set(snakeCase(name), columnValue(field, record[name]));
    }
    return values;
  }

  async #sealInto(values: Map<string, unknown>, table: Table, id: number, name: string, text: unknown): Promise<void> {
    if (typeof text !== 'string') return;
    const column = snakeCase(name);
    const place = secretPlace(table.name, column, id);
    values.set(column, text === '' ? null : (await this.#seal())(text, place));
  }

  async #referenceInto(values: Map<string, unknown>, field: Field, name: string, shown: unknown): Promise<void> {
    const { by } = field.reference!;
    const value = field.store && shown ? field.store(shown) : shown;
    const target = isEmptyReference(value)
      ? null
      : await resolveReference(
          this.#tx.client,
          this.#tx.engine.model,
          field.reference!,
          value as string | number,
          name,
          this.#sight,
        );
    if (field.stored) values.set(referenceColumn(name, by), target);
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

  /** The audit rows and the events of a change. */
  async #writeDown(
    table: Table,
    action: AuditAction,
    happened: keyof ChangeEvents,
    written: readonly WrittenDown[],
  ): Promise<void> {
    const { client, origin, engine } = this.#tx;
    const { declaration } = table as Table & { declaration: Collection };
    const type = table.changes![happened]!;
    const audits: AuditEntry[] = [];
    const events: EventEntry[] = [];
    for (const { id, auditId, record, changes } of written) {
      const recordName = nameOfRecord(declaration, record);
      const summary = summaryOf(changes);
      audits.push({
        ...(auditId !== undefined && { auditId }),
        action,
        table: table.name,
        recordId: id,
        recordName,
        eventTag: type.name,
        summary,
        changes,
      });
      events.push({
        type,
        element: { id, name: recordName },
        message: `${action} ${recordName} by ${origin.user}${summary ? `: ${summary.replaceAll('\n', '; ')}` : ''}`,
      });
    }
    await engine.sinks.audit(client, origin, audits);
    await engine.sinks.events(client, origin, events);
  }

  /** Records that go with another are deleted like by a person's hand, with audit row and event. */
  async #removeDependents({ from, column }: Link, ids: readonly number[]): Promise<void> {
    const { rows } = await this.#tx.client.query<{ id: number }>(
      `select r.id from ${quoted(from.name)} r where r.${quoted(column)} = any($1::bigint[]) order by r.id limit 5001`,
      [ids],
    );
    refuseTooMany(rows.length);
    if (rows.length === 0) return;
    await this.#remove(
      from.declaration,
      rows.map(({ id }) => id),
      {},
      true,
    );
  }

  /** Records whose reference may become empty are changed like by a person's hand, with version and audit row. */
  async #releaseReferrers(table: Table, ids: readonly number[]): Promise<void> {
    const { client, engine } = this.#tx;
    const { name } = table.declaration;
    // What the service alone sets is nobody's configuration: the foreign key empties it, however many there are.
    const isConfigured = ({ from, field }: Link) => from.fields.get(field)!.access === 'write';
    for (const link of linksTo(engine.model, name).filter(
      (each) => each.onDelete === 'set null' && isConfigured(each),
    )) {
      const { rows } = await client.query<{ id: number }>(
        `select r.id from ${quoted(link.from.name)} r where r.${quoted(link.column)} = any($1::bigint[]) order by r.id limit 5001`,
        [ids],
      );
      refuseTooMany(rows.length);
      const nothing = link.from.fields.get(link.field)!.shape.nullable
        ? null
        : link.from.fields.get(link.field)!.default;
      for (const row of rows) await this.update(link.from.declaration, row.id, { [link.field]: nothing });
    }
    for (const inner of innerReferencesTo(engine.model, name).filter((each) => each.onDelete === 'set null')) {
      const { rows } = await client.query<{ from: number; to: number }>(
        `select x.from_id as "from", x.to_id as "to" from reference x
         where x.from_table = $1 and x.field = $2 and x.to_table = $3 and x.to_id = any($4::bigint[]) order by x.from_id limit 5001`,
        [inner.from.name, inner.field, table.name, ids],
      );
      refuseTooMany(rows.length);
      for (const row of rows) {
        const referrer = await this.fetch(inner.from.declaration, row.from);
        await this.update(inner.from.declaration, row.from, {
          [inner.field]: withoutReference(referrer?.[inner.field], inner.path, row.to),
        });
      }
    }
  }
}

/** How a record is called where its changes are told. */
function nameOfRecord({ single, title, label, otherLabel }: Collection, record: RecordValue): string {
  return single ? title : String(record[label] || (otherLabel && record[otherLabel]) || '');
}

/** The bits of the fields that a write changes, where a collection tells them. */
function noteMask(table: Table, before: RecordValue, after: RecordValue): void {
  const mask = (table.declaration as Collection).changeMask;
  if (!mask) return;
  const changed = Object.entries(mask.bits).filter(([field]) => !same(before[field], after[field]));
  after[mask.last] = changed.reduce((bits, [, bit]) => bits | bit, 0);
}

/** The same for what was observed, decided by the statement that writes it. */
function observedMask(table: Table, columns: readonly string[]): string {
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

interface LockedRow {
  id: number;
  version: number;
  by: string;
  at: string;
}

function refuseTooMany(referrers: number): void {
  if (referrers > 5_000) throw rejected('More than 5,000 records refer to this one; change those first.');
}

const isEmptyReference = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === 0;

const isSameReference = (field: Field, before: unknown, sent: unknown): boolean =>
  before === sent || namesTheSame(field, before, sent);

/** A reference by name, in other letters, to the record it names already: no change. */
const namesTheSame = (field: Field, before: unknown, sent: unknown): boolean =>
  field.reference?.by === 'name' &&
  typeof before === 'string' &&
  typeof sent === 'string' &&
  before.toLowerCase() === sent.toLowerCase();

const columnValue = (field: Field, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  const { kind } = field.shape;
  const stored = field.store ? field.store(value) : value;
  return kind === 'list' || kind === 'map' || kind === 'object' ? JSON.stringify(stored) : stored;
};

/** One line for the record's own last-change text. */
const auditText = (verb: string, changes: readonly FieldChange[], created?: RecordValue): string => {
  if (created) return verb;
  return `${verb} ${changes.map((change) => change.field).join(', ')}`.slice(0, 500);
};

/** The record as it is created: what was sent, defaults for the rest; fields without either are faults. */
function withDefaults(table: Table, sent: RecordValue): RecordValue {
  const faults: Fault[] = [];
  const record: RecordValue = {};
  for (const [name, field] of table.fields) {
    const isClients = field.access === 'write' || field.access === 'secret';
    if (
      isClients &&
      sent[name] !== undefined &&
      !(field.access === 'secret' && sent[name] === null && field.default === undefined)
    ) {
      if (field.access === 'write') record[name] = field.merge ? field.merge(sent[name], undefined) : sent[name];
    } else if (field.default !== undefined) {
      if (field.access !== 'secret') record[name] = structuredClone(field.default);
    } else if (isClients && (field.stored || field.reference)) {
      faults.push(missing(`/${name}`));
    }
  }
  if (faults.length > 0) throw invalid(faults);
  return record;
}

function refuseStale(table: Table, current: LockedRow, sent: RecordValue, expected: Expected): void {
  const version = expected.version ?? (table.fields.has('version') ? sent.version : undefined);
  if (version === undefined || version === current.version) return;
  throw new Failure(
    'stale',
    `This ${table.declaration.title} was changed by ${current.by} at ${current.at} and now has version ${current.version}; read it again and repeat the change.`,
    { httpCode: expected.byHeader ? 412 : 409 },
  );
}

/** What was chosen once and for all may be sent back, not changed. */
function refuseChangedFixed(table: Table, before: RecordValue, after: RecordValue): void {
  for (const [name, field] of table.fields) {
    if (field.fixed && !same(before[name], after[name]))
      throw rejected(`${name}: is ${JSON.stringify(before[name])} and cannot be changed later.`, `/${name}`);
  }
}

/** A field that the service keeps may be sent back as it was read, not changed. */
function refuseChangedKept(table: Table, before: RecordValue, sent: RecordValue): void {
  const faults: Fault[] = [];
  for (const [name, field] of table.fields) {
    if (
      field.access !== 'kept' ||
      sent[name] === undefined ||
      name === table.declaration.identity ||
      same(sent[name], before[name])
    )
      continue;
    faults.push({
      pointer: `/${name}`,
      message: `${name}: is kept by the service and is ${JSON.stringify(before[name])}; send that, or leave it out.`,
    });
  }
  if (faults.length > 0) throw invalid(faults);
}
