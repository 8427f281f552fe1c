import { host } from '@portreeve/server/host/host/host.ts';
import { aaaServer } from '@portreeve/server/integration/aaa-server/aaa-server.ts';
import { accessConfiguration } from '@portreeve/server/policy/access-configuration/access-configuration.ts';
import { accessPolicy } from '@portreeve/server/policy/access-policy/access-policy.ts';
import { role } from '@portreeve/server/policy/role/role.ts';
import { Stage } from '@portreeve/server/test/world/example-fixtures.ts';
import { adminProfile } from '@portreeve/server/user/admin-profile/admin-profile.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn, userOf } from './browser.ts';
import { shownGroups } from './shown-groups.ts';

describe('forms and actions', async () => {
  const world = await openBrowserSession();
  const { open, admin, url } = world;
  await Stage.open(world);
  const signedIn = async (path: string): Promise<Page> => {
    const page = await open(path);
    await signIn(page);
    return page;
  };
  const records = async (path: string, filter: string) =>
    (await admin.get(`${path}?filter=${encodeURIComponent(filter)}`)).body.results!;

  test('create a record, show errors at their fields, and store the secret without showing it', async () => {
    const page = await signedIn('/aaa-servers');
    await page.getByRole('status').getByText(/^\d/).waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('form');
    await form.getByLabel('Name').fill('radius-north');
    await form.getByLabel('Net ID').fill('192.0.2.30');
    await form.getByLabel('Authentication port').fill('70000');
    await form.getByLabel(/^Secret/).fill('short');
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    await form.getByText('2 errors').waitFor();
    expect(await form.getByLabel('Authentication port').getAttribute('aria-invalid')).toBe('true');
    expect(await findings(page)).toEqual([]);
    await form.getByLabel('Authentication port').fill('1645');
    await form.getByLabel(/^Secret/).fill('long enough to be one');
    // Leaving the form keeps a draft, but not the secret.
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('long enough');
    await page.getByRole('button', { name: 'New' }).click();
    await page.getByText(/^Draft from/).waitFor();
    expect(await form.getByLabel('Authentication port').inputValue()).toBe('1645');
    expect(await form.getByLabel(/^Secret/).inputValue()).toBe('');
    await form.getByLabel(/^Secret/).fill('long enough to be one');
    await page.keyboard.press('Control+Enter');
    await page.getByText('the service would accept this').waitFor();
    expect(await records(aaaServer.path!, 'name==radius-north')).toEqual([]);
    await form.getByLabel('Reason').fill('CHG-4711');
    await page.keyboard.press('Control+s');
    await page.getByRole('complementary', { name: 'radius-north' }).waitFor();
    const [stored] = await records(aaaServer.path!, 'name==radius-north');
    expect(stored).toMatchObject({ authPort: 1645, netId: '192.0.2.30', acctPort: 1813 });
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('radius-north');
    expect(await page.content()).not.toContain('long enough');
    const { results } = (await admin.get('/api/v2/logging/audit?filter=reason==CHG-4711')).body;
    expect(results).toHaveLength(1);
  });

  test('merge a concurrent change and let the user choose if both changed the same field', async () => {
    const id = await admin.create(role, { name: 'Nurse', note: 'as it was' });
    const page = await signedIn(`/roles?open=${id}`);
    await page.getByRole('complementary').locator('dl').first().waitFor();
    await page.keyboard.press('e');
    const form = page.getByRole('form');
    await form.getByLabel('Name').fill('Nurse, mine');
    await admin.post(`${role.path}/${id}`, { name: 'Nurse, theirs', note: 'theirs' });
    await page.keyboard.press('Control+s');
    await form.getByRole('alert').getByText('in the meantime').waitFor();
    expect(await form.getByLabel('Note').inputValue()).toBe('theirs');
    expect(await findings(page)).toEqual([]);
    await form.getByLabel(/Mine:/).check();
    await page.keyboard.press('Control+s');
    await page.getByRole('complementary', { name: 'Nurse, mine' }).waitFor();
    expect((await admin.get(`${role.path}/${id}`)).body.results![0]).toMatchObject({
      name: 'Nurse, mine',
      note: 'theirs',
    });
  });

  test('try an action, then disable a host with a reason, by keyboard only', async () => {
    const id = await admin.create(host, { hostName: 'stolen-laptop' });
    const page = await signedIn(`/hosts?open=${id}`);
    await page.getByRole('complementary').locator('dl').first().waitFor();
    await page.keyboard.press('a');
    await page.getByLabel('Find action').waitFor();
    await page.keyboard.type('disable');
    await page.keyboard.press('Enter');
    await page.getByLabel('Reason').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.type('reported stolen');
    await page.keyboard.press('Control+Enter');
    await page.getByText('the service would accept this').waitFor();
    expect((await admin.get(`${host.path}/${id}`)).body.results![0]).toMatchObject({ enabled: true });
    await page.keyboard.press('Enter');
    await page.getByText('Done.').waitFor();
    expect((await admin.get(`${host.path}/${id}`)).body.results![0]).toMatchObject({ enabled: false });
    const { results } = (await admin.get('/api/v2/logging/audit?filter=reason=="reported stolen"')).body;
    expect(results!.length).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('close a deleted record and report the records that still use another', async () => {
    const id = await admin.create(role, { name: 'Short lived' });
    const page = await signedIn(`/roles?open=${id}`);
    await page.getByRole('complementary').locator('dl').first().waitFor();
    await page.keyboard.press('a');
    await page.getByLabel('Find action').fill('delete');
    await page.keyboard.press('Enter');
    await page.getByLabel('Reason').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Done.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    expect(await records(role.path!, 'name=="Short lived"')).toEqual([]);

    const used = await admin.create(role, { name: 'Needed' });
    await admin.create(host, { hostName: 'needs-it', role: 'Needed' });
    await page.goto(`${url}/console/roles?open=${used}`);
    await page.getByRole('complementary').locator('dl').first().waitFor();
    await page.keyboard.press('a');
    await page.getByLabel('Find action').fill('delete');
    await page.keyboard.press('Enter');
    await page.getByLabel('Reason').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('alert').getByText('Still in use by 1 Host record').waitFor();
    expect(await records(role.path!, 'name==Needed')).toHaveLength(1);
  });

  test('find a reference by a part of its name', async () => {
    const page = await signedIn('/hosts?form=host.create');
    const form = page.getByRole('form');
    await form.getByLabel('Host name').fill('chosen');
    await form.getByRole('combobox', { name: 'Role' }).fill('NAC');
    await page.getByRole('option', { name: 'NAC-Default' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByRole('complementary', { name: 'chosen' }).waitFor();
    expect(await records(host.path!, 'hostName==chosen')).toMatchObject([{ role: 'NAC-Default' }]);
  });

  test('edit the criteria of a policy as a form and as text', async () => {
    const configuration = await admin.create(accessConfiguration, {
      name: 'Cameras 30',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '30' },
    });
    const page = await signedIn('/access-policies?group=access-policy&form=access-policy.create');
    const form = page.getByRole('form');
    await form.getByLabel('Name').fill('Cameras by day');
    await form.getByRole('combobox', { name: 'Access configuration' }).fill('Cameras');
    await page.getByRole('option', { name: 'Cameras 30' }).waitFor();
    await page.keyboard.press('Enter');
    await form.getByRole('combobox', { name: 'Roles' }).fill('NAC');
    await page.getByRole('option', { name: 'NAC-Default' }).waitFor();
    await page.keyboard.press('Enter');
    await form.getByLabel('SSIDs').pressSequentially('guest\nguest 5 GHz');
    await form.getByRole('button', { name: 'Add: Attributes' }).click();
    await form.getByLabel('Attribute', { exact: false }).last().pressSequentially('host.operatingSystem');
    await form.getByLabel(/^Op/).selectOption('LIKE');
    await form.getByLabel('Value').pressSequentially('Windows 1*');
    await form.getByRole('button', { name: 'Add: Conditions' }).click();
    await form.getByLabel('Attribute', { exact: false }).last().pressSequentially('host.hostName');
    await form.getByLabel(/^Op/).last().selectOption('IN');
    await form.getByLabel('Value').last().pressSequentially('ward 12');
    await form.getByRole('radio', { name: 'at these times' }).check();
    await form.getByRole('checkbox', { name: 'Sun' }).uncheck();
    await form.getByLabel('from', { exact: true }).fill('07:30');
    await form.getByLabel('to', { exact: true }).fill('00:00');
    expect(await findings(page)).toEqual([]);
    await form.getByRole('button', { name: /^Edit as text/ }).click();
    expect(JSON.parse(await form.getByLabel('Criteria').inputValue())).toMatchObject({
      where: { ssids: ['guest', 'guest 5 GHz'] },
    });
    await form.getByRole('button', { name: /^Edit as form/ }).click();
    expect(await form.getByLabel('Value').first().inputValue()).toBe('Windows 1*');
    await page.keyboard.press('Control+s');
    await page.getByRole('complementary', { name: 'Cameras by day' }).waitFor();
    const [stored] = await records(accessPolicy.path!, 'name=="Cameras by day"');
    expect(stored).toMatchObject({
      accessConfigurationID: configuration,
      criteria: {
        who: {
          roles: ['NAC-Default'],
          groups: [],
          attributes: [
            {
              conditions: [
                { attribute: 'host.operatingSystem', op: 'LIKE', value: 'Windows 1*' },
                { attribute: 'host.hostName', op: 'IN', value: ['ward 12'] },
              ],
            },
          ],
        },
        where: { containers: [], ssids: ['guest', 'guest 5 GHz'] },
        when: { alwaysOn: false, startTimeOfDay: 450, endTimeOfDay: 1440, daysOfWeek: 126 },
      },
    });
    // An optional value is set and removed again.
    await page.goto(`${url}/console/access-configurations?group=access-configuration&form=access-configuration.create`);
    await form.getByLabel('Name').fill('By a group');
    await form.getByRole('button', { name: /^Set/ }).click();
    await form.getByRole('combobox', { name: /Access type/ }).selectOption('DENY');
    await form.getByRole('button', { name: 'Remove: Direct configuration' }).click();
    expect(await form.getByText('changed', { exact: true }).count()).toBe(1);
  });

  test('edit permissions as a table of checkboxes and keep their other properties', async () => {
    const id = await admin.create(adminProfile, {
      name: 'One building',
      permissions: { devices: { view: true, customized: true, allIDs: false, selectedIDs: [1] } },
    });
    const page = await signedIn(`/admin-profiles?open=${id}`);
    await page.getByRole('complementary').locator('dl').first().waitFor();
    await page.keyboard.press('e');
    const form = page.getByRole('form');
    expect(await form.getByRole('checkbox', { name: 'devices: View' }).isChecked()).toBe(true);
    await form.getByRole('checkbox', { name: 'devices: Modify' }).check();
    await form.getByRole('checkbox', { name: 'hosts: View' }).check();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    await form.waitFor({ state: 'detached' });
    const [stored] = (await admin.get(`${adminProfile.path}/${id}`)).body.results!;
    expect(stored).toMatchObject({
      permissions: {
        devices: { view: true, modify: true, customized: true, allIDs: false, selectedIDs: [1] },
        hosts: { view: true, modify: false },
      },
    });
  });

  const forms = shownGroups.flatMap(({ name, page, operations }) => {
    const form = operations.find(({ id }) => new RegExp(`^${name}\\.(create|write)`).test(id));
    return form ? [{ name, at: page, create: form }] : [];
  });

  test('open every form, and every fourth in the dark theme', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open('/', { colorScheme });
      await signIn(page);
      let states = 0;
      for (const [index, { name, at: formPath, create }] of forms.entries()) {
        if (colorScheme === 'dark' && index % 4 > 0) continue;
        await page.goto(`${url}/console/${formPath}?group=${name}&form=${create.id}`);
        await page
          .getByRole('form')
          .getByRole('button', { name: /Create|Save/ })
          .waitFor();
        expect(
          await findings(page, { part: 'form', colours: colorScheme === 'dark' }),
          `${create.id}, ${colorScheme}`,
        ).toEqual([]);
        states += 1;
      }
      console.log(`axe 0 of ${states} forms, ${colorScheme}`);
    }
  });

  test('offer no changes to a user who may only view', async () => {
    const { accountId } = await world.caller({ roles: ['view'] });
    const page = await open('/roles');
    await signIn(page, await userOf(world, accountId));
    await page.locator('#row-0').click();
    await page.getByRole('complementary').locator('dl').first().waitFor();
    for (const name of ['New', 'Edit']) expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.keyboard.press('n');
    await page.keyboard.press('e');
    expect(await page.getByRole('form').count()).toBe(0);
    await page.keyboard.press('a');
    expect(await page.getByRole('dialog').getByText('Delete').count()).toBe(0);
  });
});
