import { host } from '@portreeve/server/host/host/host.ts';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';

describe('the account page', async () => {
  const { open, admin, url } = await openBrowserSession();
  await admin.create(host, { hostName: 'infusion-2' });

  test('issues a token, shows it once and revokes it', async () => {
    const page = await open('/account');
    await signIn(page);
    const part = page.getByRole('region', { name: 'API tokens', exact: true });
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('inventory script');
    await dialog.getByRole('button', { name: 'Issue' }).click();
    const token = await dialog
      .locator('dd', { hasText: /^pt_|^[\w-]{30,}$/ })
      .last()
      .innerText();
    const response = await fetch(`${url}/api/v2/host?count=1`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const row = part.getByRole('row', { name: /inventory script/ });
    await row.getByText('ACTIVE', { exact: false }).waitFor();
    expect(await part.innerText()).not.toContain(token);
    expect(await findings(page)).toEqual([]);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await row.getByText('Revoked').waitFor();
    const again = await fetch(`${url}/api/v2/host?count=1`, { headers: { authorization: `Bearer ${token}` } });
    expect(again.status).toBe(401);
  });

  test('ends a session in another browser', async () => {
    const there = await open('/hosts');
    await signIn(there);
    await there.getByRole('grid').waitFor();
    const page = await open('/account');
    await signIn(page);
    const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
    await sessions.getByText('this session').waitFor();
    // Includes the sessions of previous tests.
    const endButtons = sessions.getByRole('button', { name: /^End/ });
    await endButtons.first().waitFor();
    for (let remainingCount = await endButtons.count(); remainingCount > 0; remainingCount--) {
      await endButtons.first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await expect.poll(() => endButtons.count()).toBe(remainingCount - 1);
    }
    await there.getByText('Your session has ended').waitFor();
  });

  test('adds a bookmark with the b key, shows it after a reload and removes it with the same key', async () => {
    const page = await open(`/hosts?filter=${encodeURIComponent('hostName==infusion-2')}`);
    await signIn(page);
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('b');
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Hosts: hostName==infusion-2' });
    await entry.waitFor();
    await page.goto(`${url}/console/account`);
    await page.getByRole('region', { name: 'Bookmarks' }).getByRole('link').first().waitFor();
    await entry.click();
    await page.locator('.grid-rows').getByText('infusion-2', { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    const views = page.getByRole('navigation', { name: 'Saved views' });
    await views.getByRole('link', { name: 'All' }).click();
    expect(page.url()).toBe(`${url}/console/hosts`);
    await views.getByRole('link', { name: 'hostName==infusion-2' }).click();
    await expect.poll(() => views.locator('[aria-current]').innerText()).toBe('hostName==infusion-2');
    await page.keyboard.press('b');
    await entry.waitFor({ state: 'detached' });
    await views.waitFor({ state: 'detached' });
  });
});
