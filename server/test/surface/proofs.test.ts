import { expect, test } from 'vitest';
import contract from '../../../catalogue.json' with { type: 'json' };
import { catalogue } from '../../src/catalogue.ts';
import { describeOperations } from '../../src/node/describe-operations.ts';
import { citedTests, pagesIn, tableRows } from './cited-tests.ts';

const groups = new Set(contract.map(({ group }) => group));
const routes = new Set(describeOperations(catalogue).map(({ method, path }) => `${method} ${path}`));
const served = new Set(
  contract.filter(({ method, path }) => routes.has(`${method} /api/v2${path}`)).map(({ group }) => group),
);

const rows = pagesIn('proofs')
  .flatMap(tableRows)
  .map((line) => {
    const [group, clause, shown, waits] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim()) as [string, string, string, string];
    return { group, clause, tests: citedTests(shown), waitsFor: waits === '' ? [] : waits.split(', ') };
  });

test('every served group has a proof, and docs/proofs names only groups of the contract', () => {
  const proven = new Set(rows.map(({ group }) => group));
  expect([...served].filter((group) => !proven.has(group))).toEqual([]);
  const namedGroups = rows.flatMap(({ group, waitsFor }) => [group, ...waitsFor]);
  expect(namedGroups.filter((group) => !groups.has(group))).toEqual([]);
});

test('every test that docs/proofs names exists', () => {
  expect(rows.flatMap(({ tests }) => tests).filter(({ isThere }) => !isThere)).toEqual([]);
});

test('a clause without a test waits for a group that is not served yet', () => {
  const overdue = rows.filter(
    ({ tests, waitsFor }) => tests.length === 0 && waitsFor.every((group) => served.has(group)),
  );
  expect(overdue.map(({ group, clause }) => `${group}: ${clause}`)).toEqual([]);
  const stillWaits = rows.filter(({ tests, waitsFor }) => tests.length > 0 && waitsFor.length > 0);
  expect(stillWaits.map(({ group, clause }) => `${group}: ${clause}`)).toEqual([]);
});
