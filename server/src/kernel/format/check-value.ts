import type { ObjectShape, Shape } from '../declare/shape.ts';
import { type Fault, faultsFoundMax } from '../failure.ts';
import { isAddress, readNetwork, writeAddress } from '../values/address.ts';
import { readMac } from '../values/mac.ts';
import { nearest } from '../values/nearest.ts';
import { instantOf, writeInstant } from '../values/time.ts';
import { faultInText, shortened } from './text.ts';

/**
 * Checks a value against its shape and returns it in its normalized form (instants in UTC, addresses compressed).
 * Nothing is coerced, trimmed or dropped: an invalid value is a fault, with a pointer to its position and how to fix
 * it. Stops after `faultsFoundMax` faults.
 */
export function checkValue(shape: Shape, value: unknown, pointer: string, faults: Fault[]): unknown {
  const fault = (message: string) => {
    faults.push({ pointer, message: `${nameOf(pointer)}: ${message}.` });
    return undefined;
  };
  if (value === null)
    return shape.nullable ? null : fault('null is not allowed; leave the field out to keep its value');
  switch (shape.kind) {
    case 'text':
      return checkText(shape, value, fault);
    case 'integer':
      if (typeof value !== 'number') return fault(`expected an integer, not ${described(value)}`);
      if (!Number.isInteger(value)) return fault(`expected a whole number, not ${value}`);
      return inRange(shape, value, fault);
    case 'decimal':
      if (typeof value !== 'number') return fault(`expected a number, not ${described(value)}`);
      return inRange(shape, value, fault);
    case 'flag':
      return typeof value === 'boolean' ? value : fault(`expected true or false, not ${described(value)}`);
    case 'time': {
      const ms = typeof value === 'string' ? instantOf(value) : undefined;
      if (ms === undefined) return fault('expected a time such as 2026-01-31T08:15:30.123Z');
      return writeInstant(ms, shape.zone);
    }
    case 'choice':
      if (typeof value === 'string' && shape.values.includes(value)) return value;
      return fault(`expected one of ${shape.values.join(', ')}`);
    case 'address':
      if (typeof value === 'string' && isAddress(value)) return writeAddress(value);
      return fault('expected an IPv4 or IPv6 address');
    case 'mac': {
      const mac = typeof value === 'string' ? readMac(value) : undefined;
      return mac ?? fault('expected a MAC address such as 00:1A:2B:3C:4D:5E');
    }
    case 'network': {
      const network = typeof value === 'string' ? readNetwork(value) : undefined;
      if (!network) return fault('expected a network such as 10.20.0.0/16');
      return network.hadHostBits ? fault(`has host bits set; use ${network.text}`) : network.text;
    }
    case 'mixed':
      return checkMixed(shape, value, pointer, faults, fault);
    case 'json':
      return checkJson(shape, value, fault);
    case 'list': {
      if (!Array.isArray(value)) return fault(`expected a list, not ${described(value)}`);
      if (value.length > shape.max) return fault(`has ${value.length} items; ${atMost(shape.max)}`);
      if (value.length < (shape.min ?? 0))
        return fault(`has ${value.length} items; at least ${shape.min} are required`);
      const itemShape = shape.short && !isPlainObject(value[0]) ? shape.short : shape.item;
      return value.map((item, index) =>
        faults.length < faultsFoundMax ? checkValue(itemShape, item, `${pointer}/${index}`, faults) : undefined,
      );
    }
    case 'map': {
      if (!isPlainObject(value)) return fault(`expected an object, not ${described(value)}`);
      const entries = Object.entries(value);
      if (entries.length > shape.max) return fault(`has ${entries.length} entries; ${atMost(shape.max)}`);
      return Object.fromEntries(
        entries.map(([key, entry]) => {
          if (faults.length >= faultsFoundMax) return [key, undefined];
          const entryPointer = `${pointer}/${escaped(shortened(key))}`;
          if (shape.keys && !shape.keys.includes(key))
            faults.push({
              pointer: entryPointer,
              message: `${nameOf(entryPointer)}: no such key${suggestion(key, shape.keys)}`,
            });
          return [key, checkValue(shape.value, entry, entryPointer, faults)];
        }),
      );
    }
    case 'object':
      return checkObject(shape, value, pointer, faults);
  }
}

const atMost = (max: number): string => `at most ${max} ${max === 1 ? 'is' : 'are'} allowed`;

/** Checks an object: every unknown property and every missing required one is a fault of its own. */
export function checkObject(
  shape: ObjectShape,
  value: unknown,
  pointer: string,
  faults: Fault[],
): Record<string, unknown> | undefined {
  if (!isPlainObject(value)) {
    faults.push({ pointer, message: `${nameOf(pointer)}: expected an object, not ${described(value)}.` });
    return undefined;
  }
  const checked: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (faults.length >= faultsFoundMax) return undefined;
    const propertyPointer = `${pointer}/${escaped(shortened(key))}`;
    const property = Object.hasOwn(shape.properties, key) ? shape.properties[key] : undefined;
    if (property) checked[key] = checkValue(property, entry, propertyPointer, faults);
    else
      faults.push({
        pointer: propertyPointer,
        message: `${nameOf(propertyPointer)}: no such field${suggestion(key, Object.keys(shape.properties))}`,
      });
  }
  for (const key of shape.required ?? []) {
    if (!Object.hasOwn(value, key)) faults.push(missing(`${pointer}/${escaped(key)}`));
  }
  return checked;
}

export const missing = (pointer: string): Fault => ({
  pointer,
  message: `${nameOf(pointer)}: this field is required.`,
});

function checkText(shape: Extract<Shape, { kind: 'text' }>, value: unknown, fault: (message: string) => undefined) {
  if (typeof value !== 'string') return fault(`expected text, not ${described(value)}`);
  const forbidden = faultInText(value);
  if (forbidden) return fault(`contains ${forbidden}, which is not allowed in text`);
  if (value.length > shape.max) return fault(`has ${value.length} characters; ${atMost(shape.max)}`);
  if (value.length < (shape.min ?? 0)) {
    return fault(
      shape.min === 1 ? 'must not be empty' : `has ${value.length} characters; at least ${shape.min} are required`,
    );
  }
  if (shape.pattern && !new RegExp(shape.pattern.source, 'u').test(value))
    return fault(`expected ${shape.pattern.words}`);
  return value;
}

function checkMixed(
  shape: Extract<Shape, { kind: 'mixed' }>,
  value: unknown,
  pointer: string,
  faults: Fault[],
  fault: (message: string) => undefined,
) {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value + 0;
  const item = { kind: 'text', max: shape.max } as const;
  if (typeof value === 'string') return checkText(item, value, fault);
  if (!Array.isArray(value)) return fault(`expected text, a number, true, false or a list, not ${described(value)}`);
  return checkValue({ kind: 'list', item, max: shape.items }, value, pointer, faults);
}

function checkJson(shape: Extract<Shape, { kind: 'json' }>, value: unknown, fault: (message: string) => undefined) {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > shape.max) return fault(`has ${bytes} bytes as JSON; ${atMost(shape.max)}`);
  const forbidden = faultInTexts(value);
  return forbidden ? fault(`contains ${forbidden}, which is not allowed in text`) : value;
}

/** Returns what a text or a key anywhere in a JSON value must not contain, if any does. */
function faultInTexts(value: unknown): string | undefined {
  if (typeof value === 'string') return faultInText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const inner = Array.isArray(value) ? value : Object.entries(value).flat();
  for (const part of inner) {
    const fault = faultInTexts(part);
    if (fault) return fault;
  }
  return undefined;
}

function inRange(shape: { min: number; max: number }, value: number, fault: (message: string) => undefined) {
  // Adding 0 removes the sign of a zero: it is the same number and must not look like a change.
  if (value >= shape.min && value <= shape.max) return value + 0;
  return fault(`${value} is out of range; allowed is ${shape.min} to ${shape.max}`);
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const described = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return JSON.stringify(value)?.slice(0, 40) ?? 'nothing';
};

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** `/addGroupList/0/addGroupID` → `addGroupList[0].addGroupID`: the notation in messages. */
export const nameOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '') || 'body';

function suggestion(key: string, names: readonly string[]): string {
  const near = nearest(key, names);
  return near ? `; did you mean ${near}?` : '.';
}
