import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { openWorld, type World, type WorldOptions } from './open-world.ts';

export { loopback, realProtocols, type World, type WorldOptions } from './open-world.ts';

/** Starts a world; it ends with the test file, or with the test that it was started in. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const made = await openWorld(options);
  // Within a test it is too late for a hook of the file: it would never run, and the world would go on in the files after this one.
  if (TestRunner.getCurrentTest()) onTestFinished(made.close);
  else afterAll(made.close);
  return made;
}
