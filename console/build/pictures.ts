import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium, signInAs } from './chromium.ts';

/** A screen that is worth a picture, and how one gets to it. */
interface Scene {
  name: string;
  path: string;
  widths: readonly number[];
  act?(page: Page): Promise<void>;
}

const wide = 1_440;
const narrow = 390;

const find = async (page: Page, name: string) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(name);
  await page.getByRole('option', { name }).first().click();
};

const openWhy = async (page: Page) => {
  await find(page, 'lobby-camera');
  await page.getByRole('tab', { name: 'Why' }).click();
  await page.locator('.trace li').first().waitFor();
};

const openHostPage = async (page: Page) => {
  await find(page, 'library-kiosk-1');
  await page.getByRole('complementary').locator('dl').first().waitFor();
  await page.keyboard.press('o');
  await page.getByRole('region', { name: 'Over time' }).getByRole('list').first().waitFor();
};

/** From why to the same host at another time. */
const openExplain = async (page: Page) => {
  await openWhy(page);
  await page.getByRole('link', { name: 'What if' }).first().click();
  await page.getByLabel('RADIUS attributes').fill('NAS-Port-Type=Ethernet');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('region', { name: 'What if' }).waitFor();
};

const openForm = async (page: Page) => {
  await page.locator('#row-0').click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name').fill('Staff, wired');
  await page.getByRole('button', { name: 'Try' }).click();
  await page.getByText('Tried:').waitFor({ state: 'attached' });
};

const openCondition = async (page: Page) => {
  await page.keyboard.press('f');
  await page.getByLabel('Field').selectOption({ label: 'Role' });
  await page.getByRole('radio', { name: 'is not', exact: true }).check();
  await page.getByRole('checkbox').first().check();
};

const scenes: readonly Scene[] = [
  { name: 'hosts', path: '/hosts', widths: [wide, narrow] },
  { name: 'why', path: '/hosts', widths: [wide, narrow], act: openWhy },
  { name: 'host', path: '/hosts', widths: [wide, narrow], act: openHostPage },
  { name: 'explain', path: '/hosts', widths: [wide, narrow], act: openExplain },
  { name: 'form', path: '/access-policies', widths: [wide, narrow], act: openForm },
  { name: 'filter', path: '/hosts', widths: [wide], act: openCondition },
  {
    name: 'keys',
    path: '/roles',
    widths: [wide],
    act: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'policies', path: '/access-policies?open=1', widths: [wide] },
  {
    name: 'find',
    path: '/devices',
    widths: [wide],
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('library');
      await page.getByRole('option', { name: 'sw-library' }).first().waitFor();
    },
  },
];

/** Takes pictures of a demonstration that runs at an address, into a folder; returns their names. */
export async function takePictures(url: string, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const browser = await launchChromium(['--font-render-hinting=none', '--disable-lcd-text']);
  const taken: string[] = [];
  try {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const { name, path, widths, act } of scenes)
        for (const width of widths) {
          const height = width === narrow ? 844 : 900;
          const context = await browser.newContext({ colorScheme, viewport: { width, height } });
          const page = await context.newPage();
          await page.goto(`${url}/console${path}`);
          await signInAs(page, 'demo', 'portreeve-demo');
          await page.locator('.grid-row [role="gridcell"]').first().waitFor();
          await act?.(page);
          await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => undefined);
          const file = `${name}${width === narrow ? '-390' : ''}-${colorScheme}.png`;
          await page.screenshot({ path: join(folder, file), animations: 'disabled' });
          taken.push(file);
          await context.close();
        }
  } finally {
    await browser.close();
  }
  return taken;
}
