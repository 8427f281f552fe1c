import { rightPassword } from '@portreeve/server/test/world/sign-in.ts';
import { describe, expect, test } from 'vitest';
import { desk, findings } from './browser.ts';

describe('the console in a browser', async () => {
  const { open, service } = await desk();

  test('asks who somebody is, refuses in one text, and leads to the page that was asked for', async () => {
    const page = await open('/roles?filter=name==a');
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
    await page.getByRole('heading', { name: 'Role', level: 1 }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/console/roles');
    expect(new URL(page.url()).search).toBe('?filter=name==a');

    // Who reloads is still signed in, and nothing of it lies where a script can read it.
    await page.reload();
    await page.getByRole('heading', { name: 'Role', level: 1 }).waitFor();
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)')).toBe(
      '{}{}',
    );

    await page.keyboard.press('.');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(await findings(page)).toEqual([]);
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
});
