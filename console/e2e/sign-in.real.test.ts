import { role } from '@portreeve/server/policy/role/role.ts';
import { rightPassword } from '@portreeve/server/test/world/sign-in.ts';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';

describe('the console in a browser', async () => {
  const { open, service, admin } = await openBrowserSession();

  test('requires a sign-in, rejects with one text for all causes, and opens the requested page', async () => {
    const page = await open('/roles?sort=name');
    await page.getByLabel('User').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel('User').fill('system-administrator-1');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe(
      'Sign-in failed: wrong user name or password, or the account is locked or expired.',
    );
    await page.getByLabel('Password').fill(rightPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/roles?sort=name');

    // The session survives a reload, and no script can read it.
    await page.reload();
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)')).toBe(
      '{}{}',
    );

    await page.keyboard.press('.');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await expect
      .poll(
        async () => (await service.runtime.pool.query("select value from user_attribute where name = 'theme'")).rows,
      )
      .toEqual([{ value: 'dark' }]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('shows the records of a group, filters them, and opens one, by the keyboard alone', async () => {
    for (const name of ['Nurse', 'Night nurse', 'Porter <b>x</b>\u202e']) await admin.create(role, { name });
    const { filtered } = (await admin.get(`${role.path}?count=0`)).body;
    const page = await open('/roles');
    await signIn(page);
    const grid = page.getByRole('grid', { name: 'Role' });
    await grid.getByText('Night nurse').waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(Number(filtered) + 1));
    // Markup is shown as text, and invisible characters are marked.
    await grid.getByText('Porter <b>x</b>‹U+202E›').waitFor();
    expect(await findings(page)).toEqual([]);

    await page.keyboard.press('/');
    await page.keyboard.type('nurse');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(`2 of ${filtered}`).waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBe('name=="*nurse*"');

    await page.keyboard.press('Escape');
    await page.keyboard.type('nme==nurse');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('nme').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');

    await grid.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('complementary');
    await drawer.getByText('Last modified by').waitFor();
    expect(await findings(page)).toEqual([]);
    const shared = page.url();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    // The link opens the same record.
    await page.goto(shared);
    await page.getByRole('complementary').getByText('Last modified by').waitFor();
  });
});
