import type { Context } from '../../context.ts';
import { type Fault, invalid, rejected } from '../../kernel/failure.ts';
import { spelledAttributes } from '../../radius/radius-dictionary-entry/radius-dictionary-entry.service.ts';
import type { AttributeFilter, Condition, Where } from '../decide/decide.service.ts';
import { checkCondition } from './check-condition.ts';
import { type CriteriaRecord, comparisonsMax, conditionsMax, ssidBytesMax } from './criteria.ts';
import { supportedAttribute } from './supported-attributes.ts';

/** Returns why a policy family does not accept an attribute; undefined if it does. */
export type RefusedAttribute = (name: string) => string | undefined;

/** Returns criteria in their normal form. Faults in the request alone are 400, those that depend on stored data 422. */
export async function checkCriteria(
  context: Context,
  criteria: CriteriaRecord,
  refusalOf: RefusedAttribute = () => undefined,
): Promise<CriteriaRecord> {
  const faults: Fault[] = [];
  const attributes = checkFilters(criteria.who.attributes, refusalOf, faults);
  checkTwice(criteria.who.roles.map(lowered), '/criteria/who/roles', faults);
  checkTwice(criteria.who.groups, '/criteria/who/groups', faults);
  checkWhere(criteria.where, '/criteria/where', faults);
  if (faults.length > 0) throw invalid(faults);
  await refuseOtherGroups(context, criteria.who.groups);
  const roles = await rolesAsNamed(context, criteria.who.roles);
  return {
    ...criteria,
    who: { ...criteria.who, roles, attributes: await withRadiusNames(context, attributes) },
  };
}

/** Rejects places with duplicates or with SSIDs that are too long. */
export function refuseWrongWhere(where: Where): void {
  const faults: Fault[] = [];
  checkWhere(where, '/where', faults);
  if (faults.length > 0) throw invalid(faults);
}

const lowered = (text: string): string => text.toLowerCase();

const fault = (pointer: string, message: string): Fault => ({
  pointer,
  message: `${pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')}: ${message}.`,
});

function checkTwice(values: readonly (string | number)[], pointer: string, faults: Fault[]): void {
  if (new Set(values).size < values.length) faults.push(fault(pointer, 'contains a value twice'));
}

function checkWhere(where: Where, pointer: string, faults: Fault[]): void {
  for (const list of ['containers', 'deviceGroups', 'portGroups', 'ssids'] as const)
    checkTwice(where[list], `${pointer}/${list}`, faults);
  where.ssids.forEach((name, index) => {
    if (Buffer.byteLength(name) > ssidBytesMax)
      faults.push(fault(`${pointer}/ssids/${index}`, `has more than ${ssidBytesMax} bytes`));
  });
}

function checkFilters(
  filters: readonly AttributeFilter[],
  refusalOf: RefusedAttribute,
  faults: Fault[],
): AttributeFilter[] {
  const conditions = filters.reduce((sum, filter) => sum + filter.conditions.length, 0);
  if (conditions > conditionsMax)
    faults.push(
      fault('/criteria/who/attributes', `has ${conditions} conditions; at most ${conditionsMax} are allowed`),
    );
  const comparisons = filters.reduce((sum, filter) => sum + filter.conditions.reduce(addComparisons, 0), 0);
  if (comparisons > comparisonsMax)
    faults.push(
      fault(
        '/criteria/who/attributes',
        `has ${comparisons} patterns, wildcards and networks in LIKE, NOT_LIKE and IN_SUBNET; at most ${comparisonsMax} are allowed`,
      ),
    );
  return filters.map((filter, index) => ({
    conditions: filter.conditions.map((condition, place) =>
      checked(condition, `/criteria/who/attributes/${index}/conditions/${place}`, refusalOf, faults),
    ),
  }));
}

/** Adds the patterns and networks that a condition compares one by one. Equality is one lookup, however many values there are. */
function addComparisons(sum: number, { op, value }: Condition): number {
  const values = Array.isArray(value) ? value : [value];
  if (op === 'IN_SUBNET') return sum + values.length;
  if (op !== 'LIKE' && op !== 'NOT_LIKE') return sum;
  return sum + values.reduce((count: number, pattern) => count + 1 + wildcardsIn(String(pattern)), 0);
}

const wildcardsIn = (pattern: string): number => pattern.match(/[*?]/g)?.length ?? 0;

function checked(condition: Condition, pointer: string, refusalOf: RefusedAttribute, faults: Fault[]): Condition {
  const { attribute: name } = condition;
  const supported = supportedAttribute(name);
  if ('fault' in supported) {
    if (supported.fault === 'unfilled')
      throw rejected(`${name} is not supported yet: nothing in this release fills it.`, `${pointer}/attribute`);
    faults.push(fault(`${pointer}/attribute`, `there is no attribute ${name}; supporting-info lists them`));
    return condition;
  }
  const reason = refusalOf(name);
  if (reason) throw rejected(`${name} ${reason}.`, `${pointer}/attribute`);
  const result = checkCondition(condition, supported.attribute);
  if ('value' in result) return { ...condition, value: result.value };
  faults.push(fault(`${pointer}/value`, `${name} ${result.fault}`));
  return condition;
}

/** Spells RADIUS attributes as the dictionary does, because requests have them under these names only. */
async function withRadiusNames(context: Context, filters: AttributeFilter[]): Promise<AttributeFilter[]> {
  const names = filters
    .flatMap(({ conditions }) => conditions.map(({ attribute }) => radiusName(attribute)))
    .filter((name) => name !== undefined);
  if (names.length === 0) return filters;
  const spelled = await spelledAttributes(context, names);
  return filters.map((filter, index) => ({
    conditions: filter.conditions.map((condition, place) => {
      const name = radiusName(condition.attribute);
      if (name === undefined) return condition;
      const spelling = spelled(name);
      if (spelling === undefined)
        throw rejected(
          `${condition.attribute}: the RADIUS dictionary has no attribute ${name}.`,
          `/criteria/who/attributes/${index}/conditions/${place}/attribute`,
        );
      return { ...condition, attribute: `${radiusPrefix}${spelling}` };
    }),
  }));
}

const radiusPrefix = 'radius.';
const radiusName = (attribute: string): string | undefined =>
  attribute.startsWith(radiusPrefix) ? attribute.slice(radiusPrefix.length) : undefined;

const identityGroupTypes = ['HOST', 'ADAPTER', 'USER'] as const;

/** Rejects groups of other types than hosts, adapters and users. The kernel rejects a group that does not exist. */
async function refuseOtherGroups({ db }: Context, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const otherGroup = await db
    .selectFrom('group')
    .select(['name', 'type'])
    .where('id', 'in', ids)
    .where('type', 'not in', identityGroupTypes)
    .executeTakeFirst();
  if (otherGroup)
    throw rejected(
      `criteria.who.groups: ${otherGroup.name} is a ${otherGroup.type} group; use host, adapter and user groups.`,
      '/criteria/who/groups',
    );
}

/** Spells roles as their records do, so that the same role in different case is not a change. */
async function rolesAsNamed({ db }: Context, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const storedRoles = await db.selectFrom('role').select('name').execute();
  const spelled = new Map(storedRoles.map(({ name }) => [lowered(name), name]));
  return names.map((name) => spelled.get(lowered(name)) ?? name);
}
