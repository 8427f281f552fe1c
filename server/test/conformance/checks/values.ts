import type { Shape } from '../../../src/kernel/declare/shape.ts';

/** Returns a value that fits a shape; different indexes give different values if the shape allows it. */
export function fitting(shape: Shape, index = 0): unknown {
  switch (shape.kind) {
    case 'text':
      // A value for a pattern cannot be guessed; the example matches it.
      if (shape.pattern) return shape.example;
      return `v${index}`.padEnd(shape.min ?? 0, 'x').slice(0, shape.max);
    case 'integer':
    case 'decimal':
      return Math.min(shape.max, Math.max(shape.min, 1) + index);
    case 'flag':
      return index % 2 === 1;
    case 'time':
      return new Date(Date.UTC(2026, 0, 31) + index * 1_000).toISOString();
    case 'choice':
      return shape.values[index % shape.values.length];
    case 'address':
      return `192.0.2.${index % 250}`;
    case 'mac':
      return `02:00:00:00:00:${(index % 256).toString(16).padStart(2, '0').toUpperCase()}`;
    case 'network':
      return `10.${index % 250}.0.0/16`;
    case 'mixed':
      return `mixed ${index}`;
    case 'list':
      return [];
    case 'map':
      return {};
    case 'object':
      // Its other properties are views of these.
      if (shape.name === 'WeeklySchedule')
        return { alwaysOn: false, startTimeOfDay: 480 + index, endTimeOfDay: 1_080, daysOfWeek: 62 };
      return Object.fromEntries(
        Object.entries(shape.properties).map(([name, property]) => [name, fitting(property, index)]),
      );
  }
}

/** Returns the same shape for a body with optional properties, at any depth. */
export function sparse(shape: Shape): Shape {
  switch (shape.kind) {
    case 'list':
      return { ...shape, item: sparse(shape.item) };
    case 'map':
      return { ...shape, value: sparse(shape.value) };
    case 'object': {
      const properties = Object.entries(shape.properties).map(([name, property]) => [name, sparse(property)] as const);
      return { ...shape, sparse: true, properties: Object.fromEntries(properties) };
    }
    default:
      return shape;
  }
}

/** Returns a value that fits the shape and differs from the current one. */
export function another(shape: Shape, current: unknown): unknown {
  for (let index = 1; index < 5; index++) {
    const value = fitting(shape, index);
    if (JSON.stringify(value) !== JSON.stringify(current)) return value;
  }
  throw new Error(`a ${shape.kind} with only one value cannot have another`);
}

const wrongType: Readonly<Record<Exclude<Shape['kind'], 'json'>, unknown>> = {
  text: 5,
  integer: '1',
  decimal: '1',
  flag: 'true',
  time: 5,
  choice: 5,
  address: 5,
  mac: 5,
  network: 5,
  mixed: {},
  list: 'x',
  map: [],
  object: [],
};

/** Returns values just outside of the range of a shape, each with what is wrong with it. */
export function* unfitting(shape: Shape): Generator<[what: string, value: unknown]> {
  if (shape.kind !== 'json') yield ['the wrong type', wrongType[shape.kind]];
  if (!shape.nullable) yield ['null', null];
  switch (shape.kind) {
    case 'json':
      yield ['a value too large', 'x'.repeat(shape.max)];
      return;
    case 'text':
      yield ['a text too long', 'x'.repeat(shape.max + 1)];
      if (shape.min) yield ['a text too short', 'x'.repeat(shape.min - 1)];
      return;
    case 'integer':
      yield ['a fraction', shape.min + 0.5];
      yield* outOfRange(shape);
      return;
    case 'decimal':
      yield* outOfRange(shape);
      return;
    case 'time':
      yield ['no instant', 'yesterday'];
      yield ['a day that does not exist', '2026-02-30T00:00:00Z'];
      yield ['a year before the first', '0000-06-01T00:00:00Z'];
      yield ['an hour after the last year', '9999-12-31T23:59:59-01:00'];
      return;
    case 'choice':
      yield ['an unknown word', 'NOT_ONE_OF_THEM'];
      return;
    case 'address':
      yield ['no address', '192.0.2.256'];
      yield ['an address with a zone', 'fe80::1%eth0'];
      return;
    case 'mac':
      yield ['no MAC address', '00:1A:2B:3C:4D'];
      return;
    case 'network':
      yield ['no network', '10.0.0.0/33'];
      yield ['a network with bits behind its prefix', '10.0.0.1/16'];
      return;
    case 'list':
      yield ['a list too long', Array.from({ length: shape.max + 1 }, (_, index) => fitting(shape.item, index))];
      for (const [what, value] of unfitting(shape.item)) yield [`an item with ${what}`, [value]];
      return;
    case 'map':
      yield [
        'a map too large',
        Object.fromEntries(Array.from({ length: shape.max + 1 }, (_, n) => [`k${n}`, fitting(shape.value, n)])),
      ];
      for (const [what, value] of unfitting(shape.value))
        yield [`an entry with ${what}`, { [shape.keys?.[0] ?? 'key']: value }];
      return;
    case 'object': {
      const valid = fitting(shape) as Record<string, unknown>;
      yield ['an unknown property', { ...valid, noSuchProperty: 1 }];
      for (const [name, property] of Object.entries(shape.properties))
        for (const [what, value] of unfitting(property)) yield [`${name} with ${what}`, { ...valid, [name]: value }];
      for (const name of shape.required ?? [])
        yield [`${name} missing`, Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name))];
    }
  }
}

function* outOfRange({ min, max }: { min: number; max: number }): Generator<[string, unknown]> {
  if (min > Number.MIN_SAFE_INTEGER) yield ['a number too small', min - 1];
  if (max < Number.MAX_SAFE_INTEGER) yield ['a number too large', max + 1];
}

/** Returns a value in the syntax of a filter: in quotes, with its stars and quotes escaped. */
export const filterLiteral = (value: unknown): string => `"${String(value).replace(/["\\*]/g, '\\$&')}"`;
