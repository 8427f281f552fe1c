import { type CDPSession, chromium, type Page } from 'playwright-core';

/** A browser in which somebody is signed in, and the wire to its insides. */
export interface OpenPage {
  page: Page;
  cdp: CDPSession;
  close(): Promise<void>;
}

/** Opens the console of a node and signs in. */
export async function openPage(url: string, user: string, password: string): Promise<OpenPage> {
  // As root there is no sandbox, and on a small machine little shared memory.
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
  const page = await (await browser.newContext({ viewport: { width: 1_440, height: 900 } })).newPage();
  await page.goto(`${url}/console/`);
  await page.getByLabel('User').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.frame').waitFor();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  return { page, cdp, close: () => browser.close() };
}
