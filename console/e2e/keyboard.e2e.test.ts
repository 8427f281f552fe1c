import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { host } from '@portreeve/server/host/host/host.ts';
import { role } from '@portreeve/server/policy/role/role.ts';
import { rightPassword } from '@portreeve/server/test/world/sign-in.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowserSession } from './browser.ts';

/** Sends key presses and counts them. */
class Hands {
  readonly #page: Page;
  #keys = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key);
      this.#keys++;
    }
  }

  /** Pastes a text; counts as one key press. */
  async paste(text: string): Promise<void> {
    await this.#page.keyboard.insertText(text);
    this.#keys++;
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
    this.#keys += text.length;
  }

  /** Returns the number of key presses since the last call. */
  taken(): number {
    const keys = this.#keys;
    this.#keys = 0;
    return keys;
  }
}

const focusSeen = `(() => {
  const { activeElement } = document;
  const box = activeElement.getBoundingClientRect();
  const isSeen = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  return activeElement !== document.body && isSeen ? 'seen' : activeElement.outerHTML.slice(0, 200);
})()`;

const focusedLabel = 'document.activeElement.closest("label")?.innerText ?? ""';

test('the console can be used by keyboard only: sign in, search, explain, disable, filter, draft, pause', async () => {
  const { open, admin } = await openBrowserSession();
  const id = await admin.create(host, { hostName: 'infusion-2' });
  await admin.create(adapter, { physicalAddress: '3C:5A:B4:00:00:02', hostID: id });
  await admin.create(role, { name: 'Nurse' });
  await admin.create(host, { hostName: 'cart', role: 'Nurse' });
  const page = await open('/roles');
  const hands = new Hands(page);
  /** Expects that the focused element is visible. */
  const isFocused = async (after: string) =>
    expect.poll(() => page.evaluate(focusSeen), { message: after }).toBe('seen');
  /** Waits for the focus; earlier key presses would reach the page behind it. */
  const hasFocus = (role: 'dialog' | 'form') => page.getByRole(role).locator(':focus').waitFor();
  const printed = async (what: string) => {
    console.log(`${what}: ${hands.taken()} keys`);
    await isFocused(what);
  };

  await page.getByLabel('User').waitFor();
  await hands.paste('system-administrator-1');
  await hands.press('Tab');
  await hands.paste(rightPassword);
  await hands.press('Enter');
  await page.getByRole('grid').waitFor();
  await printed('sign in');

  await hands.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await hands.paste('3c5a.b400.0002');
  await page.getByRole('option', { name: 'infusion-2' }).first().waitFor();
  hands.taken();
  await hands.press('Enter');
  await page.getByRole('complementary', { name: 'infusion-2' }).waitFor();
  await hands.press('w');
  await page.getByRole('tabpanel', { name: 'Why' }).waitFor();
  const keyCount = hands.taken();
  console.log(`find a host by 3c5a.b400.0002 and why it is where it is, after pasting: ${keyCount} keys`);
  expect(keyCount).toBeLessThanOrEqual(4);
  await isFocused('why');

  await hands.press('a');
  await page.getByLabel('Find action').waitFor();
  await hands.type('disable');
  await hands.press('Enter');
  await page.getByLabel('Reason').waitFor();
  await hands.paste('reported stolen');
  await hands.press('Enter');
  await page.getByText('Done.').waitFor();
  await hands.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await admin.get(`${host.path}/${id}`)).body.results![0]).toMatchObject({ enabled: false });
  await printed('disable it with a reason');

  await hands.press('Escape');
  await page.getByRole('complementary').waitFor({ state: 'detached' });
  await printed('back to the list');

  await hands.press('f');
  await hasFocus('dialog');
  await hands.type('Role');
  await hands.press('Tab', 'ArrowRight');
  await page.getByRole('checkbox', { name: /Nurse/ }).waitFor();
  await hands.press('Tab');
  for (let n = 0; n < 5 && !/Nurse/.test(await page.evaluate(focusedLabel)); n++) await hands.press('Tab');
  await hands.press('Space', 'Enter');
  await page.getByRole('button', { name: 'Role is not Nurse', exact: true }).waitFor();
  await printed('a filter with not');

  const form = page.getByRole('form');
  // There are two operations that create a host; Enter selects the first.
  const openForm = async () => {
    await hands.press('n');
    await hasFocus('dialog');
    await hands.press('Enter');
    await hasFocus('form');
  };
  await openForm();
  await hands.paste('half done');
  await hands.press('Escape');
  await form.waitFor({ state: 'detached' });
  await isFocused('the list behind the form');
  await openForm();
  await page.getByText(/^Draft from/).waitFor();
  expect(await page.evaluate('[...document.querySelectorAll("form input")].map(({ value }) => value)')).toContain(
    'half done',
  );
  await hands.press('Escape');
  await form.waitFor({ state: 'detached' });
  await printed('leave a form that is half done, come back to it, and leave');

  await hands.press('p');
  await page.getByRole('button', { name: 'Paused' }).waitFor();
  await printed('pause the feed');
  await hands.press('p');
  await page.getByRole('button', { name: 'Live' }).waitFor();

  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('2');

  await hands.press('g', 'p');
  await page.getByRole('heading', { name: 'Access policies', level: 1 }).waitFor();
  await hands.press('g', 'h');
  await page.getByRole('heading', { name: 'Hosts', level: 1 }).waitFor();
  hands.taken();
});
