import { describe, expect, test } from 'vitest';
import { findings, openBrowserSession, signIn } from './browser.ts';

describe('an empty cell', async () => {
  const { open } = await openBrowserSession();

  test.each(['/hosts', '/devices?group=network-device'])('shows the first actions on %s', async (path) => {
    const page = await open(path);
    await signIn(page);
    const acts = ['Add a switch', 'Discover switches', 'Import hosts'];
    for (const name of acts) await page.getByRole('link', { name }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Import hosts' }).click();
    await page.getByRole('dialog', { name: /Import/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('link', { name: 'Discover switches' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Add a switch' }).click();
    await page.getByRole('form').waitFor();
  });

  test('disables single-key shortcuts permanently', async () => {
    const page = await open('/hosts');
    await signIn(page);
    await page.getByRole('link', { name: 'Add a switch' }).waitFor();
    await page.keyboard.press('?');
    const saveResponse = page.waitForResponse((reply) => reply.request().method() === 'POST');
    await page.getByRole('checkbox', { name: 'Enable single-key shortcuts' }).uncheck();
    expect(await findings(page)).toEqual([]);
    expect((await saveResponse).ok()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.reload();
    await page.getByRole('link', { name: 'Add a switch' }).waitFor();
    for (const key of ['n', '?', 'f']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('checkbox', { name: 'Enable single-key shortcuts' }).waitFor();
    // Neither a form nor another dialog was opened by them.
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(page.url()).not.toContain('form');
    await page.getByRole('checkbox', { name: 'Enable single-key shortcuts' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });
});
