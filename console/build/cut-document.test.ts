import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Document, groupsOf, operationsNamed, type Schema } from './cut-document.ts';
import { InputCutter } from './cut-inputs.ts';
import { shellOperations } from './shell-operations.ts';

describe('the extract of the OpenAPI document for the console', async () => {
  const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;
  const groups = groupsOf(document);

  test('has every resource once, with all operations of its tags', () => {
    const documented = document.tags.flatMap(({ 'x-group': first, 'x-more-groups': moreGroups = [] }) =>
      first ? [first.name, ...moreGroups.map(({ name }) => name)] : [],
    );
    expect(groups.map(({ name }) => name).sort()).toEqual([...new Set(documented)].sort());
    const titles = new Set(document.tags.filter((tag) => tag['x-group']).map(({ name }) => name));
    const expected = Object.values(document.paths)
      .flatMap((byMethod) => Object.values(byMethod))
      .filter(({ tags }) => titles.has(tags[0]))
      .map(({ operationId }) => operationId);
    const cut = groups.flatMap(({ operations }) => operations.map(({ id }) => id));
    expect(cut.sort()).toEqual(expected.sort());
  });

  test('assigns the operations of a tag with several resources by the start of their ids', () => {
    const idsOf = (group: string) => groups.find(({ name }) => name === group)!.operations.map(({ id }) => id);
    expect(idsOf('device-properties')).toEqual(['device-properties.read', 'device-properties.write']);
    expect(idsOf('network-device').filter((id) => !id.startsWith('network-device.'))).toEqual([]);
    expect(groups.find(({ name }) => name === 'admin-profile-mapping')).toMatchObject({
      title: 'Administrator profile mapping',
      page: 'admin-profiles',
    });
  });

  test('has the kind, references and secrets of each input field, and no field that the service sets', () => {
    const { operations } = groups.find(({ name }) => name === 'aaa-server')!;
    const { fields = [] } = operations.find(({ id }) => id === 'aaa-server.create')!;
    const field = (fieldName: string) => fields.find(({ name }) => name === fieldName);
    expect(field('lastModifiedBy')).toBeUndefined();
    expect(field('secret')).toMatchObject({ isSecret: true, required: true, lengthMax: 128 });
    expect(field('authPort')).toMatchObject({ kind: 'integer', default: 1812, min: 0, max: 65535 });
    const hosts = groups.find(({ name }) => name === 'host')!.operations;
    const setRole = hosts.find(({ id }) => id === 'host.set-role')!;
    expect(setRole.fields).toMatchObject([
      { name: 'id', kind: 'list', items: 'integer', reference: { group: 'host', by: 'id' } },
      { name: 'role', reference: { group: 'role', by: 'name' }, nullable: true },
    ]);
    expect(hosts.find(({ id }) => id === 'host.import-hosts')!.fileTypes).toEqual(['text/csv', 'application/x-ndjson']);
    const byDevice = groups.find(({ name }) => name === 'port')!.operations.find(({ id }) => id === 'port.by-device')!;
    expect(byDevice.parameters).toMatchObject([{ name: 'deviceID', in: 'query', required: true }, { kind: 'flag' }]);
  });

  test('has the properties of a structured value unless it contains a secret or too many properties', () => {
    const field = (group: string, operation: string, name: string) =>
      groups
        .find((candidate) => candidate.name === group)!
        .operations.find(({ id }) => id === `${group}.${operation}`)!
        .fields!.find((candidate) => candidate.name === name)!;
    const [who, where, when] = field('access-policy', 'create', 'criteria').parts!;
    expect(who!.parts).toMatchObject([
      { name: 'roles', kind: 'list', reference: { group: 'role', by: 'name' } },
      { name: 'groups', kind: 'list', items: 'integer', reference: { group: 'group', by: 'id' } },
      {
        name: 'attributes',
        parts: [
          { name: 'conditions', required: true, parts: [{}, {}, { kind: 'mixed', listWith: { property: 'op' } }] },
        ],
      },
    ]);
    expect(where!.parts).toMatchObject([
      { reference: { group: 'container', by: 'id' } },
      { reference: { group: 'group', by: 'id', where: { type: 'DEVICE' } } },
      { reference: { group: 'group', where: { type: 'PORT' } } },
      { name: 'ssids', items: 'text' },
    ]);
    expect(when).toMatchObject({ name: 'when', isSchedule: true });
    expect(field('access-configuration', 'create', 'directConfiguration')).toMatchObject({
      nullable: true,
      parts: expect.arrayContaining([expect.objectContaining({ name: 'accessType', required: true })]),
    });
    const permissions = field('admin-profile', 'create', 'permissions');
    expect(permissions.keys).toHaveLength(40);
    expect(permissions.parts).toContainEqual(expect.objectContaining({ name: 'allIDs', default: true }));
    expect(permissions.parts!.map(({ name }) => name).slice(0, 4)).toEqual(['view', 'add', 'modify', 'delete']);
    expect(field('radius-dictionary-entry', 'create', 'definedValues').parts).toBeUndefined();
    expect(field('discovery-run', 'discover', 'credentials').parts).toBeUndefined();
    expect(field('host', 'create', 'deviceType').parts).toBeUndefined();
    expect(field('device-profiling-rule', 'create', 'methods').parts).toBeUndefined();
  });

  test('marks the resources that the feed reports', () => {
    expect(groups.find(({ name }) => name === 'role')!.isFollowed).toBe(true);
    expect(groups.find(({ name }) => name === 'account')!.isFollowed).toBe(false);
  });

  test('joins the two tags of hosts', () => {
    const host = groups.find(({ name }) => name === 'host')!;
    expect(host).toMatchObject({ title: 'Host', page: 'hosts', identity: 'id', label: 'hostName' });
    const patterns = host.operations.map(({ pattern }) => pattern);
    expect(patterns).toEqual(expect.arrayContaining(['list', 'fetch', 'create', 'deleteOne']));
  });

  test('has the label, access, reference and section of each field', () => {
    const { fields } = groups.find(({ name }) => name === 'container')!;
    expect(fields.find(({ name }) => name === 'role')).toMatchObject({
      label: 'Role',
      access: 'write',
      nullable: true,
      reference: { group: 'role', by: 'name' },
      section: 'Container',
    });
    expect(fields.find(({ name }) => name === 'type')!.choices).toEqual(['WIRELESS']);
    expect(fields.find(({ name }) => name === 'status')!.words).toContain('all lost');
  });

  test('has the method, query parameters and body of each operation', () => {
    const { operations } = groups.find(({ name }) => name === 'container')!;
    expect(operations.find(({ id }) => id === 'container.list')).toMatchObject({
      method: 'GET',
      listed: true,
      writes: false,
      query: expect.arrayContaining(['filter', 'sortKey', 'after']),
    });
    expect(operations.find(({ id }) => id === 'container.create')).toMatchObject({ writes: true, bodyRequired: true });
  });

  test('has every operation that the shell calls and throws for a missing one', () => {
    expect(Object.keys(operationsNamed(document, shellOperations))).toEqual([...shellOperations]);
    expect(() => operationsNamed(document, ['host.nothing'])).toThrow('The document has no operation host.nothing.');
  });
});

test('the help of an input is x-help, otherwise the description', () => {
  const value = { type: 'object', properties: {}, 'x-help': 'Only for the type direct.' };
  const properties: Record<string, Schema> = {
    enabled: {
      type: 'boolean',
      description: 'False: the policy is skipped.',
      'x-help': 'Off: this policy is skipped.',
    },
    note: { type: 'string', description: 'Free text.' },
    direct: { anyOf: [{ $ref: '#/components/schemas/Value', 'x-help': 'Only for direct.' }, { type: 'null' }] },
  };
  const cutter = new InputCutter({ components: { schemas: { Value: value }, parameters: {} } });
  const fields = cutter.bodyFields({ type: 'object', properties }, {}, {}, { group: 'role', by: 'id' });
  expect(Object.fromEntries(fields.map(({ name, doc }) => [name, doc]))).toEqual({
    enabled: 'Off: this policy is skipped.',
    note: 'Free text.',
    direct: 'Only for direct.',
  });
  const parameter = { name: 'force', in: 'query', description: 'True: skip.', schema: { 'x-help': 'Yes: skip.' } };
  expect(cutter.parameterFields([parameter], { group: 'role', by: 'id' })[0]!.doc).toBe('Yes: skip.');
});
