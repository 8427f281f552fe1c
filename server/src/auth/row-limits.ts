import type pg from 'pg';
import type { RowLimit, RowLimits } from '../kernel/access/visibility.ts';
import { Parameters } from '../kernel/database/parameters.ts';
import type { Limits } from '../kernel/declare/caller.ts';
import { type Declaration, isCollection, isLog, type Log, type RowScope } from '../kernel/declare/declaration.ts';
import { literal, quoted, snakeCase } from '../kernel/declare/names.ts';
import type { Model, Table } from '../kernel/model/model.ts';

const administratorType = 7;

/** Returns the row limits as SQL. Managed groups and selected records are read by each statement, so that a change applies at once. */
export const rowLimitsOf =
  (model: Model): RowLimits =>
  (declaration, limits) => {
    if (isLog(declaration)) return limitsOfRows(model, declaration, limits);
    const scope = scopeOf(declaration);
    if (!scope) return [];
    const rowLimits: RowLimit[] = [];
    if (scope.elementType !== undefined && limits.byGroups) rowLimits.push(membersOfManaged(scope, limits));
    const ids = limits.selected.get(declaration.permission);
    if (ids && (scope.selected || scope.seenWith))
      rowLimits.push(withinSelected(model, model.byName(declaration.name), ids));
    return rowLimits;
  };

/** Log rows are visible with the records they concern: once these are deleted, only callers without limits see them. */
function limitsOfRows(model: Model, { concerns, visibleWith = [] }: Log, limits: Limits): RowLimit[] {
  return [
    ...(concerns ? limitsOfRecord(model, concerns.group, `r.${quoted(snakeCase(concerns.by))}`, limits) : []),
    ...limitsOfFirst(model, visibleWith, limits),
  ];
}

/** Returns the limits of a resource on the record with this id. */
function limitsOfRecord(model: Model, group: string, id: string, limits: Limits): RowLimit[] {
  const { name, declaration } = model.byName(group);
  // Within the subquery, `r` is the row of the other table.
  const amongSeen = (condition: string) => `${id} in (select r.id from ${quoted(name)} r where ${condition})`;
  return rowLimitsOf(model)(declaration, limits).map((limit) => ({
    ...limit,
    rowCondition: (parameters) => amongSeen(limit.rowCondition(parameters)),
    bulkCondition: async (client) => amongSeen(await limit.bulkCondition(client)),
  }));
}

/** Returns the limits on the first existing one of several records. */
function limitsOfFirst(model: Model, records: NonNullable<Log['visibleWith']>, limits: Limits): RowLimit[] {
  const limited = records.map(({ group, id }) => ({ id, limits: limitsOfRecord(model, group, id, limits) }));
  const combined = limited.flatMap((record) => record.limits);
  if (combined.length === 0) return [];
  // Selected places include everything inside them, but membership in a group cannot be derived from a place.
  const isLimitedByGroups =
    limits.byGroups && records.some(({ group }) => scopeOf(model.byName(group).declaration)?.elementType !== undefined);
  const conditionOf = (conditions: readonly (readonly string[])[]): string => {
    const cases = limited.map(
      ({ id }, index) => `when ${id} is not null then ${['true', ...conditions[index]!].join(' and ')}`,
    );
    return `case ${cases.join(' ')} else ${!isLimitedByGroups} end`;
  };
  return [
    {
      rowCondition: (parameters) =>
        conditionOf(limited.map((record) => record.limits.map(({ rowCondition }) => rowCondition(parameters)))),
      bulkCondition: async (client) => {
        const conditions: string[][] = [];
        for (const record of limited) {
          const bulkConditions: string[] = [];
          for (const limit of record.limits) bulkConditions.push(await limit.bulkCondition(client));
          conditions.push(bulkConditions);
        }
        return conditionOf(conditions);
      },
      wasVisible: (parameters) => combined.map(({ wasVisible }) => `(${wasVisible(parameters)})`).join(' or '),
      fingerprint: (parameters) => combined.map(({ fingerprint }) => fingerprint(parameters)).join(' || '),
    },
  ];
}

const scopeOf = (declaration: Declaration) => (isCollection(declaration) ? declaration.scopedBy : undefined);

/** Selects the groups that the administrator groups of the account manage, with all nested groups. */
export const managedGroups = (account: string): string => `select d.descendant_id
  from group_member a
  join group_closure u on u.descendant_id = a.group_id
  join group_manages g on g.group_id = u.ancestor_id
  join group_closure d on d.ancestor_id = g.managed_id
  where a.element_type = ${administratorType} and a.member_id = ${account}`;

/** Returns the ids that a query selects, written as an SQL list. They are numbers from this database, so they are safe in a statement. */
async function idsOf(client: pg.PoolClient, query: (parameters: Parameters) => string): Promise<string> {
  const parameters = new Parameters();
  const { rows } = await client.query<{ id: number }>(
    `select distinct q.id from (${query(parameters)}) q(id)`,
    parameters.values,
  );
  return `'{${rows.map(({ id }) => Number(id)).join(',')}}'::bigint[]`;
}

function membersOfManaged({ elementType, andSelf }: RowScope, { accountId }: Limits): RowLimit {
  const orSelf = (condition: string) => (andSelf ? `(r.id = ${Number(accountId)} or ${condition})` : condition);
  const groups = (parameters: Parameters) => managedGroups(parameters.add(accountId, '::bigint'));
  return {
    // A scalar subquery, because PostgreSQL would turn `exists` into a join and read all members to check one row.
    rowCondition: (parameters) =>
      orSelf(`coalesce((select true from group_member m
  where m.element_type = ${elementType} and m.member_id = r.id and m.group_id = any(array(${groups(parameters)})) limit 1), false)`),
    bulkCondition: async (client) =>
      orSelf(`r.id in (select m.member_id from group_member m
  where m.element_type = ${elementType} and m.group_id = any(${await idsOf(client, groups)}))`),
    wasVisible: (parameters) => `p.kind = 'group' and p.place in (${groups(parameters)})`,
    fingerprint: (parameters) =>
      `(select md5(coalesce(string_agg(distinct f.id::text, ','), '')) from (${groups(parameters)}) f(id))`,
  };
}

function withinSelected(model: Model, table: Table, selected: readonly number[]): RowLimit {
  const ids = (parameters: Parameters) => parameters.add(selected, '::bigint[]');
  const path = pathToRoot(model, table);
  const { root, place } = path;
  const roots = (parameters: Parameters) => selectedIds(root, ids(parameters));
  return {
    rowCondition: (parameters) => `coalesce(${place('r')} = any(array(${roots(parameters)})), false)`,
    bulkCondition: async (client) => path.isIn(await idsOf(client, roots)),
    wasVisible: (parameters) => {
      const beneath = `p.kind = ${literal(root.name)} and p.place in (${roots(parameters)})`;
      return root === table ? `(${beneath} or p.id = any(${ids(parameters)}))` : beneath;
    },
    fingerprint: (parameters) => `md5(${ids(parameters)}::text)`,
  };
}

/** The path from a row to the record that can be selected, by the references in `seenWith`. */
interface PathToRoot {
  root: Table;
  /** Selects the id of that record, for the row with this alias. */
  place(alias: string): string;
  /** The condition that the row `r` is inside one of these records. */
  isIn(ids: string): string;
}

function pathToRoot(model: Model, table: Table): PathToRoot {
  const { seenWith } = scopeOf(table.declaration)!;
  const link = table.links.find(({ field }) => field === seenWith);
  if (!link) return { root: table, place: (alias) => `${alias}.id`, isIn: (ids) => `r.id = any(${ids})` };
  const target = model.byName(link.to);
  const column = quoted(link.column);
  const above = pathToRoot(model, target);
  if (above.root === target)
    return { root: target, place: (alias) => `${alias}.${column}`, isIn: (ids) => `r.${column} = any(${ids})` };
  const tableName = quoted(target.name);
  return {
    root: above.root,
    place: (alias) =>
      `(select ${above.place(`${alias}x`)} from ${tableName} ${alias}x where ${alias}x.id = ${alias}.${column})`,
    // Within the subquery, `r` is the row of the other table.
    isIn: (ids) => `r.${column} in (select r.id from ${tableName} r where ${above.isIn(ids)})`,
  };
}

/** Selects the ids of the selected records and of all their descendants. */
function selectedIds(root: Table, ids: string): string {
  const beneath = scopeOf(root.declaration)?.descendantsBy;
  if (!beneath) return `select unnest(${ids})`;
  const { column } = root.links.find(({ field }) => field === beneath)!;
  return `with recursive below (id) as (
    select unnest(${ids}) union select c.id from ${quoted(root.name)} c join below on c.${quoted(column)} = below.id
  ) select below.id from below`;
}
