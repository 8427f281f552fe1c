import { role } from '@portreeve/server/policy/role/role.ts';
import { Stage } from '@portreeve/server/test/world/example-fixtures.ts';
import { adminProfile } from '@portreeve/server/user/admin-profile/admin-profile.ts';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn, userOf } from './browser.ts';
import { shownPages } from './shown-groups.ts';

/** Interval at which a page checks when its session ends. */
const lookedEveryMs = 15_000;

describe('a session', async () => {
  const world = await openBrowserSession();
  const { open, admin, service, url } = world;
  await Stage.open(world);
  const { pool } = service.runtime;
  /** Sets the last use of the newest session to the given time ago. */
  const unusedFor = (seconds: number) =>
    pool.query(
      `update login_session set used_at = now() - make_interval(secs => $1) where id = (select max(id) from login_session)`,
      [seconds],
    );
  const inactivitySeconds = async () => {
    const { rows } = await pool.query<{ minutes: number }>(
      `select inactivity_time as minutes from admin_profile where name = 'System Administrator'`,
    );
    return rows[0]!.minutes * 60;
  };

  const isUsed = async () => {
    const { rows } = await pool.query<{ isUsed: boolean }>(
      `select used_at > now() - interval '1 minute' as "isUsed" from login_session order by id desc limit 1`,
    );
    return rows[0]!.isUsed;
  };

  test('is extended by key presses that send no request', async () => {
    const page = await open('/roles');
    await page.clock.install();
    await signIn(page);
    await page.getByRole('grid').waitFor();
    await unusedFor(300);
    const looked = page.waitForResponse((reply) => reply.url().endsWith('/timeout'));
    await page.clock.fastForward(lookedEveryMs);
    await looked;
    expect(await isUsed()).toBe(false);
    const goOn = async () => {
      await page.keyboard.press('j');
      await page.clock.fastForward(lookedEveryMs);
      return isUsed();
    };
    // The service stores the last use at most every 15 s.
    await expect.poll(goOn, { timeout: 30_000, interval: 1_000 }).toBe(true);
  });

  test('shows a warning before it ends by inactivity, and can be extended', async () => {
    const page = await open('/roles');
    await page.clock.install();
    await signIn(page);
    await page.getByRole('grid').waitFor();
    const allowed = await inactivitySeconds();
    await unusedFor(allowed - 60);
    // In real time: the service stores the last use at most every 15 s, so an extension right after the sign-in would not be stored.
    const warning = page.getByRole('alert').filter({ hasText: 'Your session ends in' });
    await warning.waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await warning.waitFor({ state: 'detached' });
    expect(await isUsed()).toBe(true);
    await unusedFor(allowed + 5);
    await page.clock.fastForward(lookedEveryMs);
    await page.getByText('Your session has ended').waitFor();
  });

  test('has exactly the menu of its admin profile', async () => {
    const { results } = (await admin.get<{ dbid: number; name: string }>(`${adminProfile.path}?count=100`)).body;
    expect(results!.length).toBeGreaterThan(3);
    const owner = await world.caller({});
    for (const { dbid, name } of results!) {
      const changed = await admin.post(`/auth/admins/${owner.accountId}`, { adminProfileDBID: dbid });
      expect(changed.code, changed.text).toBe(200);
      const page = await open('/nothing');
      await signIn(page, await userOf(world, owner.accountId));
      const { results: settings } = (await page.evaluate(
        'fetch("/api/v2/user/current-session/navigation-settings").then((reply) => reply.json())',
      )) as { results: { menu: { children: { page: string; label: string }[] }[] }[] };
      const expected = settings[0]!.menu
        .flatMap(({ children }) => children)
        .filter((entry) => shownPages.has(entry.page));
      // The account link below the menu is not part of it.
      const entries = page.getByRole('navigation').locator('a:not([href$="/account"])');
      expect(await entries.allInnerTexts(), name).toEqual(expected.map(({ label }) => label));
      await page.context().close();
    }
  });

  test('cannot be used by a form on another site', async () => {
    const id = await admin.create(role, { name: 'Wanted' });
    const page = await open('/roles');
    await signIn(page);
    await page.getByRole('grid').waitFor();
    // The browser has the cookie, and a page of another site submits a form.
    const secondPage = await page.context().newPage();
    const action = `${url}/api/v2/policy/role/${id}/delete`;
    await secondPage.setContent(`<form method="post" action="${action}"><button>Win a prize</button></form>`);
    const [reply] = await Promise.all([
      secondPage.waitForResponse((response) => response.request().method() === 'POST'),
      secondPage.getByRole('button').click(),
    ]);
    expect(reply.status()).toBe(401);
    expect((await admin.get(`${role.path}/${id}`)).code).toBe(200);
  });
});
