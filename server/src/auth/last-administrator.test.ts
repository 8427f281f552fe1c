import { afterAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../../test/world/client.ts';
import { openNode } from '../../test/world/open-world.ts';
import { tally } from '../../test/world/sign-in.ts';
import { world } from '../../test/world/world.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { userAccount } from '../user/user-account/user-account.ts';

const path = '/auth/admins';
const password = 'a-password-of-somebody';

describe('the last enabled System Administrator', async () => {
  const { admin, service, database } = await world();
  const twin = await openNode({ database });
  afterAll(() => twin.close());
  const { pool } = service.runtime;
  const profileNamed = async (name: string): Promise<number> =>
    (await pool.query<{ id: number }>('select id from admin_profile where name = $1', [name])).rows[0]!.id;
  const everything = await profileNamed('System Administrator');
  const auditor = await profileNamed('Auditor');
  let names = 0;
  const freeName = () => `somebody-${++names}`;
  const enabled = async () =>
    (
      await pool.query(`select a.id from user_account a where a.state = 'ENABLED' and a.admin_profile_dbid = $1`, [
        everything,
      ])
    ).rows.length;

  /** The only remaining administrator after each test. */
  let last = admin as Client & { accountId: number };

  test('can be neither disabled, deleted nor moved to another profile', async () => {
    const ownPath = `${path}/${last.accountId}`;
    for (const [method, requestPath, body] of [
      ['POST', `${ownPath}/disable`],
      ['POST', ownPath, { state: 'DISABLED' }],
      ['POST', ownPath, { adminProfileDBID: auditor }],
      ['POST', ownPath, { adminProfileDBID: null }],
      ['DELETE', ownPath],
    ] as const) {
      const reply = await last.call(method, requestPath, body);
      expect(reply, `${requestPath} ${reply.text}`).toMatchObject({ code: 422, body: { status: 'rejected' } });
    }
    expect(await enabled()).toBe(1);
  });

  test('does not count an account without a password', async () => {
    const { id } = await service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(userAccount, { userID: freeName(), adminProfileDBID: everything }),
    );
    expect((await last.post(`${path}/${last.accountId}/disable`)).code).toBe(422);
    expect((await last.delete(`${path}/${id}`)).code).toBe(200);
  });

  /** Creates another administrator, signed in on the other node. */
  const partner = async (): Promise<Client & { accountId: number }> => {
    const fields = { userID: freeName(), adminProfileDBID: everything, password, mustChangePassword: false };
    const id = await last.create({ path }, fields);
    const signedIn = await new Client(twin.app, '').post('/auth/login', { userID: fields.userID, password });
    return Object.assign(new Client(twin.app, String(signedIn.body.results![0]!.sessionKey)), { accountId: id });
  };

  const waiting = `select count(*)::integer as count from pg_locks l
    where l.locktype = 'advisory' and not l.granted and l.database = (select oid from pg_database where datname = current_database())`;

  /** Starts the requests, waits until all wait for the lock under which administrators are counted, and releases it. */
  const together = async (requests: () => Promise<Reply>[]): Promise<Reply[]> => {
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(hashtext('last-administrator'))`);
    const pendingReplies = requests();
    try {
      await expect
        .poll(async () => (await holder.query(waiting)).rows[0].count, { timeout: 20_000 })
        .toBe(pendingReplies.length);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    return Promise.all(pendingReplies);
  };

  const ways: Record<string, (client: Client, id: number) => Promise<Reply>> = {
    disable: (client, id) => client.post(`${path}/${id}/disable`),
    delete: (client, id) => client.delete(`${path}/${id}`),
    move: (client, id) => client.post(`${path}/${id}`, { adminProfileDBID: auditor }),
  };

  test.each(Object.keys(ways))('stays when the last two %s each other at once, on two nodes', async (word) => {
    const both = [last, await partner()] as const;
    const replies = await together(() => [
      ways[word]!(both[0], both[1].accountId),
      ways[word]!(both[1], both[0].accountId),
    ]);
    expect(tally(replies.map(({ code }) => code)), JSON.stringify(replies.map(({ text }) => text))).toEqual({
      200: 1,
      422: 1,
    });
    expect(await enabled()).toBe(1);
    last = both[replies[0]!.code === 200 ? 0 : 1];
  });
});
