import { beforeAll, describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { group } from '../../system/group/group.ts';
import { directoryAgentConfig, type GroupListItem } from './directory-agent-config.ts';

describe('directory agent config', async () => {
  const shared = await world();
  const { admin } = shared;
  const path = '/settings/agent/directory-agent';
  const { runtime } = shared.service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const groups: Record<string, number> = {};
  let configCount = 0;
  const config = (overrides: Record<string, unknown> = {}) => ({ name: `config ${++configCount}`, ...overrides });
  const itemsOf = async (id: number) => (await admin.fetch(directoryAgentConfig, id)).addGroupList as GroupListItem[];
  const groupsOf = async (id: number) => (await itemsOf(id)).map((item) => item.addGroupName);

  beforeAll(async () => {
    await transact(async ({ records, client }) => {
      for (const name of ['Laptops', 'Desktops', 'Printers'])
        groups[name] = (await records.create(group, { name, type: 'HOST' })).id;
      groups.Staff = (await records.create(group, { name: 'Staff', type: 'USER' })).id;
      await client.query(`update "group" set source = 'DIRECTORY' where id = $1`, [groups.Staff]);
      groups.Switches = (await records.create(group, { name: 'Switches', type: 'DEVICE' })).id;
    });
  });

  testCollection(directoryAgentConfig, {
    world: shared,
    sample: (n) => ({
      name: `Laptops ${n}`,
      registerRogue: n % 2 === 0,
      appliedGroupName: 'Staff',
      addToGroupNames: ['Laptops', 'Desktops'],
      scanGraceLength: n,
    }),
    change: (n) => ({ scanGraceLength: n }),
  });

  test('accepts a group list in each of its four fields', async () => {
    const groupIDs = [groups.Printers!, groups.Laptops!];
    const spellings = [
      { addToGroupIDs: groupIDs },
      { addToGroupNames: ['printers', 'LAPTOPS'] },
      { addGroupList: [{ addGroupID: groups.Printers }, { addGroupName: 'Laptops' }] },
      {
        addGroupList: groupIDs.map((addGroupID) => ({ addGroupID })),
        addToGroupIDs: groupIDs,
        addToGroupNames: ['Printers', 'Laptops'],
      },
    ];
    for (const spelling of spellings) {
      const id = await admin.create(directoryAgentConfig, config(spelling));
      const record = await admin.fetch(directoryAgentConfig, id);
      expect(record).toMatchObject({ addToGroupIDs: groupIDs, addToGroupNames: ['Printers', 'Laptops'] });
      expect(record.addGroupList).toMatchObject([
        { addGroupID: groups.Printers, addGroupName: 'Printers', config: record.name },
        { addGroupID: groups.Laptops, addGroupName: 'Laptops', config: record.name },
      ]);
      expect(record.addGroupListCopy).toEqual(record.addGroupList);
    }
  });

  test('refuses group lists that differ', async () => {
    const { Laptops, Printers, Switches } = groups;
    const refused: [code: number, body: Record<string, unknown>][] = [
      [400, { addToGroupIDs: [Laptops], addToGroupNames: ['Printers'] }],
      [400, { addToGroupIDs: [Laptops, Printers], addToGroupNames: ['Printers', 'Laptops'] }],
      [400, { addGroupList: [{ addGroupID: Laptops }], addToGroupIDs: [] }],
      [400, { addGroupList: [{ addGroupID: Laptops, addGroupName: 'Printers' }] }],
      [400, { addGroupList: [{ addGroupID: Laptops }, { addGroupName: 'laptops' }] }],
      [400, { addGroupList: [{}] }],
      [400, { addGroupListCopy: [{ addGroupID: Laptops }] }],
      [422, { addToGroupIDs: [999_999_999] }],
      [422, { addToGroupNames: ['no such group'] }],
      [422, { addToGroupIDs: [Switches] }],
    ];
    for (const [code, body] of refused) {
      const reply = await admin.post(path, config(body));
      expect(reply, `${JSON.stringify(body)} → ${reply.text}`).toMatchObject({ code });
    }
  });

  test('keeps the identity of an entry while its group stays in the list', async () => {
    const id = await admin.create(directoryAgentConfig, config({ addToGroupNames: ['Laptops', 'Desktops'] }));
    const [laptops, desktops] = await itemsOf(id);
    await admin.post(`${path}/${id}`, { addToGroupNames: ['Printers', 'Desktops', 'Laptops'] });
    const now = await itemsOf(id);
    expect(now.map((item) => item.directoryAgentGroupListItemID)).toEqual([
      expect.any(Number),
      desktops!.directoryAgentGroupListItemID,
      laptops!.directoryAgentGroupListItemID,
    ]);
    await admin.post(`${path}/${id}`, { name: `${now[0]!.config} again` });
    expect((await itemsOf(id)).map(({ config: _, ...item }) => item)).toEqual(
      now.map(({ config: _, ...item }) => item),
    );
    expect(await groupsOf(id)).toEqual(['Printers', 'Desktops', 'Laptops']);
  });

  test('shows the new name of a renamed group, without a change of the configuration', async () => {
    const { id: renamed } = await transact(({ records }) => records.create(group, { name: 'Phones', type: 'HOST' }));
    const id = await admin.create(directoryAgentConfig, config({ addToGroupIDs: [renamed] }));
    await transact(({ records }) => records.update(group, renamed, { name: 'Telephones' }));
    const record = await admin.fetch(directoryAgentConfig, id);
    expect(record).toMatchObject({ addToGroupNames: ['Telephones'], version: 1 });
    expect((await admin.post(path, record)).headers.etag).toBe('"1"');
  });

  test('prevents the deletion of a host group that it refers to', async () => {
    const { id: groupID } = await transact(({ records }) => records.create(group, { name: 'Cameras', type: 'HOST' }));
    const id = await admin.create(directoryAgentConfig, config({ name: 'camera logon', addToGroupIDs: [groupID] }));
    const remove = () => transact(({ records }) => records.remove(group, [groupID]));
    await expect(remove()).rejects.toMatchObject({
      word: 'in-use',
      message: expect.stringContaining('Directory agent config camera logon'),
    });
    await admin.post(`${path}/${id}`, { addGroupList: [] });
    await remove();
  });

  test('requires a directory group as applied group, and refuses a policy', async () => {
    expect((await admin.post(path, config({ appliedGroupName: 'Laptops' }))).code).toBe(422);
    expect((await admin.post(path, config({ policyName: 'Windows baseline' }))).code).toBe(422);
    const id = await admin.create(directoryAgentConfig, config({ appliedGroupName: 'staff', policyName: '' }));
    expect(await admin.fetch(directoryAgentConfig, id)).toMatchObject({ appliedGroupName: 'Staff', policyName: '' });
    expect((await admin.post(`${path}/${id}`, { appliedGroupName: '' })).code).toBe(200);
    expect((await admin.fetch(directoryAgentConfig, id)).appliedGroupName).toBe('');
  });

  test('shows its last change', async () => {
    const id = await admin.create(directoryAgentConfig, config({ name: 'told' }));
    await admin.post(`${path}/${id}`, { debug: true });
    const record = await admin.fetch(directoryAgentConfig, id);
    const [last] = (
      await admin.get(`/logging/audit?filter=liveDBID==${id};auditObjectType.dbTableName==directory_agent_config`)
    ).body.results!;
    expect(record).toMatchObject({
      yamsEventTag: 'DIRECTORY_AGENT_CONFIG_MODIFIED',
      auditObj: { action: 'MODIFY', auditDBID: last!.auditDBID, liveDBID: id, auditObj: 'told: changed debug' },
      auditObjectType: {
        auditTableName: 'directory_agent_config_audit',
        dbTableName: 'directory_agent_config',
        idnameQuery: 'name',
      },
    });
    expect(last!.auditObj).toBe('told: changed debug');
  });
});
