import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareEngines } from '../trials/decide.ts';

test('engine and slow engine agree in random scenarios', () => {
  const { decisions, differences, steps } = compareEngines({ worlds: 60, seed: 20_270_101 });
  expect(differences).toEqual([]);
  expect(decisions).toBe(600);
  expect([...steps.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('the engine imports types of the kernel, and nothing else outside its folder', () => {
  const folder = new URL('../../src/policy/decide/', import.meta.url);
  const foreign = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      const statements = text.split(/^(?=import |export )/m).map((part) => part.slice(0, part.indexOf(';') + 1));
      const foreignHere = statements.flatMap((statement) => {
        const source = / from '([^']+)';$/.exec(statement)?.[1];
        if (source === undefined || source.startsWith('./')) return [];
        return statement.startsWith('import type ') && source.startsWith('../../kernel/')
          ? []
          : [`${name} → ${source}`];
      });
      const isActive = /\bimport\(|\brequire\(|\bprocess\.|Date\.now|new Date\(\)|Math\.random/.test(text);
      return isActive ? [...foreignHere, `${name} is not pure`] : foreignHere;
    });
  expect(foreign).toEqual([]);
});
