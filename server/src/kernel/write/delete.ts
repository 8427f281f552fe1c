import type { Visibility } from '../access/visibility.ts';
import { type Collection, isRanked } from '../declare/declaration.ts';
import { quoted } from '../declare/names.ts';
import { rejected } from '../failure.ts';
import type { Link, Table } from '../model/model.ts';
import type { RecordValue } from '../read/select.ts';
import { fieldChanges, writeChanges } from './changes.ts';
import { storedRowsOf, type Tx } from './engine.ts';
import { closeGaps, lockRanks } from './rank.ts';
import { innerReferencesTo, linksTo, refuseInUse, withoutReference } from './references.ts';
import { type Expected, lockRows, refuseStale } from './save-checks.ts';
import { storePlacesBeforeDelete } from './visibility-changes.ts';

/** Number of records of a deletion that are in memory at a time. */
const removedAtOnce = 100;

/** Access to the records that refer to the deleted ones. */
interface Referrers {
  fetch(collection: Pick<Collection, 'name'>, id: number): Promise<RecordValue | undefined>;
  update(collection: Pick<Collection, 'name'>, id: number, input: RecordValue): Promise<unknown>;
}

/** Deletes records and everything that follows: dependents, references to them, ranks, audit rows and events. */
export class Deletion {
  readonly #tx: Tx;
  readonly #visibility: Visibility;
  readonly #records: Referrers;

  constructor(tx: Tx, visibility: Visibility, records: Referrers) {
    this.#tx = tx;
    this.#visibility = visibility;
    this.#records = records;
  }

  #rules(table: Table) {
    return this.#tx.engine.rules.get(table.declaration.name);
  }

  /** Deletes all or none: one unknown, protected or referenced record refuses the complete deletion. */
  async run(table: Table, ids: readonly number[], expected: Expected, isDependent = false): Promise<void> {
    const { client, engine } = this.#tx;
    await this.#rules(table)?.beforeLock?.(undefined, this.#tx);
    const dependents = linksTo(engine.model, table.declaration.name).filter((link) => link.onDelete === 'cascade');
    for (const lockedTable of [table, ...dependents.map((link) => link.from)])
      if (isRanked(lockedTable.declaration)) await lockRanks(client, lockedTable);
    const rows = await lockRows(client, table, ids, 'update', this.#visibility);
    if (expected.version !== undefined) refuseStale(table, rows[0]!, {}, expected);
    const afterRemoval = await this.#rules(table)?.beforeDeleteMany?.(ids, this.#tx, isDependent);
    for (let start = 0; start < rows.length; start += removedAtOnce)
      await this.#beforeRemoval(
        table,
        rows.slice(start, start + removedAtOnce).map(({ id }) => id),
      );
    await refuseInUse(client, engine.model, table, ids, this.#visibility);
    await this.#releaseReferrers(table, ids);
    for (const link of dependents) await this.#removeDependents(link, ids);
    await storePlacesBeforeDelete(this.#tx, table, ids);
    await client.query('delete from reference where from_table = $1 and from_id = any($2::bigint[])', [
      table.name,
      ids,
    ]);
    const { rows: deletedRows } = await client.query<{ rank: number }>(
      `delete from ${quoted(table.name)} where id = any($1::bigint[])${isRanked(table.declaration) ? ' returning rank' : ''}`,
      [ids],
    );
    if (isRanked(table.declaration)) await closeGaps(client, table, Math.min(...deletedRows.map(({ rank }) => rank)));
    await afterRemoval?.();
  }

  /** Runs the rules for the deletion of these records, and writes their audit rows and events. */
  async #beforeRemoval(table: Table, ids: readonly number[]): Promise<void> {
    const { identity } = table.declaration;
    const records = await storedRowsOf(this.#tx.engine, table.declaration.name, this.#visibility).fetchMany(
      this.#tx.client,
      ids,
      [],
      0,
    );
    const removed = records
      .map((record) => ({
        id: record[identity] as number,
        record,
        changes: fieldChanges(table, record, undefined, {}),
      }))
      .sort((a, b) => a.id - b.id);
    for (const { record } of removed) await this.#rules(table)?.beforeDelete?.(record, this.#tx);
    await writeChanges(this.#tx, table, 'DELETE', 'deleted', removed);
  }

  /** Deletes dependent records as a deletion by the caller would, with audit rows and events. */
  async #removeDependents({ from: dependentTable, column }: Link, ids: readonly number[]): Promise<void> {
    const { rows } = await this.#tx.client.query<{ id: number }>(
      `select r.id from ${quoted(dependentTable.name)} r where r.${quoted(column)} = any($1::bigint[]) order by r.id limit 5001`,
      [ids],
    );
    refuseTooMany(rows.length);
    if (rows.length === 0) return;
    await this.run(
      dependentTable,
      rows.map(({ id }) => id),
      {},
      true,
    );
  }

  /** Clears references that may be empty as an update by the caller would, with versions and audit rows. */
  async #releaseReferrers(table: Table, ids: readonly number[]): Promise<void> {
    const { client, engine } = this.#tx;
    const { name } = table.declaration;
    // References set by the service are not configuration: the foreign key clears them in one statement.
    const isConfigured = ({ from: referringTable, field }: Link) =>
      referringTable.fields.get(field)!.access === 'write';
    for (const link of linksTo(engine.model, name).filter(
      (candidate) => candidate.onDelete === 'set null' && isConfigured(candidate),
    )) {
      const { rows } = await client.query<{ id: number }>(
        `select r.id from ${quoted(link.from.name)} r where r.${quoted(link.column)} = any($1::bigint[]) order by r.id limit 5001`,
        [ids],
      );
      refuseTooMany(rows.length);
      const nothing = link.from.fields.get(link.field)!.shape.nullable
        ? null
        : link.from.fields.get(link.field)!.default;
      for (const row of rows) await this.#records.update(link.from.declaration, row.id, { [link.field]: nothing });
    }
    for (const inner of innerReferencesTo(engine.model, name).filter(
      (reference) => reference.onDelete === 'set null',
    )) {
      const { rows } = await client.query<{ from: number; to: number }>(
        `select x.from_id as "from", x.to_id as "to" from reference x
         where x.from_table = $1 and x.field = $2 and x.to_table = $3 and x.to_id = any($4::bigint[]) order by x.from_id limit 5001`,
        [inner.from.name, inner.field, table.name, ids],
      );
      refuseTooMany(rows.length);
      for (const row of rows) {
        const referrer = await this.#records.fetch(inner.from.declaration, row.from);
        await this.#records.update(inner.from.declaration, row.from, {
          [inner.field]: withoutReference(referrer?.[inner.field], inner.path, row.to),
        });
      }
    }
  }
}

function refuseTooMany(referrers: number): void {
  if (referrers > 5_000) throw rejected('More than 5,000 records refer to this one; remove those references first.');
}
