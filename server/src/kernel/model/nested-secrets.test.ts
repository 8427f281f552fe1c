import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Shape } from '../declare/shape.ts';
import { holdsSecrets, maskSecrets, replaceSecrets, secretMask } from './nested-secrets.ts';

const word = { kind: 'text', max: 40 } as const;
const login: Shape = {
  kind: 'object',
  properties: { name: word, password: { ...word, secret: true }, hints: { kind: 'list', item: word, max: 5 } },
};
const logins: Shape = { kind: 'list', item: login, max: 9, key: 'name' };
const shape: Shape = {
  kind: 'object',
  properties: { logins, keys: { kind: 'map', value: { ...word, secret: true }, max: 9 } },
};

const secretText = fc.stringMatching(/^hush-[a-z]{1,8}$/);
const value = fc.record(
  {
    logins: fc.uniqueArray(
      fc.record(
        { password: fc.oneof(secretText, fc.constant('')), name: fc.stringMatching(/^[a-z]{1,3}$/) },
        { requiredKeys: ['name'] },
      ),
      { selector: ({ name }) => name, maxLength: 5 },
    ),
    keys: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), secretText, { maxKeys: 4 }),
  },
  { requiredKeys: [] },
);

describe('secrets inside lists and objects', () => {
  test('are found wherever they stand', () => {
    expect([shape, logins, login].map(holdsSecrets)).toEqual([true, true, true]);
    expect(holdsSecrets(word)).toBe(false);
  });

  test('are masked, all of them and nothing else', () => {
    fc.assert(
      fc.property(value, (original) => {
        const shown = maskSecrets(shape, original);
        expect(JSON.stringify(shown)).not.toContain('hush');
        const count = (text: string, part: string) => text.split(part).length - 1;
        expect(count(JSON.stringify(shown), secretMask)).toBe(count(JSON.stringify(original), 'hush-'));
        expect(replaceSecrets(shape, original, undefined, (text) => text)).toEqual(original);
      }),
    );
  });

  test('find their predecessor by the key of their item, not by its place', () => {
    fc.assert(
      fc.property(value, (original) => {
        const shuffled = { ...original, ...(original.logins && { logins: original.logins.toReversed() }) };
        const merged = replaceSecrets(
          shape,
          maskSecrets(shape, shuffled),
          original,
          (_mask, stored) => stored ?? 'lost',
        );
        expect(merged).toEqual(shuffled);
      }),
    );
    const visited: [string, string | undefined, string][] = [];
    replaceSecrets(
      shape,
      {
        logins: [
          { name: 'new', password: 'a' },
          { name: 'old', password: 'b' },
        ],
      },
      { logins: [{ name: 'old', password: 'stored' }] },
      (text, stored, pointer) => {
        visited.push([text, stored, pointer]);
        return '';
      },
    );
    expect(visited).toEqual([
      ['a', undefined, '/logins/0/password'],
      ['b', 'stored', '/logins/1/password'],
    ]);
  });

  test('stand in the declared order, whatever the order of what is stored', () => {
    const cell = { hints: [], password: 'x', name: 'a' };
    expect(Object.keys(maskSecrets(login, cell) as object)).toEqual(['name', 'password', 'hints']);
  });
});
