import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineFolder } from './engine-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portreeve-folder-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('can be used by one process at a time', async () => {
  const [first, second] = [new EngineFolder(folder), new EngineFolder(folder)];
  expect([await first.take(), await second.take()]).toEqual([true, false]);
  expect([first.isHeld, second.isHeld]).toEqual([true, false]);
  first.release();
  expect(await second.take()).toBe(true);
  second.release();
});

test('can be used again after its process ended without releasing it', async () => {
  // A dead process leaves a socket file without a listener.
  await writeFile(join(folder, 'node.sock'), '');
  const successor = new EngineFolder(folder);
  expect(await successor.take()).toBe(true);
  successor.release();
});
