import { role } from '@portreeve/server/policy/role/role.ts';
import { Stage } from '@portreeve/server/test/world/example-fixtures.ts';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';

describe('other views', async () => {
  const world = await openBrowserSession();
  const { open, admin, url } = world;
  await Stage.open(world);

  test('show the history of a record with user, time, reason and changed values', async () => {
    const id = await admin.create(role, { name: 'Porter' });
    await admin.post(`${role.path}/${id}`, { name: 'Head porter' }, { 'x-reason': 'CHG-12' });
    const page = await open(`/roles?open=${id}`);
    await signIn(page);
    const drawer = page.getByRole('complementary');
    await drawer.locator('dl').first().waitFor();
    await page.keyboard.press('h');
    await drawer.getByText('CHG-12').waitFor();
    expect(await drawer.locator('del').first().innerText()).toBe('Porter');
    expect(await drawer.locator('ins').first().innerText()).toBe('Head porter');
    expect(await drawer.locator('section').count()).toBe(2);
    expect(await findings(page)).toEqual([]);
    await drawer.getByRole('tab', { name: 'Raw' }).click();
    await drawer.getByText(`portreeve role get ${id}`).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('show status and actions of a resource without a list', async () => {
    const page = await open('/discovery');
    await signIn(page);
    await page.getByRole('region', { name: 'Discovery' }).getByRole('heading').first().waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByRole('button').first().waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('show the second resource of a tag next to the first', async () => {
    const page = await open('/devices');
    await signIn(page);
    await page.getByRole('button', { name: 'Device properties' }).click();
    await page.getByRole('region', { name: 'Device properties' }).locator('dl').first().waitFor();
    await page.keyboard.press('e');
    await page.getByRole('form').waitFor();
    expect(page.url()).toBe(`${url}/console/devices?group=device-properties&form=device-properties.write`);
  });

  test('create an account and show its password once', async () => {
    const page = await open('/admin-profiles?group=account');
    await signIn(page);
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('form');
    await form.getByLabel('User ID').fill('carla');
    await form.getByRole('combobox', { name: 'Administrator profile' }).fill('System');
    await page.getByRole('option', { name: 'System Administrator' }).waitFor();
    await page.keyboard.press('Enter');
    const profile = form.getByRole('combobox', { name: 'Administrator profile' });
    await expect.poll(() => profile.inputValue()).toBe('System Administrator');
    await page.keyboard.press('Control+s');
    await page.getByRole('status').getByText('Password', { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'carla' }).waitFor();
    await page.keyboard.press('h');
    await page.getByRole('tabpanel', { name: 'History' }).getByRole('heading', { name: /^add/i }).waitFor();
    expect((await admin.get('/auth/admins?filter=userID==carla')).body.results).toHaveLength(1);
  });

  test('save the selected columns', async () => {
    const page = await open('/roles');
    await signIn(page);
    // Locates the headers also behind the dialog.
    const heads = () => page.locator('[role="columnheader"]').allInnerTexts();
    await page.getByRole('columnheader', { name: 'Name' }).waitFor();
    const delivered = await heads();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Version' }).check();
    await page.getByRole('checkbox', { name: 'Note' }).uncheck();
    expect(await findings(page)).toEqual([]);
    const chosen = [...delivered.filter((head) => head !== 'Note'), 'Version'];
    await expect.poll(heads).toEqual(chosen);
    await expect
      .poll(async () => page.evaluate('fetch("/api/v2/user/attributes/columns.role").then((reply) => reply.text())'))
      .toContain('"version"');
    await page.goto(`${url}/console/roles`);
    await expect.poll(heads).toEqual(chosen);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await expect.poll(heads).toEqual(delivered);
  });

  test('list all keyboard shortcuts', async () => {
    const page = await open('/roles');
    await signIn(page);
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('explain its access').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('apply the row height to every list, also after a reload', async () => {
    const page = await open('/roles');
    await signIn(page);
    const height = async () => (await page.locator('#row-0').boundingBox())!.height;
    await page.locator('#row-0 [role="gridcell"]').first().waitFor();
    expect(await height()).toBe(28);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Taller rows').check();
    await page.keyboard.press('Escape');
    await expect.poll(height).toBe(36);
    await page.goto(`${url}/console/hosts`);
    await page.locator('#row-0 [role="gridcell"]').first().waitFor();
    await expect.poll(height).toBe(36);
  });
});
