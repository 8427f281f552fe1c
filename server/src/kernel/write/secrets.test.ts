import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dataKeyOf, openWith, sealWith, secretPlace } from './secrets.ts';

describe('a sealed secret', () => {
  const key = randomBytes(32);
  const seal = sealWith(7, key);

  test('opens in its own row, column and table, and in no other', () => {
    const place = secretPlace('aaa_server', 'secret', 1);
    const sealed = seal('correct-horse', place);
    expect(openWith(key, sealed, place)).toBe('correct-horse');
    for (const content of [
      secretPlace('aaa_server', 'secret', 2),
      secretPlace('aaa_server', 'check_password', 1),
      secretPlace('mdm_server', 'secret', 1),
    ])
      expect(() => openWith(key, sealed, content), content).toThrow();
  });

  test('names its key, and opens with no other', () => {
    const sealed = seal('correct-horse', 'here');
    expect(dataKeyOf(sealed)).toBe(7);
    expect(() => openWith(randomBytes(32), sealed, 'here')).toThrow();
  });

  test('is another text each time', () => {
    expect(seal('same', 'here').equals(seal('same', 'here'))).toBe(false);
  });
});
