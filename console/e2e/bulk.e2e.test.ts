import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { role } from '@portreeve/server/policy/role/role.ts';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';

describe('bulk actions', async () => {
  const { open, admin } = await openBrowserSession();
  const names = async (path: string, filter: string, field: string) => {
    const { body } = await admin.get<Record<string, unknown>>(`${path}?filter=${encodeURIComponent(filter)}`);
    return body.results!.map((record) => record[field]);
  };

  test('select rows and ranges by keyboard and delete them with one request', async () => {
    for (const n of [1, 2, 3, 4]) await admin.create(role, { name: `Shift ${n}` });
    const page = await open('/roles?filter=name==Shift*&sort=name&dir=ASC');
    await signIn(page);
    const grid = page.getByRole('grid');
    await page.getByRole('row', { name: 'Shift 4' }).waitFor();
    await grid.focus();
    await page.keyboard.press('x');
    const bar = page.getByRole('toolbar');
    await bar.getByText('1 selected').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('X');
    await bar.getByText('3 selected').waitFor();
    expect(await grid.locator('[aria-selected="true"]').count()).toBe(3);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'Shift 1' }).click({ modifiers: ['Control'] });
    await page.getByRole('row', { name: 'Shift 3' }).click({ modifiers: ['Control'] });
    await bar.getByText('2 selected').waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete role records' }).click();
    await dialog.getByText('2 selected').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await bar.waitFor({ state: 'detached' });
    expect(await names(role.path!, 'name==Shift*', 'name')).toEqual(['Shift 2', 'Shift 4']);
    await page.getByRole('row', { name: 'Shift 3' }).waitFor({ state: 'detached' });
  });

  test('send one request per record if no bulk operation exists, and show each result', async () => {
    for (const n of [1, 2, 3]) {
      const hostID = await admin.create(host, { hostName: `cart-${n}` });
      await admin.create(adapter, { hostID, physicalAddress: `02:00:5E:10:00:0${n}` });
    }
    const page = await open('/hosts?filter=hostName==cart-*&sort=hostName&dir=ASC');
    await signIn(page);
    await page.getByRole('row', { name: 'cart-3' }).waitFor();
    await page.getByRole('button', { name: 'Select records (x)' }).click();
    await page.getByRole('row', { name: 'cart-1' }).click();
    const bar = page.getByRole('toolbar');
    await bar.getByText('1 selected').waitFor();
    await bar.getByRole('button', { name: 'Select all 3' }).click();
    await bar.getByText('3 selected').waitFor();
    await bar.getByRole('button', { name: 'Actions' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Disable host' }).click();
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
    await dialog.getByRole('cell', { name: 'cart-2' }).waitFor();
    expect(await dialog.getByRole('cell', { name: 'Done.' }).count()).toBe(3);
    expect(await findings(page)).toEqual([]);
    expect(await names(host.path!, 'hostName==cart-*', 'enabled')).toEqual([false, false, false]);
  });

  test('on more than 100 records require typing their number', async () => {
    for (let n = 0; n < 101; n++) await admin.create(role, { name: `Rota ${n}` });
    const page = await open('/roles?filter=name==Rota*');
    await signIn(page);
    await page.getByRole('grid').getByRole('row').nth(2).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Select all 101' }).click();
    await page.getByRole('toolbar').getByText('101 selected').waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete role records' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('alert').getByText('Type the number').waitFor();
    await dialog.getByLabel('To confirm').fill('101');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect(await names(role.path!, 'name==Rota*', 'name')).toEqual([]);
  });

  test('change the rank of a row by keyboard or mouse after a confirmation', async () => {
    for (const n of [1, 2, 3]) await admin.create(role, { name: `Order ${n}` });
    const order = async () => (await names(role.path!, 'name==Order*', 'name')).map((name) => String(name).slice(-1));
    expect(await order()).toEqual(['1', '2', '3']);
    const page = await open('/roles?filter=name==Order*');
    await signIn(page);
    const row = (n: number) => page.getByRole('row', { name: `Order ${n}` });
    await row(3).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Alt+ArrowDown');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Order 1').waitFor();
    await dialog.getByRole('button', { name: 'Move' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(order).toEqual(['2', '1', '3']);
    await row(3).dragTo(row(2));
    await dialog.getByText('Order 3').waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Move' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(order).toEqual(['3', '2', '1']);
  });

  test('copy a row as a filter or a curl command, and a value with its button', async () => {
    const id = await admin.create(role, { name: 'Copied' });
    const page = await open('/roles?filter=name==Copied');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page);
    await page.getByRole('row', { name: 'Copied' }).waitFor();
    await page.getByRole('grid').focus();
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.keyboard.press('c');
    await page.getByRole('status').getByText(`Copied: id==${id}`).waitFor();
    expect(await clipboard()).toBe(`id==${id}`);
    await page.keyboard.press('C');
    await expect.poll(clipboard).toMatch(/^curl -H .*\/api\/v2\/policy\/role\/\d+"$/);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').getByRole('button', { name: 'Copy: Name' }).click();
    await expect.poll(clipboard).toBe('Copied');
    expect(await findings(page)).toEqual([]);
  });
});
