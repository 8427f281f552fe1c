import { readNetwork } from '../../kernel/values/address.ts';
import { instantOf, writeInstant } from '../../kernel/values/time.ts';
import { type Attribute, type Condition, type Operator, operatorsOf } from '../decide/decide.service.ts';

type Value = Condition['value'];
type Checked = { value: Value } | { fault: string };
type Scalar = string | number | boolean;

const operatorsByOperand = {
  nothing: new Set<Operator>(['IS_SET', 'NOT_SET']),
  list: new Set<Operator>(['IN', 'NOT_IN']),
  listOrOne: new Set<Operator>(['LIKE', 'NOT_LIKE', 'IN_SUBNET']),
  minutes: new Set<Operator>(['OLDER_THAN', 'NEWER_THAN']),
  order: new Set<Operator>(['GT', 'GE', 'LT', 'LE']),
} as const;

const minutesMax = 52_560_000;

const isNumber = (value: Scalar): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,15}(\.\d{1,9})?$/.test(value.trim()));

/** Returns the value of a condition in its normal form for the type of its attribute. Accepts text for numbers and flags, as XML sends it. */
export function checkCondition({ op, value }: Pick<Condition, 'op' | 'value'>, attribute: Attribute): Checked {
  const allowed = operatorsOf[attribute.type];
  if (!allowed.includes(op)) return { fault: `takes ${allowed.join(', ')}, not ${op}` };
  if (operatorsByOperand.nothing.has(op)) return value === null ? { value } : { fault: `takes no value with ${op}` };
  if (value === null) return { fault: `needs a value with ${op}` };
  if (typeof value === 'object') return checkList(op, value, attribute);
  return operatorsByOperand.list.has(op) ? { fault: `needs a list with ${op}` } : checkOne(op, value, attribute);
}

function checkList(op: Operator, values: readonly string[], attribute: Attribute): Checked {
  if (!operatorsByOperand.list.has(op) && !operatorsByOperand.listOrOne.has(op))
    return { fault: `takes one value with ${op}, not a list` };
  if (values.length === 0) return { fault: `needs at least one value with ${op}` };
  const checked = values.map((value) => checkOne(op, value, attribute));
  const wrong = checked.find((result) => 'fault' in result);
  return wrong ?? { value: checked.map((result) => ('value' in result ? String(result.value) : '')) };
}

function checkOne(op: Operator, value: Scalar, { type, values = [] }: Attribute): Checked {
  if (op === 'IN_SUBNET') return checkNetwork(String(value));
  if (operatorsByOperand.minutes.has(op)) {
    const minutes = Number(value);
    if (isNumber(value) && minutes >= 0 && minutes <= minutesMax) return { value: minutes };
    return { fault: `takes 0 to ${minutesMax} minutes with ${op}` };
  }
  if (type === 'time') return checkTime(value);
  if (type === 'number' || operatorsByOperand.order.has(op))
    return isNumber(value) ? { value: Number(value) } : { fault: `takes a number with ${op}` };
  if (type === 'flag') {
    const text = String(value);
    return text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'takes true or false' };
  }
  const text = String(value);
  if (text === '') return { fault: 'takes no empty text; use NOT_SET' };
  if (type !== 'choice') return { value: text };
  const chosen = values.find((choice) => choice.toLowerCase() === text.toLowerCase());
  return chosen === undefined ? { fault: `takes one of ${values.join(', ')}` } : { value: chosen };
}

function checkNetwork(text: string): Checked {
  const network = readNetwork(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`);
  if (!network) return { fault: 'takes networks such as 10.20.0.0/16' };
  return network.hadHostBits ? { fault: `has host bits set; use ${network.text}` } : { value: network.text };
}

function checkTime(value: Scalar): Checked {
  const ms = typeof value === 'string' ? instantOf(value) : undefined;
  return ms === undefined ? { fault: 'takes a time such as 2026-01-31T08:15:30.123Z' } : { value: writeInstant(ms) };
}
