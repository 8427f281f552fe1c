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
  let made = 0;
  const config = (more: Record<string, unknown> = {}) => ({ name: `config ${++made}`, ...more });
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

  test('a group list is the same in each of its spellings', async () => {
    const wanted = [groups.Printers!, groups.Laptops!];
    const spellings = [
      { addToGroupIDs: wanted },
      { addToGroupNames: ['printers', 'LAPTOPS'] },
      { addGroupList: [{ addGroupID: groups.Printers }, { addGroupName: 'Laptops' }] },
      {
        addGroupList: wanted.map((addGroupID) => ({ addGroupID })),
        addToGroupIDs: wanted,
        addToGroupNames: ['Printers', 'Laptops'],
      },
    ];
    for (const spelling of spellings) {
      const id = await admin.create(directoryAgentConfig, config(spelling));
      const record = await admin.fetch(directoryAgentConfig, id);
      expect(record).toMatchObject({ addToGroupIDs: wanted, addToGroupNames: ['Printers', 'Laptops'] });
      expect(record.addGroupList).toMatchObject([
        { addGroupID: groups.Printers, addGroupName: 'Printers', config: record.name },
        { addGroupID: groups.Laptops, addGroupName: 'Laptops', config: record.name },
      ]);
      expect(record.addGroupListCopy).toEqual(record.addGroupList);
    }
  });

  test('spellings that do not agree are refused', async () => {
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

  test('an entry keeps its identity as long as its group stays in the list', async () => {
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

  test('a group that is renamed shows its new name, and that is no change of the configuration', async () => {
    const { id: renamed } = await transact(({ records }) => records.create(group, { name: 'Phones', type: 'HOST' }));
    const id = await admin.create(directoryAgentConfig, config({ addToGroupIDs: [renamed] }));
    await transact(({ records }) => records.update(group, renamed, { name: 'Telephones' }));
    const record = await admin.fetch(directoryAgentConfig, id);
    expect(record).toMatchObject({ addToGroupNames: ['Telephones'], version: 1 });
    expect((await admin.post(path, record)).headers.etag).toBe('"1"');
  });

  test('a host group is held by the configurations that name it', async () => {
    const { id: held } = await transact(({ records }) => records.create(group, { name: 'Cameras', type: 'HOST' }));
    const id = await admin.create(directoryAgentConfig, config({ name: 'camera logon', addToGroupIDs: [held] }));
    const remove = () => transact(({ records }) => records.remove(group, [held]));
    await expect(remove()).rejects.toMatchObject({
      word: 'in-use',
      message: expect.stringContaining('Directory agent config camera logon'),
    });
    await admin.post(`${path}/${id}`, { addGroupList: [] });
    await remove();
  });

  test('the applied group is one of the directory, the policy none yet', async () => {
    expect((await admin.post(path, config({ appliedGroupName: 'Laptops' }))).code).toBe(422);
    expect((await admin.post(path, config({ policyName: 'Windows baseline' }))).code).toBe(422);
    const id = await admin.create(directoryAgentConfig, config({ appliedGroupName: 'staff', policyName: '' }));
    expect(await admin.fetch(directoryAgentConfig, id)).toMatchObject({ appliedGroupName: 'Staff', policyName: '' });
    expect((await admin.post(`${path}/${id}`, { appliedGroupName: '' })).code).toBe(200);
    expect((await admin.fetch(directoryAgentConfig, id)).appliedGroupName).toBe('');
  });

  test('the record tells its own last change', async () => {
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
