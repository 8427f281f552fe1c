import { afterAll, expect, test } from 'vitest';
import { freeze } from '../../../test/trials/starve.ts';
import { openCell } from '../../../test/world/cell.ts';

const accounts = 20_000;
const patient = { timeout: 240_000, interval: 100 };

const cell = await openCell({ nodes: 2 });
afterAll(() => cell.close());
const [first, second] = cell.nodes as [(typeof cell.nodes)[0], (typeof cell.nodes)[0]];

test('assigns the right roles if they change while the assigning node gets no processor time', async () => {
  const send = async (node: typeof first, path: string, body: object): Promise<number> => {
    const reply = await cell.client(node).call('POST', path, body);
    expect(reply.code, reply.body.errorMessage ?? '').toBeLessThan(300);
    return Number(reply.headers.location?.split('/').at(-1));
  };
  const count = async (text: string) => (await cell.sql.query<{ n: number }>(text)).rows[0]!.n;
  const below = await send(first, '/system/group/USER', { name: 'below' });
  const above = await send(first, '/system/group/USER', { name: 'above' });
  await send(first, '/policy/role', { name: 'Claimed', groupIDs: [above] });
  await cell.sql.query(
    `with made as (
       insert into user_account (user_id, first_name, last_name, email, source, state, must_change_password, role_id, role_source)
       select 'user-' || n, '', '', '', a.source, a.state, false, a.role_id, a.role_source
       from (select * from user_account limit 1) a cross join generate_series(1, $1::integer) n returning id
     ) insert into group_member (group_id, element_type, member_id) select $2, 6, m.id from made m`,
    [accounts, below],
  );
  const claimed = () =>
    count(`select count(*)::integer as n from user_account u join role r on r.id = u.role_id where r.name = 'Claimed'`);
  await cell.kill9(second);
  await send(first, '/system/group/add-to-parents', { groupID: below, parentID: [above] });
  await expect.poll(claimed, { ...patient, interval: 5 }).toBeGreaterThan(0);

  const goOn = freeze(first);
  try {
    await cell.startNode(second);
    await send(second, '/system/group/remove-from-parent', { parentID: above, id: [below] });
  } finally {
    goOn();
  }
  await expect.poll(claimed, patient).toBe(0);
  await expect.poll(() => count('select count(*)::integer as n from reconcile_request'), patient).toBe(0);
  expect(await claimed()).toBe(0);
  // Each host that got the role lost it again, and each change was reported once.
  const { rows } = await cell.sql.query<{ changes: number }>(
    `select distinct count(*)::integer as changes from event e where e.name = 'USER_ROLE_CHANGED' group by e.element_id`,
  );
  expect(rows).toEqual([{ changes: 2 }]);
}, 600_000);
