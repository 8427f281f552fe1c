import { expect, test } from 'vitest';
import { bookmarkChoices, choiceOf, pageChoices } from './palette-choices.ts';

const pages = [
  { page: 'hosts', label: 'Hosts' },
  { page: 'access-policies', label: 'Access policies' },
];
const group = (name: string, page: string, isListed = true) => ({
  name,
  page,
  title: 'Host',
  kind: 'collection' as const,
  isListed,
  canCreate: true,
  identity: 'id',
  load: () => Promise.reject(new Error('not asked for')),
});
const hit = { group: 'host', id: 7, name: 'lobby-camera', where: 'sw-1 Gi1/0/1' };

test('pageChoices matches the words of a page in any order', () => {
  expect(pageChoices(pages, '').map(({ href }) => href)).toEqual(['/hosts', '/access-policies']);
  expect(pageChoices(pages, 'POL acc')).toEqual([
    { name: 'Access policies', where: '', kind: 'Page', href: '/access-policies' },
  ]);
});

test('pageChoices matches synonyms', () => {
  const allPages = [...pages, { page: 'radius', label: 'RADIUS servers' }, { page: 'events', label: 'Events' }];
  const hrefsFor = (typed: string) => pageChoices(allPages, typed).map(({ href }) => href);
  expect(hrefsFor('radius log')).toEqual(['/radius']);
  expect(hrefsFor('live')).toEqual(['/radius', '/events']);
  expect(hrefsFor('logs')).toEqual(['/radius', '/events']);
  expect(hrefsFor('endpoints')).toEqual(['/hosts']);
});

test('bookmarkChoices matches words of the label and is empty without input', () => {
  const bookmarks = [{ label: 'Hosts: health==AT_RISK', path: '/hosts?filter=health%3D%3DAT_RISK' }];
  expect(bookmarkChoices(bookmarks, 'risk hosts').map(({ href }) => href)).toEqual([bookmarks[0]!.path]);
  expect(bookmarkChoices(bookmarks, 'roles')).toEqual([]);
  expect(bookmarkChoices(bookmarks, '  ')).toEqual([]);
});

test('choiceOf links to the page with the record open', () => {
  expect(choiceOf(hit, [group('host', 'hosts')], pages)).toEqual({
    name: 'lobby-camera',
    where: 'sw-1 Gi1/0/1',
    kind: 'Host',
    href: '/hosts?group=host&open=7',
  });
});

test('choiceOf omits records without a page that the user may open', () => {
  expect(choiceOf(hit, [group('host', 'audit')], pages)).toBeUndefined();
  expect(choiceOf(hit, [group('host', 'hosts', false)], pages)).toBeUndefined();
  expect(choiceOf(hit, [], pages)).toBeUndefined();
  expect(choiceOf({ ...hit, id: null, name: null }, [group('host', 'hosts')], pages)).toBeUndefined();
});
