import { afterAll } from 'vitest';
import { openWorld, type World, type WorldOptions } from './open-world.ts';

export { realParts, type World, type WorldOptions } from './open-world.ts';

/** Starts a world; it ends with the test file. */
export async function world(options: WorldOptions = {}): Promise<World> {
  const made = await openWorld(options);
  afterAll(made.close);
  return made;
}
