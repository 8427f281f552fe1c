import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { decideAccess } from '../decide/decide.service.ts';
import { connectionAt, decisionContext, unknownFacts } from './snapshot.service.ts';

const decisionsMin = 1_000;
const generationsMin = 20;

test('no decision reads policies of one generation and memberships of another', async () => {
  const world = await startWorld();
  const limiter = new Limiter(world);
  const { policies } = world.service;
  const { name } = await limiter.container();
  const deviceID = await limiter.device(name);
  const portID = await limiter.port(deviceID);
  const [even, odd] = [await limiter.group('PORT'), await limiter.group('PORT')];
  const [enforced] = await limiter.sql<{ id: number }>(`select id from "group" where tag = 'enforce-role'`);
  await limiter.join(enforced!.id, elementCodes.PORT, portID);
  await limiter.join(even, elementCodes.PORT, portID);
  const criteria = (portGroup: number) => ({
    who: { roles: [], groups: [], attributes: [] },
    where: { containers: [], deviceGroups: [], portGroups: [portGroup], ssids: [] },
    when: { version: 0, alwaysOn: true, startTimeOfDay: 0, endTimeOfDay: 1_440, daysOfWeek: 127 },
  });
  const accessConfigurationID = await world.admin.create(
    { path: '/policy/access-configuration' },
    { name: 'Office', type: 'DIRECT', directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' } },
  );
  const policyID = await world.admin.create(
    { path: '/policy/access' },
    { name: 'Office', criteria: criteria(even), accessConfigurationID },
  );

  /** Moves the port and the policy to the other group in one transaction, so that the policy matches in every generation. */
  async function moveBoth(oldGroup: number, newGroup: number): Promise<void> {
    await limiter.transact(async ({ client }) => {
      await client.query('delete from group_member where group_id = $1 and member_id = $2', [oldGroup, portID]);
      await client.query('insert into group_member (group_id, element_type, member_id) values ($1, $2, $3)', [
        newGroup,
        elementCodes.PORT,
        portID,
      ]);
      await client.query('update access_policy set criteria = $2 where id = $1', [policyID, criteria(newGroup)]);
    });
  }

  let isWriting = true;
  const writer = (async () => {
    for (let [source, target] = [even, odd]; isWriting; [source, target] = [target, source])
      await moveBoth(source, target);
  })();
  const decided = new Map<number, number>();
  const generations = new Set<number>();
  try {
    await policies.latest();
    for (let count = 0; count < decisionsMin || generations.size < generationsMin; count++) {
      const { set, topology } = policies.current!;
      const connection = connectionAt(topology.placeOfPort(portID)!, 'WIRED_MAB');
      const { step } = decideAccess(set, decisionContext(unknownFacts('00:1D:09:00:00:01'), connection, Date.now()));
      decided.set(step, (decided.get(step) ?? 0) + 1);
      generations.add(set.generation);
      await nextTurn();
    }
  } finally {
    isWriting = false;
    await writer;
  }
  expect([...decided.keys()]).toEqual([7]);
});
