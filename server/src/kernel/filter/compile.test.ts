import { describe, expect, test } from 'vitest';
import { catalogue } from '../../catalogue.ts';
import { modelFor } from '../../node/start-service.ts';
import { fullVisibility } from '../access/visibility.ts';
import { Parameters } from '../database/parameters.ts';
import { compileFilter } from './compile.ts';
import { parseFilter } from './parse.ts';

const audit = modelFor(catalogue).byName('audit-record');

const compiled = (text: string) => {
  const parameters = new Parameters();
  return { sql: compileFilter(audit, parseFilter(text), parameters, 0, fullVisibility), values: parameters.values };
};

describe('exclusions', () => {
  test('of the same text lower it once, however many there are', () => {
    const { sql, values } = compiled('user!=*a*;summary!=x;user!=b;user=out=(c*,d);liveDBID!=1;liveDBID!=2');
    expect(sql.split('like any (array[')).toHaveLength(2);
    expect(values).toEqual(['%a%', 'b', 'c%', 'd', 'x', 1, 2]);
  });
});

describe('values that do not fit', () => {
  test.each(['>', '>=', '<', '<=', '=='])(
    'an invalid address is refused with %s, before the database receives it',
    (operator) => {
      expect(() => compiled(`sourceAddress${operator}core`)).toThrow('core is neither an address nor a network');
      expect(compiled(`sourceAddress${operator}192.0.2.0/24`).values).toEqual(['192.0.2.0/24']);
    },
  );

  test('are reported shortened and printable, whatever they contain', () => {
    const refusal = (value: string) => {
      try {
        compiled(`liveDBID=="${value}"`);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(refusal('9'.repeat(4_000)).length).toBeLessThan(200);
    expect(refusal('\ud800\u0001')).toBe('filter: liveDBID (character 1): \ufffd  is not a whole number.');
  });
});
