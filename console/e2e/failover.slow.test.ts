import { container } from '@portreeve/server/device/container/container.ts';
import { openCell } from '@portreeve/server/test/world/cell.ts';
import { startOneAddress } from '@portreeve/testbed/one-address.ts';
import { afterAll, expect, test } from 'vitest';
import { ensureConsole } from '../build/build-console.ts';
import { launchChromium, signInAs } from '../build/chromium.ts';

test('a page continues on the other node after its node is killed, and shows the changes made in between', async () => {
  await ensureConsole();
  const cell = await openCell({ nodes: 2 });
  afterAll(() => cell.close());
  const address = await startOneAddress(cell.nodes.map(({ port }) => port));
  afterAll(() => address.close());
  const browser = await launchChromium();
  afterAll(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${address.port}/console/devices?group=container`);
  await signInAs(page, cell.userID, 'correct-horse-battery');
  const live = page.getByRole('button', { name: 'Live' });
  await live.waitFor();
  for (const round of ['first', 'second']) {
    const used = cell.nodes.find(({ port }) => port === address.current())!;
    const otherNode = cell.nodes.find((node) => node !== used)!;
    await cell.kill9(used);
    const created = await cell.client(otherNode).post(container.path!, { name: `Made after the ${round} death` });
    expect(created.code).toBe(201);
    await page.locator('.grid-rows').getByText(`Made after the ${round} death`, { exact: true }).first().waitFor();
    await live.waitFor();
    expect(address.current()).toBe(otherNode.port);
    await cell.startNode(used);
  }
});
