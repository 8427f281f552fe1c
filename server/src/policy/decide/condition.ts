import { type Attribute, attributeOf, isSet } from './attributes.ts';
import type { AttributeValue, DecisionContext } from './facts.ts';
import { compileLike } from './like.ts';
import type { Condition } from './policy-set.ts';
import { compileSubnet } from './subnet.ts';

export interface CompiledCondition {
  holds(context: DecisionContext): boolean;
  /** The condition as text, for the trace. */
  expected: readonly [string];
  /** Returns whether the condition holds, and the value as text for the trace. */
  evaluate(context: DecisionContext): { holds: boolean; actual: string | readonly string[] | null };
}

type Scalar = string | number | boolean;

const minuteMs = 60_000;

const listOf = (value: AttributeValue): readonly Scalar[] =>
  Array.isArray(value) ? value : value === null ? [] : [value as Scalar];

/** Returns a text that is the same for equal values. Case is ignored. */
const folded = (value: Scalar): string => String(value).toLowerCase();

/** Converts to a number; NaN matches no comparison. An empty text is NaN, not zero. */
const numeric = (value: Scalar): number =>
  typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);

/** Converts the time of a condition, an ISO 8601 instant or milliseconds, to milliseconds. */
const instant = (value: Scalar): number => (typeof value === 'string' ? Date.parse(value) : Number(value));

type Test = (actual: Exclude<AttributeValue, null>, atMs: number) => boolean;

/** Matches if one of several values matches. `NE`, `NOT_IN` and `NOT_LIKE` match if no value is equal or similar. */
const some =
  (test: (value: Scalar) => boolean): Test =>
  (actual) =>
    Array.isArray(actual) ? actual.some(test) : test(actual as Scalar);

const none = (test: (value: Scalar) => boolean): Test => {
  const any = some(test);
  return (actual, atMs) => !any(actual, atMs);
};

function compared(condition: Condition, { type }: Attribute, holds: (order: number) => boolean): Test {
  const convert = type === 'time' ? instant : numeric;
  const bounds = listOf(condition.value).map(convert);
  return some((value) => {
    const number = convert(value);
    return bounds.some((bound) => !Number.isNaN(number - bound) && holds(number - bound));
  });
}

/** Returns a test whether a value is older than the condition's minutes; null if either is invalid. */
function olderThan(condition: Condition): (value: Scalar, atMs: number) => boolean | null {
  const ageMs = numeric(listOf(condition.value)[0] ?? '') * minuteMs;
  return (value, atMs) => {
    const age = atMs - instant(value);
    return Number.isNaN(age - ageMs) ? null : age > ageMs;
  };
}

function compileTest(condition: Condition, attribute: Attribute): Test {
  switch (condition.op) {
    case 'EQ':
    case 'IN':
    case 'NE':
    case 'NOT_IN': {
      const expectedValues = new Set(listOf(condition.value).map(folded));
      const isWanted = (value: Scalar) => expectedValues.has(folded(value));
      return condition.op === 'EQ' || condition.op === 'IN' ? some(isWanted) : none(isWanted);
    }
    case 'LIKE':
    case 'NOT_LIKE': {
      const patterns = listOf(condition.value).map((pattern) => compileLike(String(pattern)));
      const isAlike = (value: Scalar) => patterns.some((matches) => matches(String(value)));
      return condition.op === 'LIKE' ? some(isAlike) : none(isAlike);
    }
    case 'GT':
      return compared(condition, attribute, (order) => order > 0);
    case 'GE':
      return compared(condition, attribute, (order) => order >= 0);
    case 'LT':
      return compared(condition, attribute, (order) => order < 0);
    case 'LE':
      return compared(condition, attribute, (order) => order <= 0);
    case 'IN_SUBNET': {
      const networks = listOf(condition.value).map((network) => compileSubnet(String(network)));
      return some((value) => networks.some((contains) => contains(String(value))));
    }
    case 'OLDER_THAN': {
      const isOlder = olderThan(condition);
      return (actual, atMs) => listOf(actual).some((value) => isOlder(value, atMs) === true);
    }
    case 'NEWER_THAN': {
      const isOlder = olderThan(condition);
      return (actual, atMs) => listOf(actual).some((value) => isOlder(value, atMs) === false);
    }
    case 'IS_SET':
      return () => true;
    case 'NOT_SET':
      return () => false;
  }
}

/** The last formatted time: formatting is slow, and many consecutive conditions compare the same time. */
let lastMs = 0;
let lastWritten = new Date(0).toISOString();

function written(value: Scalar, type: Attribute['type']): string {
  if (type !== 'time' || typeof value !== 'number') return String(value);
  if (value !== lastMs) {
    lastWritten = new Date(value).toISOString();
    lastMs = value;
  }
  return lastWritten;
}

/** Writes a condition as readable text, such as `host.operatingSystem LIKE Windows*`. */
function writeCondition({ attribute, op, value }: Condition): string {
  if (op === 'IS_SET' || op === 'NOT_SET') return `${attribute} ${op}`;
  return `${attribute} ${op} ${listOf(value).join(', ')}`;
}

/** Prepares a condition: everything that depends on the condition alone is computed once. */
export function compileCondition(condition: Condition): CompiledCondition {
  const attribute = attributeOf(condition.attribute);
  const test = attribute && compileTest(condition, attribute);
  const onMissing = condition.op === 'NOT_SET';
  return {
    holds(context) {
      const actual = attribute ? attribute.read(context) : null;
      // Without a value every operator but NOT_SET is false.
      return isSet(actual) ? test!(actual, context.atMs) : onMissing;
    },
    expected: [writeCondition(condition)],
    evaluate(context) {
      const actual = attribute ? attribute.read(context) : null;
      if (!isSet(actual)) return { holds: onMissing, actual: null };
      const holds = test!(actual, context.atMs);
      return { holds, actual: Array.isArray(actual) ? actual : written(actual as Scalar, attribute!.type) };
    },
  };
}
