import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Starts the Chromium of the system. */
export function launchChromium(extraArguments: readonly string[] = []): Promise<Browser> {
  if (!existsSync(executablePath)) throw new Error('Chromium is not installed. Run npm run setup.');
  // The sandbox does not work as root, and /dev/shm is small in containers.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...extraArguments] });
}

/** Signs in on the sign-in page of the console. */
export async function signInAs(page: Page, user: string, password: string): Promise<void> {
  await page.getByLabel('User').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.frame').waitFor();
}
