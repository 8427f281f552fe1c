import { expect, vi } from 'vitest';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import { eventType } from '../../src/kernel/declare/event-type.ts';
import type { World } from './world.ts';

/** Logs events of types that are off by default, and waits until the node applies it. */
export async function logEvents({ admin, service }: Pick<World, 'admin' | 'service'>, ...names: string[]) {
  const filter = encodeURIComponent(`name=in=(${names.join()})`);
  const { results } = (await admin.get<{ id: number }>(`/logging/event-types?count=100&filter=${filter}`)).body;
  const id = results!.map((type) => type.id);
  const reply = await admin.post('/logging/event-types/logging-strategy', { id, loggingStrategy: 'INTERNAL' });
  if (reply.code !== 200 || id.length < names.length) throw new Error(`${names.join()}: ${reply.text}`);
  await vi.waitFor(async () => expect(await isLogged(service, names[0]!)).toBe(true), { timeout: 60_000 });
}

/** Emits such an event, and rolls it back. */
const isLogged = ({ runtime }: World['service'], name: string): Promise<boolean> =>
  runtime.transact(systemOrigin('test'), async ({ client, engine, origin }) => {
    const type = eventType({ name, description: '', category: 'HOST', elementType: 0, format: '' });
    await client.query('savepoint probe');
    const ids = await engine.sinks.events(client, origin, [{ type, element: { id: 0, name: '' } }]);
    await client.query('rollback to savepoint probe');
    return ids.length > 0;
  });
