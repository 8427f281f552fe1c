import {
  type Collection,
  type Declaration,
  deletes,
  isCollection,
  isLog,
  isRanked,
  isSingle,
  type Log,
} from '../declare/declaration.ts';
import { permissionKeys } from '../declare/permissions.ts';
import type { Shape } from '../declare/shape.ts';
import { holdsSecrets } from './nested-secrets.ts';
import { faultInBindings } from './secret-binding.ts';

/** Returns the error that stops the service: a sentence that names the declaration and its mistake. */
export const mistake = (declaration: { name: string }, what: string) =>
  new Error(`The declaration of ${declaration.name} ${what}.`);

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Throws for the mistakes of a declaration that the compiler does not find. */
export function refuseMistakes(declaration: Declaration): void {
  const { name, permission, path, patterns, fields } = declaration;
  if (!kebab.test(name)) throw mistake(declaration, `has a name that is not kebab-case`);
  if (!permission) throw mistake(declaration, 'has no permission; name one of the forty keys');
  if (!permissionKeys.includes(permission))
    throw mistake(declaration, `has the permission ${permission}, which is none of the forty keys`);
  if (!declaration.doc) throw mistake(declaration, 'has no doc; describe its records in one sentence');
  if (patterns.length > 0 && !path) throw mistake(declaration, 'has operations but no path');
  if (path && !path.startsWith('/')) throw mistake(declaration, `has the path ${path}; a path starts with a slash`);
  const single = isSingle(declaration);
  if (!single && !(declaration.identity in fields))
    throw mistake(declaration, `has no field ${declaration.identity}, which is its identity`);
  if (!single && !(declaration.label in fields))
    throw mistake(declaration, `has no field ${declaration.label}, which is its label`);
  for (const [key, field] of Object.entries(fields)) {
    if (!/^[a-zA-Z][a-zA-Z0-9_]*$/.test(key))
      throw mistake(declaration, `has a field called ${key}; use letters and digits`);
    refuseUnbounded(declaration, key, field.shape);
    const absent = field.joins?.find((name) => !(name in ((declaration as Collection).joins ?? {})));
    if (absent) throw mistake(declaration, `reads ${key} from ${absent}, which is not one of its joins`);
    if (field.detailOnly && field.shape.kind !== 'list')
      throw mistake(
        declaration,
        `has a field ${key} that only a fetch shows and that is no list, so lists could not leave it empty`,
      );
    // The row exists before the first request.
    if (single && field.stored && field.default === undefined)
      throw mistake(declaration, `has no default for ${key}; settings exist from the start`);
  }
  const { typeInPath: typed } = declaration as Collection;
  if (typed && fields[typed.field]?.shape.kind !== 'choice')
    throw mistake(declaration, `has the type ${typed.field} in its path, which is no choice among its fields`);
  if (isLog(declaration)) refuseLogMistakes(declaration);
  const unknown = declaration.columns?.find((column) => !(column in fields));
  if (unknown) throw mistake(declaration, `shows the column ${unknown}, which is none of its fields`);
  const unbound = faultInBindings(fields);
  if (unbound) throw mistake(declaration, unbound);
  refuseWrongSections(declaration);
  refuseWrongScope(declaration);
  refuseWrongDeciding(declaration as Collection);
  const needs: Partial<Record<(typeof patterns)[number], string>> = {
    enable: 'enabled',
    disable: 'enabled',
    enableMany: 'enabled',
    disableMany: 'enabled',
    rankSet: 'rank',
    rankSwap: 'rank',
  };
  if (patterns.includes('archive') && !isLog(declaration)) throw mistake(declaration, 'has archives but is no log');
  for (const pattern of patterns) {
    const needed = needs[pattern];
    if (needed && (needed === 'rank' ? !isRanked(declaration) : !(needed in fields)))
      throw mistake(declaration, `has the operation ${pattern} but no field ${needed}`);
  }
}

/** Only configured fields raise the policy generation: polls and traps never do. */
function refuseWrongDeciding(declaration: Collection): void {
  const { deciding, fields } = declaration;
  for (const name of deciding?.fields ?? []) {
    const field = fields[name];
    const isConfigured =
      field && !field.observed && (field.access === 'write' || (field.access === 'computed' && field.stored));
    if (!isConfigured) throw mistake(declaration, `decides by ${name}, which is no configured field`);
  }
}

/** Monitors follow the transactions of a log's rows, and deletions its table: open rows have neither. */
const openRowsLack = ['monitor', ...deletes] as const;

/** Throws if a time is not a field, or if a version adds a field without a default. */
function refuseLogMistakes(declaration: Log): void {
  const { timeField, closedBy, openRows, concerns, totals = [], added = {}, fields } = declaration;
  const end = closedBy === undefined ? undefined : fields[closedBy];
  if (!(timeField in fields)) throw mistake(declaration, `has no field ${timeField}, which is its time`);
  const hasOpenRows = openRows !== undefined;
  if (closedBy !== undefined && !(end?.stored && end.shape.kind === 'time' && hasOpenRows === !!end.shape.nullable))
    throw mistake(
      declaration,
      `is closed by ${closedBy}, which is not a time that ${hasOpenRows ? 'open rows lack' : 'every row has'}`,
    );
  const unfit = hasOpenRows && openRowsLack.find((pattern) => declaration.patterns.includes(pattern));
  if (hasOpenRows && closedBy === undefined) throw mistake(declaration, 'has open rows but no end time');
  if (unfit) throw mistake(declaration, `has open rows, which the operation ${unfit} does not support`);
  if (concerns && !fields[concerns.by]?.stored)
    throw mistake(declaration, `concerns records by ${concerns.by}, which is no column of its rows`);
  const uncounted = totals.find((field) => !fields[field]?.stored);
  if (uncounted) throw mistake(declaration, `counts values of ${uncounted}, which is no column of its rows`);
  const unknown = Object.values(added)
    .flat()
    .find((field) => fields[field]?.default === undefined);
  if (unknown) throw mistake(declaration, `added ${unknown} without a default; rows from before need one`);
}

/** Throws for a row scope without a condition, which would hide nothing. */
function refuseWrongScope(declaration: Declaration): void {
  const scope = isCollection(declaration) ? declaration.scopedBy : undefined;
  if (!scope) return;
  const { elementType, selected, descendantsBy, seenWith } = scope;
  if (elementType === undefined && !selected && !seenWith)
    throw mistake(declaration, 'has a row scope without a condition');
  if (descendantsBy && !selected)
    throw mistake(declaration, 'is scoped by descendants of records that cannot be selected');
  for (const field of [descendantsBy, seenWith]) {
    if (field && !declaration.fields[field]?.reference)
      throw mistake(declaration, `is scoped by ${field}, which is none of its references`);
  }
}

/** A declaration with more fields must divide them into sections. */
const undividedMax = 20;

function refuseWrongSections(declaration: Declaration): void {
  const { fields, sections = {}, units = {}, labels = {}, path } = declaration;
  const placed = Object.values(sections).flat();
  const unknown = [...placed, ...Object.keys(units), ...Object.keys(labels)].find((name) => !(name in fields));
  if (unknown)
    throw mistake(declaration, `has ${unknown} in a section, a unit or a label, which is none of its fields`);
  const twice = placed.find((name, index) => placed.indexOf(name) < index);
  if (twice) throw mistake(declaration, `has the field ${twice} in two sections`);
  const counted = Object.keys(units).find((name) => fields[name]!.shape.kind !== 'integer');
  if (counted) throw mistake(declaration, `has a unit for ${counted}, which is no number`);
  if (!path || Object.keys(fields).length <= undividedMax) return;
  const loose = Object.keys(fields).find(
    (name) => (fields[name]!.access === 'write' || fields[name]!.access === 'secret') && !placed.includes(name),
  );
  if (loose) throw mistake(declaration, `has more than ${undividedMax} fields, and ${loose} in no section`);
}

/** Throws for a text, number, list or map without a limit. */
function refuseUnbounded(declaration: Declaration, path: string, shape: Shape): void {
  const bounded = (limit: unknown) => typeof limit === 'number' && Number.isFinite(limit);
  switch (shape.kind) {
    case 'mixed':
      if (!bounded(shape.items)) throw mistake(declaration, `has no bound on the list ${path}; give it items`);
      if (!bounded(shape.max)) throw mistake(declaration, `has no bound on the text ${path}; give it a max`);
      return;
    case 'text':
    case 'json':
      if (!bounded(shape.max)) throw mistake(declaration, `has no bound on the text ${path}; give it a max`);
      return;
    case 'integer':
    case 'decimal':
      if (!bounded(shape.min) || !bounded(shape.max))
        throw mistake(declaration, `has no bound on the number ${path}; give it a min and a max`);
      return;
    case 'list':
      if (!bounded(shape.max)) throw mistake(declaration, `has no bound on the list ${path}; give it a max`);
      if (holdsSecrets(shape.item) && !shape.key)
        throw mistake(declaration, `has secrets inside the list ${path}; declare the key that identifies its items`);
      refuseUnbounded(declaration, `${path}[]`, shape.item);
      return;
    case 'map':
      if (!bounded(shape.max)) throw mistake(declaration, `has no bound on the map ${path}; give it a max`);
      refuseUnbounded(declaration, `${path}{}`, shape.value);
      return;
    case 'object':
      for (const [key, property] of Object.entries(shape.properties))
        refuseUnbounded(declaration, `${path}.${key}`, property);
  }
}
