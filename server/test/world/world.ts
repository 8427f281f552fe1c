import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { openWorld, type World, type WorldOptions } from './open-world.ts';

export { loopback, realProtocols, type World, type WorldOptions } from './open-world.ts';

/** Opens a test world; it is closed after the test file, or after the test that opened it. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const openedWorld = await openWorld(options);
  // Within a test it is too late for a hook of the file: it would never run, and the service would continue during the
  // next files.
  if (TestRunner.getCurrentTest()) onTestFinished(openedWorld.close);
  else afterAll(openedWorld.close);
  return openedWorld;
}
