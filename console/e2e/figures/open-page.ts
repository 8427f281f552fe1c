import type { CDPSession, Page } from 'playwright-core';
import { launchChromium, signInAs } from '../../build/chromium.ts';

/** A signed-in page, with a DevTools session. */
export interface OpenPage {
  page: Page;
  cdp: CDPSession;
  close(): Promise<void>;
}

/** Opens the console of a node and signs in. */
export async function openPage(url: string, user: string, password: string): Promise<OpenPage> {
  const browser = await launchChromium();
  const page = await (await browser.newContext({ viewport: { width: 1_440, height: 900 } })).newPage();
  await page.goto(`${url}/console/`);
  await signInAs(page, user, password);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  return { page, cdp, close: () => browser.close() };
}
