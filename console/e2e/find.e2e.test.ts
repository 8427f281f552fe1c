import type { PolicyDecision } from '@portreeve/sdk/generated/api.ts';
import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { Stage } from '@portreeve/server/test/world/example-fixtures.ts';
import { staged } from '@portreeve/server/test/world/paths.ts';
import { describe, expect, test } from 'vitest';
import { checkWords, resultWords } from '../src/screens/host/decision.ts';
import { findings, openBrowserSession, signIn } from './browser.ts';

describe('the palette', async () => {
  const world = await openBrowserSession();
  const { open, admin, service } = world;
  const stage = await Stage.open(world);
  for (const policy of ['access-policy', 'authentication-policy', 'role-mapping']) await stage.record(policy);
  const [storedAdapter] = (await admin.get(`${adapter.path}?filter=physicalAddress==${staged.mac}`)).body.results!;
  const hostID = Number(storedAdapter!.hostID);
  await service.runtime.pool.query(`update host set host_name = 'infusion-2' where id = $1`, [hostID]);
  await service.catchUp();
  /** The MAC address in Cisco notation. */
  const ciscoNotation = staged.mac
    .toLowerCase()
    .replaceAll(':', '')
    .replace(/(....)(....)(....)/, '$1.$2.$3');

  test('finds a host by its MAC address in Cisco notation and explains it with two more keys', async () => {
    const page = await open('/roles');
    await signIn(page);
    await page.getByRole('grid').waitFor();
    expect(await page.title()).toBe('Roles – Portreeve');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox');
    await page.keyboard.insertText(ciscoNotation);
    await page.getByRole('option', { name: 'infusion-2' }).first().waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'infusion-2' }).waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe(String(hostID));
    expect(await page.title()).toBe('Hosts – Portreeve');
    await page.keyboard.press('w');
    const panel = page.getByRole('tabpanel', { name: 'Why' });
    await panel.getByRole('listitem').first().waitFor();
    expect(await findings(page)).toEqual([]);
    // The page shows the steps of the service's decision.
    const decision = (await admin.get<PolicyDecision>(`${host.path}/${hostID}/policy`)).body.results![0]!;
    await panel.getByText(decision.reason).waitFor();
    const shown = await panel.locator('summary').allInnerTexts();
    expect(shown.map((line) => line.split('\n'))).toEqual(
      decision.trace.map(({ step, rank, name, result }) => [
        String(step),
        `${rank === null ? '' : `${rank}. `}${name}`,
        resultWords(result),
      ]),
    );
    for (const { checks } of decision.trace)
      for (const check of checks)
        expect(await panel.getByText(checkWords(check)).count(), checkWords(check)).toBeGreaterThan(0);
  });

  test('keeps letters that are typed before the palette is loaded', async () => {
    const page = await open('/roles');
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/assets/palette-*.js', async (route) => {
      requests++;
      await isReleased;
      await route.continue();
    });
    await signIn(page);
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('Control+k');
    // On the page behind, n would open a form and ? the keyboard shortcuts.
    await page.keyboard.type('inventor?', { delay: 20 });
    await page.keyboard.press('Backspace');
    expect(await page.getByRole('combobox').count()).toBe(0);
    release();
    const field = page.getByRole('combobox');
    await expect.poll(() => field.inputValue()).toBe('inventor');
    await page.keyboard.type('y');
    expect(await field.inputValue()).toBe('inventory');
    expect(requests).toBe(1);
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getByRole('dialog').count()).toBe(1);
    // With the chunk loaded, nothing typed directly after Ctrl-K is lost either.
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('audit');
    await expect.poll(() => field.inputValue()).toBe('audit');
  });

  test('finds a page by its name and closes with Esc', async () => {
    const page = await open('/roles');
    await signIn(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('audit');
    await page.getByRole('option', { name: 'Audit log' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/console/roles');
    await page.keyboard.press('Control+k');
    await page.keyboard.insertText('audit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  });
});
