import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Starts the browser of the system. */
export function launchChromium(extraArguments: readonly string[] = []): Promise<Browser> {
  if (!existsSync(executablePath)) throw new Error('chromium is not installed; run npm run setup.');
  // As root there is no sandbox, and on a small machine little shared memory.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...extraArguments] });
}

/** Signs in on a page of the console that asks for it. */
export async function signInAs(page: Page, user: string, password: string): Promise<void> {
  await page.getByLabel('User').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.frame').waitFor();
}
