import { expect, test } from 'vitest';
import { savedViews } from './saved-views.ts';

const labels = (path: string, search: string, bookmarks: { path: string; label: string }[]) =>
  savedViews(bookmarks, { path, search, all: 'All' }).map(({ label, isShown }) => (isShown ? `[${label}]` : label));

const risk = { path: '/hosts?filter=health%3D%3DAT_RISK', label: 'Hosts: health==AT_RISK' };
const mine = { path: '/hosts?filter=owner%3D%3Dann&sort=name&dir=ASC', label: 'Those of Ann' };

test('savedViews lists the bookmarks of a list after the unfiltered list', () => {
  expect(labels('/hosts', '', [risk, mine])).toEqual(['[All]', 'health==AT_RISK', 'Those of Ann']);
  expect(labels('/hosts', 'filter=health%3D%3DAT_RISK', [risk, mine])[1]).toBe('[health==AT_RISK]');
});

test('savedViews compares filter and sort order, and ignores the open record', () => {
  expect(labels('/hosts', 'filter=owner==ann&sort=name&dir=ASC&open=3&view=raw', [mine])).toEqual([
    'All',
    '[Those of Ann]',
  ]);
  expect(labels('/hosts', 'filter=owner==ann', [mine])).toEqual(['All', 'Those of Ann']);
});

test('savedViews omits other pages, other resources, records and forms', () => {
  const otherPaths = [
    '/roles?filter=a',
    '/hosts?group=adapter&filter=a',
    '/hosts?page=3',
    '/hosts?open=3',
    '/hosts',
    '/hosts?form=host.create',
  ];
  expect(
    savedViews(
      otherPaths.map((path) => ({ path, label: path })),
      { path: '/hosts', search: '', all: 'All' },
    ),
  ).toEqual([]);
  expect(labels('/hosts', 'group=adapter', [{ path: '/hosts?group=adapter&filter=a', label: 'A' }])).toEqual([
    '[All]',
    'A',
  ]);
});
