import type { PolicyDecision } from '@portreeve/sdk/generated/api.ts';
import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { Stage } from '@portreeve/server/test/world/example-fixtures.ts';
import { staged } from '@portreeve/server/test/world/paths.ts';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';
import { expectedSteps, shownSteps } from './figures/shown-steps.ts';

/** Number of hosts whose explanation is compared. */
const comparedHosts = 20;

describe('the explanation of a host', async () => {
  const world = await openBrowserSession();
  const { open, admin, service, url } = world;
  const stage = await Stage.open(world);
  for (const noun of ['role-mapping', 'access-policy']) await stage.record(noun);
  const [storedAdapter] = (await admin.get(`${adapter.path}?filter=physicalAddress==${staged.mac}`)).body.results!;
  const hostID = Number(storedAdapter!.hostID);
  const names = Array.from({ length: comparedHosts - 1 }, (_, number) => `explained-${number}`);
  const hosts = [hostID];
  for (const [number, hostName] of names.entries()) {
    const id = await admin.create(host, { hostName, enabled: number % 5 > 0 });
    if (number % 3 > 0)
      await admin.create(adapter, { physicalAddress: `3C:5A:B4:00:01:${String(10 + number)}`, hostID: id });
    hosts.push(id);
  }
  // One host has two connected adapters.
  const second = '3C:5A:B4:00:02:01';
  await admin.create(adapter, { physicalAddress: second, hostID });
  await service.runtime.pool.query(
    'insert into connection_active (mac, device_id, port_id) select $2, c.device_id, c.port_id from connection_active c where c.mac = $1',
    [staged.mac, second],
  );
  await service.catchUp();

  const decisionOf = async (id: number, question = '') => {
    const { body } = await admin.get<PolicyDecision>(`${host.path}/${id}/policy${question}`);
    if (!body.results) throw new Error(String(body.errorMessage));
    return body.results[0]!;
  };

  test(`shows the decision of the service for ${comparedHosts} hosts`, async () => {
    const page = await open('/');
    await signIn(page);
    for (const id of hosts) {
      await page.goto(`${url}/console/hosts?explain=${id}`);
      const decision = await decisionOf(id);
      await page.getByRole('region', { name: 'Now' }).getByText(decision.reason).waitFor();
      expect(await shownSteps(page, 1), `host ${id}`).toEqual(expectedSteps(decision));
    }
    expect(await findings(page)).toEqual([]);
  });

  test('shows one decision per adapter', async () => {
    const page = await open(`/hosts?open=${hostID}&view=why`);
    await signIn(page);
    const panel = page.getByRole('tabpanel', { name: 'Why' });
    for (const mac of [staged.mac, second]) await panel.getByText(mac).first().waitFor();
    await panel.getByRole('link', { name: 'What if' }).nth(1).click();
    await page.getByRole('region', { name: 'Now' }).waitFor();
    expect(await page.getByLabel('Adapter').inputValue()).not.toBe('');
  });

  test('shows the decision for changed conditions next to the current one, also from a link', async () => {
    const instant = new Date(Date.now() + 3 * 3_600_000).toISOString();
    const page = await open(`/hosts?open=${hostID}&view=why`);
    await signIn(page);
    await page.getByRole('link', { name: 'What if' }).first().click();
    const question = page.getByRole('form', { name: 'What if' });
    await question.getByLabel('RADIUS attributes').fill('NAS-Port-Type=Wireless-802.11');
    await question.getByLabel('Time').fill(instant);
    await question.getByRole('button', { name: 'Evaluate' }).click();
    const otherwise = await decisionOf(hostID, `?at=${instant}&radius.NAS-Port-Type=Wireless-802.11`);
    await page.getByRole('region', { name: 'What if' }).getByText(otherwise.reason).waitFor();
    expect(await shownSteps(page, 2)).toEqual(expectedSteps(otherwise));
    expect(await findings(page)).toEqual([]);

    const link = new URL(page.url());
    const secondPage = await open(`${link.pathname.replace('/console', '')}${link.search}`);
    await signIn(secondPage);
    await secondPage.getByRole('region', { name: 'What if' }).getByText(otherwise.reason).waitFor();
    expect(await shownSteps(secondPage, 2)).toEqual(expectedSteps(otherwise));
    expect(await secondPage.getByLabel('Time').inputValue()).toBe(instant);

    await question.getByLabel('Time').fill('tomorrow');
    await page.keyboard.press('Enter');
    await question.locator('.fault').waitFor();
    await page.keyboard.press('Escape');
  });
});
