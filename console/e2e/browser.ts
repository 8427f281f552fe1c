import { openWorld, type World } from '@portreeve/server/test/world/open-world.ts';
import { rightPassword } from '@portreeve/server/test/world/sign-in.ts';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { consoleDist, ensureConsole } from '../build/build-console.ts';
import { launchChromium, signInAs } from '../build/chromium.ts';

/** A node with the built console, and a browser. */
export interface BrowserSession extends World {
  url: string;
  /** Opens a page in a new browser context. Errors and blocked scripts in it fail the test. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Opens a node and a browser; both are closed after the test file. */
export const openBrowserSession = (options: Parameters<typeof openWorld>[0] = {}): Promise<BrowserSession> =>
  browserSessionIn((consoleFolder) => openWorld({ ...options, consoleFolder }));

/** Opens a browser for the test world that `open` starts. */
export async function browserSessionIn<Opened extends World & { close(): Promise<void> }>(
  open: (consoleFolder: string) => Promise<Opened>,
): Promise<Opened & BrowserSession> {
  await ensureConsole();
  const browser = await launchChromium();
  const world = await open(consoleDist);
  const url = await world.service.app.listen({ host: '127.0.0.1', port: 0 });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });
  return {
    ...world,
    url,
    async open(path, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !isExpected(message.text())) faults.push(message.text());
      });
      onTestFinished(async () => {
        await context.close();
        if (faults.length > 0) throw new Error(`The browser reports:\n${faults.join('\n')}`);
      });
      await page.goto(`${url}/console${path}`);
      return page;
    },
  };
}

/** Signs in on the sign-in page, by default as the administrator of the test world. */
export const signIn = (page: Page, user = 'system-administrator-1'): Promise<void> =>
  signInAs(page, user, rightPassword);

/** Returns the user name of an account. */
export async function userOf({ service }: BrowserSession, accountId: number): Promise<string> {
  const { rows } = await service.runtime.pool.query<{ userID: string }>(
    'select user_id as "userID" from user_account where id = $1',
    [accountId],
  );
  return rows[0]!.userID;
}

interface AxeFinding {
  id: string;
  nodes: { html: string }[];
}

/** The scope of an accessibility check. */
interface PageInspection {
  /** CSS selector of the part to check; absent for the complete page. */
  part?: string;
  /** Checks only colour contrast, because a theme changes only colours. */
  colours?: boolean;
}

/** Returns the accessibility violations that axe reports: WCAG 2.0 to 2.2, levels A and AA, and best practices. */
export async function findings(page: Page, { part, colours = false }: PageInspection = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  // During an animation, elements are transparent and have other colours.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)',
  );
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const runOnly = colours ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: tags };
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(part ?? 'html')}, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  )) as AxeFinding[];
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

/** Browsers log every rejected request, including expected ones such as the check for an existing session. */
const isExpected = (message: string): boolean => /status of (401|400|403|404|409|412|422)/.test(message);
