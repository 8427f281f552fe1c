import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { iconNames } from '../src/parts/icon-names.ts';
import { en } from '../src/texts/en.ts';

const root = fileURLToPath(new URL('../src', import.meta.url));
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/test\.ts$|texts\/en\.ts$|icon-names\.ts$/.test(path))
  .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
  .join('\n');

/** Returns the paths of all texts, such as `text.signIn.title`. An index expression such as `text.live[state]` uses all texts below it. */
const namesOf = (texts: object, above = 'text'): string[] =>
  Object.entries(texts).flatMap(([name, value]) => {
    const path = `${above}.${name}`;
    return typeof value === 'object' && !Array.isArray(value) ? namesOf(value, path) : [path];
  });

const isUsed = (path: string): boolean =>
  new RegExp(`\\b${path.replaceAll('.', '\\.')}\\b`).test(sources) ||
  sources.includes(`${path.slice(0, path.lastIndexOf('.'))}[`);

test('every text is used', () => {
  expect(namesOf(en).filter((path) => !isUsed(path))).toEqual([]);
});

test('every icon is used', () => {
  expect(iconNames.filter((name) => !sources.includes(`'${name}'`) && !sources.includes(`"${name}"`))).toEqual([]);
});
