import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { Stage } from '@portreeve/server/test/world/example-fixtures.ts';
import { staged } from '@portreeve/server/test/world/paths.ts';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';

describe('the list of hosts', async () => {
  const world = await openBrowserSession();
  const { open, admin, service, url } = world;
  await Stage.open(world);
  const disabledHost = await admin.create(host, { hostName: 'held-laptop' });
  await admin.create(host, { hostName: 'never-seen' });
  await admin.create(adapter, { physicalAddress: '3C:5A:B4:00:00:02', hostID: disabledHost });
  const { pool } = service.runtime;
  await pool.query(`update adapter set access_state = 'QUARANTINE' where host_id = $1`, [disabledHost]);
  await pool.query(`update adapter set access_state = 'PRODUCTION' where physical_address = $1`, [staged.mac]);
  const [connected] = (await admin.get(`${adapter.path}?filter=physicalAddress==${staged.mac}`)).body.results!;

  test('shows access state and location, and filters by an access state', async () => {
    const page = await open('/hosts');
    await signIn(page);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('held-laptop').getByText('Quarantine').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: String(connected!.location) })
      .getByText('Production')
      .waitFor();
    expect(await row('never-seen').getByText('–').count()).toBeGreaterThan(2);
    expect(await findings(page)).toEqual([]);

    const share = page.getByRole('region', { name: 'Hosts by access' });
    expect(await share.getByRole('button').allInnerTexts()).toEqual(['Production\n1', 'Quarantine\n1']);
    await share.getByRole('button', { name: 'Quarantine' }).click();
    await page.getByRole('status').getByText(/^1 of/).waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBe('adapter.accessState==QUARANTINE');
    await row('held-laptop').waitFor();
    await row('never-seen').waitFor({ state: 'detached' });

    // Free text in several fields can be combined with a condition on adapters.
    await page.goto(`${url}/console/hosts`);
    await page.getByRole('textbox', { name: 'Filter' }).fill('laptop');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(/^1 of/).waitFor();
    await share.getByRole('button', { name: 'Quarantine' }).click();
    await expect.poll(() => page.url()).toContain('accessState');
    await row('held-laptop').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('shows "No results" if the filter matches nothing', async () => {
    const page = await open('/hosts?filter=hostName==nobody');
    await signIn(page);
    await page.getByText('No results').waitFor();
    expect(await page.getByRole('grid').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
  });

  test('offers to remove each condition, with the number of matches without it', async () => {
    const page = await open(`/hosts?filter=${encodeURIComponent('hostName==nobody;enabled==true')}`);
    await signIn(page);
    const offers = page.locator('.looser').getByRole('button');
    await expect.poll(() => offers.count()).toBe(2);
    const { filtered } = (await admin.get(`${host.path}?filter=enabled==true&count=0`)).body;
    expect(filtered).toBeGreaterThan(0);
    await page.locator('.looser').getByText(String(filtered), { exact: true }).waitFor();
    await offers.first().click();
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBe('enabled==true');
  });
});
