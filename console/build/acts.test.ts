import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { creatorsOf, editorsOf, groupActions, isDangerous, recordActions } from '../src/document/actions.ts';
import { type Document, groupsOf } from './cut-document.ts';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;
const groups = groupsOf(document);
const groupOf = (name: string) => groups.find((group) => group.name === name)!;
const ids = (operations: readonly { id: string }[]) => operations.map(({ id }) => id);

describe('the actions', () => {
  test('of a record are the operations that take its identity in the path or in the body', () => {
    const acts = ids(recordActions(groupOf('host')));
    expect(acts).toEqual(
      expect.arrayContaining(['host.delete-one', 'host.disable', 'host.set-role', 'host.set-health']),
    );
    expect(acts).not.toContain('host.update');
    expect(acts).not.toContain('host.delete-by-post');
    expect(acts).not.toContain('host.by-mac');
  });

  test('of a list are all other operations', () => {
    const acts = ids(groupActions(groupOf('host')));
    expect(acts).toEqual(
      expect.arrayContaining(['host.import-hosts', 'host.by-mac', 'host.delete-many', 'host.set-role']),
    );
    expect(acts).not.toContain('host.disable');
    expect(acts).not.toContain('host.create');
  });

  test('with a form are the operations that create or change a record', () => {
    expect(ids(creatorsOf(groupOf('network-device')))).toEqual([
      'network-device.create-snmp',
      'network-device.create-pingable',
    ]);
    expect(ids(editorsOf(groupOf('proxy-settings')))).toEqual(['proxy-settings.write']);
    expect(ids(editorsOf(groupOf('role')))).toEqual(['role.update']);
  });

  test('include dangerous ones, which are marked', () => {
    const acts = recordActions(groupOf('host'));
    expect(ids(acts.filter(isDangerous))).toEqual(expect.arrayContaining(['host.delete-one', 'host.disable']));
    expect(ids(acts.filter(isDangerous))).not.toContain('host.enable');
  });
});
