import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium, signInAs } from './chromium.ts';

/** A screen to take a picture of, and the steps to open it. */
interface Scene {
  name: string;
  path: string;
  /** Taken in an empty cell. */
  isEmpty?: true;
  act?(page: Page): Promise<void>;
}

/** A running cell, and the account to sign in with. */
export interface Model {
  url: string;
  user: string;
  password: string;
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
  await page.getByRole('region', { name: 'Timeline' }).getByRole('list').first().waitFor();
};

/** Opens the explanation of the host with changed conditions. */
const openExplain = async (page: Page) => {
  await openWhy(page);
  await page.getByRole('link', { name: 'What if' }).first().click();
  await page.getByLabel('RADIUS attributes').fill('NAS-Port-Type=Ethernet');
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await page.getByRole('region', { name: 'What if' }).waitFor();
};

const openForm = async (page: Page) => {
  await page.locator('#row-0').click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name').fill('Staff, wired');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByText('The service would accept this.').waitFor({ state: 'attached' });
};

const openCondition = async (page: Page) => {
  await page.keyboard.press('f');
  await page.getByLabel('Field').selectOption({ label: 'Role' });
  await page.getByRole('radio', { name: 'is not', exact: true }).check();
  await page.getByRole('checkbox').first().check();
};

const widths = [wide, narrow];

const scenes: readonly Scene[] = [
  { name: 'hosts', path: '/hosts' },
  { name: 'why', path: '/hosts', act: openWhy },
  { name: 'host', path: '/hosts', act: openHostPage },
  { name: 'explain', path: '/hosts', act: openExplain },
  { name: 'form', path: '/access-policies', act: openForm },
  { name: 'filter', path: '/hosts', act: openCondition },
  {
    name: 'keys',
    path: '/roles',
    act: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'policies', path: '/access-policies?open=1' },
  { name: 'empty', path: '/hosts', isEmpty: true },
  {
    name: 'find',
    path: '/devices',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('library');
      await page.getByRole('option', { name: 'sw-library' }).first().waitFor();
    },
  },
];

/** Takes pictures of the demo and of an empty cell into a folder; returns their names. */
export async function takePictures(
  { demonstration, empty }: { demonstration: Model; empty: Model },
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const browser = await launchChromium(['--font-render-hinting=none', '--disable-lcd-text']);
  const fileNames: string[] = [];
  try {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const { name, path, isEmpty = false, act } of scenes)
        for (const width of widths) {
          const height = width === narrow ? 844 : 900;
          const context = await browser.newContext({ colorScheme, viewport: { width, height } });
          const page = await context.newPage();
          const { url, user, password } = isEmpty ? empty : demonstration;
          await page.goto(`${url}/console${path}`);
          await signInAs(page, user, password);
          const first = isEmpty ? page.getByRole('link', { name: 'Add a switch' }) : page.locator('.grid-row').first();
          // On a narrow screen, an open record covers the list.
          await first.waitFor({ state: 'attached' });
          await act?.(page);
          await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => undefined);
          const file = `${name}${width === narrow ? '-390' : ''}-${colorScheme}.png`;
          await page.screenshot({ path: join(folder, file), animations: 'disabled' });
          fileNames.push(file);
          await context.close();
        }
  } finally {
    await browser.close();
  }
  return fileNames;
}
