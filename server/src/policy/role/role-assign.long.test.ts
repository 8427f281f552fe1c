import { expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { group } from '../../system/group/group.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { role } from './role.ts';

test('the job assigns roles to the members of a large group after a change of nesting', async () => {
  const { admin, service } = await world({ jobs: 'work' });
  const { runtime } = service;
  const accounts = 6_000;
  const path = (type: string) => ({ path: `${group.path}/${type}` });
  const below = await admin.create(path('USER'), { name: 'below' });
  const above = await admin.create(path('USER'), { name: 'above' });
  const claiming = await admin.create(role, { name: 'Claimed', groupIDs: [above] });
  await runtime.transact(systemOrigin('test'), async ({ records, client }) => {
    const { id } = await records.create(userAccount, { userID: 'first' });
    await client.query(
      `with made as (
         insert into user_account (user_id, first_name, last_name, email, source, state, must_change_password, role_id, role_source)
         select 'user-' || n, '', '', '', a.source, a.state, false, a.role_id, a.role_source
         from user_account a cross join generate_series(1, $2::integer) n where a.id = $1 returning id
       ) insert into group_member (group_id, element_type, member_id) select $3, 6, m.id from made m`,
      [id, accounts, below],
    );
  });
  const users = async () => (await admin.fetch(role, claiming)).users;
  expect(await users()).toBe(0);
  expect((await admin.post(`${group.path}/add-to-parents`, { groupID: below, parentID: [above] })).code).toBe(200);
  await expect.poll(users, { timeout: 60_000, interval: 200 }).toBe(accounts);
  const { rows } = await runtime.pool.query(`select count(*) as reported from event where name = 'USER_ROLE_CHANGED'`);
  expect(rows[0].reported).toBe(accounts);
});
