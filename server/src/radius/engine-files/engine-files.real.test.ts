import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeUdpPorts } from '@portreeve/testbed/free-ports.ts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { EngineIdentity, identityFolderOf } from '../../node/engine-identity.ts';
import { EngineProcess } from '../../protocols/radius-engine/engine-process.ts';
import { engineFiles, noProxying } from './engine-files.ts';

const folder = join(tmpdir(), `portreeve-engine-${randomUUID()}`);
const engine = new EngineProcess(folder);
afterAll(async () => {
  await engine.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Text of all characters with a meaning in the engine's files, and any others that a record can have. */
const secret = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', "'", '$', '{', '}', '%', '${', '%{User-Name}', '#', '`', ' ', ';', '=', '\u00fc', '\u20ac'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
    ),
    { minLength: 4, maxLength: 20 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => !/[\\\p{Cc}]/u.test(text) && Buffer.byteLength(text) <= 128);

test('the engine reads every written value unchanged', async () => {
  await engine.prepare();
  await new EngineIdentity(identityFolderOf(folder)).prepare();
  const [authPort, statusPort] = (await freeUdpPorts('127.0.0.1', 2)) as [number, number];
  let generation = 0;
  await fc.assert(
    fc.asyncProperty(secret, async (statusSecret) => {
      generation += 1;
      const settings = {
        host: '127.0.0.1',
        authPort,
        statusPort,
        statusSecret,
        nasNetworks: ['127.0.0.0/8'],
        nasCacheSeconds: 60,
        decisionTimeoutMs: 1_000,
        rejectDelaySeconds: 1,
        decisionPort: 1,
        identityFolder: identityFolderOf(folder),
        dictionary: [],
        profiles: [],
        proxying: noProxying,
      };
      await engine.write(generation, engineFiles(settings, engine.folderOf(generation)));
      expect(await engine.check(generation)).toBeUndefined();
      await engine.start(generation);
      // The engine answers only requests with the same secret.
      await expect.poll(() => engine.answers(statusPort, statusSecret), { timeout: 30_000 }).toBeDefined();
    }),
    { numRuns: 10 },
  );
});
