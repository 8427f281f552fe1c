import { role } from '@portreeve/server/policy/role/role.ts';
import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openBrowserSession, signIn } from './browser.ts';

describe('live updates', async () => {
  const { open, admin, service, url } = await openBrowserSession();
  const rolesOf = async (): Promise<Page> => {
    const page = await open('/roles');
    await settled(page, role.path!);
    return page;
  };
  /** Signs in and waits until the list was loaded after the stream started, so that all later changes are reported. */
  const settled = async (page: Page, path: string): Promise<void> => {
    // The order is not defined: a load before the start of the stream is followed by another one.
    let [hasBegun, isRead] = [false, false];
    page.on('response', (response) => {
      if (response.url().includes('/console/api/feed')) hasBegun = true;
    });
    const sinceBegun = new Set<Request>();
    page.on('request', (request) => {
      if (hasBegun && new URL(request.url()).pathname.endsWith(path)) sinceBegun.add(request);
    });
    // A load that is still running could already contain the next change.
    page.on('requestfinished', (request) => {
      if (sinceBegun.has(request)) isRead = true;
    });
    await signIn(page);
    await live(page);
    await expect.poll(() => isRead).toBe(true);
  };
  const live = (page: Page) => page.getByRole('button', { name: 'Live' }).waitFor();
  const row = (page: Page, name: string) => page.getByRole('grid').getByText(name, { exact: true });

  test('show records that another user creates, changes or deletes', async () => {
    const page = await rolesOf();
    const id = await admin.create(role, { name: 'Surgeon' });
    await row(page, 'Surgeon').waitFor();
    await admin.post(`${role.path}/${id}`, { name: 'Chief surgeon' });
    await row(page, 'Chief surgeon').waitFor();
    await admin.delete(`${role.path}/${id}`);
    await row(page, 'Chief surgeon').waitFor({ state: 'detached' });
  });

  test('stop while paused and load the missed changes afterwards', async () => {
    const page = await rolesOf();
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Paused' }).waitFor();
    await admin.create(role, { name: 'Dentist' });
    const watcher = await rolesOf();
    await row(watcher, 'Dentist').waitFor();
    expect(await row(page, 'Dentist').count()).toBe(0);
    await page.keyboard.press('p');
    await row(page, 'Dentist').waitFor();
  });

  test('count new log rows and load them on request', async () => {
    const page = await open('/audit');
    await settled(page, '/logging/audit');
    await admin.create(role, { name: 'Midwife' });
    const button = page.getByRole('button', { name: /^\d+ new$/ });
    await button.waitFor();
    expect(await row(page, 'Midwife').count()).toBe(0);
    await button.click();
    await page.getByRole('grid').getByText('Midwife').first().waitFor();
  });

  test('use one stream for two tabs, which the second continues when the first is closed', async () => {
    const first = await rolesOf();
    const context = first.context();
    const streams: string[] = [];
    context.on('request', (request) => request.url().includes('/console/api/feed') && streams.push(request.url()));
    const second = await context.newPage();
    await second.goto(`${url}/console/roles`);
    await live(second);
    await admin.create(role, { name: 'Radiologist' });
    await row(second, 'Radiologist').waitFor();
    expect(streams).toEqual([]);
    await first.close();
    await expect.poll(() => streams.length).toBe(1);
    await admin.create(role, { name: 'Oncologist' });
    await row(second, 'Oncologist').waitFor();
  });

  test('do not extend the session, and report that it was ended elsewhere', async () => {
    const page = await rolesOf();
    const { pool } = service.runtime;
    const newest = 'select id, used_at from login_session order by id desc limit 1';
    await pool.query(
      "update login_session set used_at = now() - interval '5 minutes' where id = (select max(id) from login_session)",
    );
    const before = (await pool.query(newest)).rows[0];
    await admin.create(role, { name: 'Cardiologist' });
    await row(page, 'Cardiologist').waitFor();
    expect((await pool.query(newest)).rows[0]).toEqual(before);
    await admin.delete(`/auth/sessions/${before.id}`);
    await page.getByText('Your session has ended').waitFor();
  });
});
