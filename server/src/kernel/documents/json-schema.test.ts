import { expect, test } from 'vitest';
import type { Field } from '../declare/field.ts';
import { flag, notYet, reference, withoutEffect } from '../declare/field.ts';
import { ModelFacts } from './field-facts.ts';
import { SchemaComponents, schemaOf } from './json-schema.ts';

const schemaFor = ({ shape }: Pick<Field, 'shape'>) =>
  schemaOf(shape, 'input', new SchemaComponents(new ModelFacts({ tables: [] })));

test('serves the help of a field as x-help, next to its description', () => {
  const options = { default: true, doc: 'False: the policy is skipped.', help: 'Off: this policy is skipped.' };
  expect(schemaFor(flag(options))).toEqual({
    type: 'boolean',
    description: 'False: the policy is skipped.',
    'x-help': 'Off: this policy is skipped.',
  });
  expect(schemaFor(reference('role', 'restrict', { help: 'Role for policies.' }))).toMatchObject({
    'x-help': 'Role for policies.',
  });
  expect(schemaFor(flag({ doc: 'Whether it is new.' }))).not.toHaveProperty('x-help');
});

test('adds to the help that a field has no effect yet', () => {
  const options = { default: true, doc: 'False: not now.', help: 'Off: not now.' };
  expect(schemaFor(notYet(flag(options), 'it is built'))['x-help']).toBe(
    'Off: not now. This setting cannot be changed yet.',
  );
  expect(schemaFor(withoutEffect(flag({ default: true, doc: 'Keep it.' }), 'it is built'))['x-help']).toBe(
    'Keep it. This setting has no effect yet.',
  );
});

test('serves the help of a named object next to its reference', () => {
  const shape = { kind: 'object', name: 'Place', properties: {}, nullable: true, help: 'Where it is.' } as const;
  expect(schemaFor({ shape })).toEqual({
    anyOf: [{ $ref: '#/components/schemas/PlaceInput', 'x-help': 'Where it is.' }, { type: 'null' }],
  });
});
