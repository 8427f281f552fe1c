import { host } from '@portreeve/server/host/host/host.ts';
import { role } from '@portreeve/server/policy/role/role.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';

describe('the filter dialog', async () => {
  const { open, admin, url } = await openBrowserSession();
  for (const name of ['Nurse', 'Porter']) await admin.create(role, { name });
  for (const [hostName, roleName] of [
    ['cart-1', 'Nurse'],
    ['cart-2', 'Nurse'],
    ['trolley', 'Porter'],
    ['kiosk', 'NAC-Default'],
  ])
    await admin.create(host, { hostName, role: roleName });

  const filterOf = (page: Page) => new URL(page.url()).searchParams.get('filter');
  const shown = (page: Page, count: string) => page.getByRole('status').getByText(count, { exact: true }).waitFor();

  test('adds a condition with "is not" by keyboard and shows the count of each value', async () => {
    const page = await open('/hosts');
    await signIn(page);
    await shown(page, '4');
    await page.keyboard.press('f');
    await page.getByLabel('Field').focus();
    await page.keyboard.type('Role');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('checkbox', { name: /Nurse/ }).waitFor();
    expect(await page.locator('.counted label').allInnerTexts()).toEqual(['Nurse\n2', 'NAC-Default\n1', 'Porter\n1']);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await shown(page, '2 of 4');
    expect(filterOf(page)).toBe('role!=Nurse');
    await page.getByRole('button', { name: 'Role is not Nurse', exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('joins conditions with "or" and shows a filter that it cannot edit as text', async () => {
    const page = await open('/hosts');
    await signIn(page);
    await shown(page, '4');
    await page.keyboard.press('f');
    await page.getByLabel('Field').selectOption({ label: 'Host name' });
    await page.getByLabel('Value').fill('cart-*');
    await page.getByRole('button', { name: 'Or …' }).click();
    await expect.poll(() => page.getByLabel('Field').inputValue()).toBe('');
    await page.getByLabel('Field').selectOption({ label: 'Role' });
    await page.getByRole('checkbox', { name: /Porter/ }).check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await shown(page, '3 of 4');
    expect(filterOf(page)).toBe('hostName==cart-*,role==Porter');
    await page.getByRole('button', { name: /^Remove/ }).click();
    await shown(page, '4');
    expect(filterOf(page)).toBeNull();

    const deep = '(hostName==cart-1;role==Nurse),hostName==kiosk';
    await page.goto(`${url}/console/hosts?filter=${encodeURIComponent(deep)}`);
    await shown(page, '2 of 4');
    expect(await page.locator('.condition button').first().isDisabled()).toBe(true);
    expect(await page.locator('.condition').innerText()).toContain(deep);
  });
});
