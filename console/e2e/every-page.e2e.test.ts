import { Stage } from '@portreeve/server/test/world/example-fixtures.ts';
import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';
import { shownGroups } from './shown-groups.ts';

describe('every page of the console', async () => {
  const world = await openBrowserSession();
  const stage = await Stage.open(world);
  for (const { name, operations } of shownGroups)
    if (operations.some(({ id }) => id === `${name}.create`)) await stage.record(name);

  test.each(['light', 'dark'] as const)('opens with its first record in the %s theme', async (colorScheme) => {
    const page = await world.open('/', { colorScheme });
    await signIn(page);
    let states = 0;
    const colours = colorScheme === 'dark';
    // All pages use the same colours, so every third page is enough for the dark theme.
    const looked = shownGroups.filter((_, index) => colorScheme === 'light' || index % 3 === 0);
    for (const { name, title, page: pagePath, kind } of looked) {
      await page.goto(`${world.url}/console/${pagePath}?group=${name}`);
      if (kind === 'settings') {
        await page.getByRole('region', { name: title }).locator('dl').first().waitFor();
        expect(await findings(page, { colours }), name).toEqual([]);
      } else {
        await page.getByRole('status').getByText(/^\d/).waitFor();
        expect(await findings(page, { colours }), `${name}, list`).toEqual([]);
        states += 1;
        const first = page.locator('#row-0 [role="gridcell"]').first();
        if ((await first.count()) === 0) continue;
        await page.getByRole('grid').focus();
        await page.keyboard.press('Enter');
        await page.getByRole('complementary').locator('dl').first().waitFor();
        expect(await findings(page, { part: '.drawer', colours }), `${name}, record`).toEqual([]);
      }
      states += 1;
    }
    console.log(`axe 0 of ${states} states, ${colorScheme}`);
  });

  test('reports an unknown address and a record that does not exist', async () => {
    const page = await world.open('/nothing');
    await signIn(page);
    await page.getByText('Page not found').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goto(`${world.url}/console/roles?open=999999`);
    await page.getByRole('complementary').getByRole('alert').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test.each([390, 1_024])('fits a window of %i pixels', async (width) => {
    const page = await world.open('/', { viewport: { width, height: 844 } });
    await signIn(page);
    for (const { name, page: pagePath } of shownGroups) {
      await page.goto(`${world.url}/console/${pagePath}?group=${name}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width);
    }
    expect(await findings(page)).toEqual([]);
  });
});
