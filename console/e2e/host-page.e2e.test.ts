import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { writeResponses } from '@portreeve/server/radius/radius-response/radius-response.service.ts';
import { Stage } from '@portreeve/server/test/world/example-fixtures.ts';
import { staged } from '@portreeve/server/test/world/paths.ts';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';

describe('the page of a host', async () => {
  const world = await openBrowserSession();
  const { open, admin, service, url } = world;
  await Stage.open(world);
  const [connected] = (await admin.get(`${adapter.path}?filter=physicalAddress==${staged.mac}`)).body.results!;
  const id = Number(connected!.hostID);
  await admin.post(`${host.path}/${id}/set-health`, { health: 'AT_RISK', reason: 'Disk encryption is off' });
  const reject = {
    callingStationId: staged.mac,
    username: 'ann',
    deviceID: Number(connected!.deviceID),
    nas: 'sw-3',
    nasPort: 'Gi1/0/7',
    ssid: null,
    outerEapType: null,
    eapType: 'PEAP',
    reply: 'REJECT',
    cause: 'BAD_PASSWORD',
    message: 'The password of ann is wrong.',
    decisionID: null,
    durationMs: 3,
    clusterNode: 'node-1',
  } as const;
  await writeResponses(service.runtime.pool, [
    { ...reject, reply: 'ACCEPT', cause: 'NONE', message: 'Let in.' },
    reject,
  ]);

  test('shows identity, access, decision steps and timeline, and opens each tab by its number', async () => {
    const page = await open(`/hosts?open=${id}`);
    await signIn(page);
    await page.getByRole('complementary').locator('dl').first().waitFor();
    await page.keyboard.press('o');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('list', { name: 'RADIUS' }).getByRole('listitem').nth(1).waitFor();
    expect(new URL(page.url()).search).toBe(`?page=${id}`);
    expect(await timeline.getByRole('list', { name: 'User' }).innerText()).toBe('ann');
    expect(await timeline.getByRole('list', { name: 'Health' }).innerText()).toContain(
      'At risk · Disk encryption is off',
    );
    const rejects = timeline.getByRole('list', { name: 'RADIUS' }).locator('.bad');
    expect(await rejects.count()).toBe(1);
    expect(await rejects.getAttribute('title')).toContain('The password of ann is wrong.');
    const aside = page.getByRole('complementary', { name: 'Why' });
    await aside.getByText('Safe → At risk: Disk encryption is off').waitFor();
    await aside.locator('.trace li').first().waitFor();
    expect(await findings(page)).toEqual([]);

    const tabs = page.getByRole('tab');
    expect(await tabs.allInnerTexts()).toContain('RADIUS 2');
    await page.keyboard.press('3');
    const rows = page.getByRole('tabpanel', { name: 'RADIUS' }).getByRole('row');
    await rows.nth(1).getByText('The password of ann is wrong.').waitFor();
    expect(await findings(page)).toEqual([]);
    for (let number = 1; number <= (await tabs.count()); number++) {
      await page.keyboard.press(String(number));
      await expect.poll(() => tabs.nth(number - 1).getAttribute('aria-selected')).toBe('true');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('grid').waitFor();
    expect(new URL(page.url()).search).toBe(`?open=${id}`);
  });

  test('shows a change without a reload', async () => {
    const page = await open(`/hosts?page=${id}`);
    await signIn(page);
    await page.getByText('Live', { exact: true }).waitFor();
    const set = await admin.post(`${host.path}/${id}/set-health`, { health: 'SAFE', reason: 'Encrypted' });
    expect(set.code, set.text).toBe(200);
    await page.getByRole('complementary').getByText('At risk → Safe: Encrypted').waitFor();
  });

  test('returns to the page after an edit and shows an empty tab for a host that was never connected', async () => {
    const page = await open(`/hosts?page=${id}`);
    await signIn(page);
    await page.getByRole('tab').first().waitFor();
    await page.keyboard.press('e');
    // There are two forms for a host.
    await page.getByRole('dialog').getByRole('button').first().click();
    await page.getByRole('form').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab').first().waitFor();
    expect(new URL(page.url()).search).toBe(`?page=${id}`);
    const unseen = await admin.create(host, { hostName: 'never-seen' });
    await page.goto(`${url}/console/hosts?page=${unseen}&view=port-change`);
    await page.getByText('No records.').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('shows the last applied decision next to the current one', async () => {
    const page = await open(`/hosts?explain=${id}`);
    await signIn(page);
    await page.getByRole('region', { name: 'Last applied decision' }).getByText('Reject · Bad password').waitFor();
    await page.getByRole('region', { name: 'Now' }).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('exists for records of every resource', async () => {
    const page = await open('/roles?page=1');
    await signIn(page);
    await page.getByRole('tabpanel', { name: 'Details' }).locator('dl').first().waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test.each([390, 1_024])('fits %i pixels', async (width) => {
    const page = await open(`/hosts?page=${id}`, { viewport: { width, height: 844 } });
    await signIn(page);
    await page.getByRole('list', { name: 'RADIUS' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await findings(page)).toEqual([]);
  });
});
