import { expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';

test('a monitor streams what it would answer to polls, and goes on from the last id a client has seen', async () => {
  const { admin, service } = await world();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { body } = await admin.post(`${container.path}/monitor/start`, { filter: ['name==stream-*'] });
  const monitor = `${url}/api/v2${container.path}/monitor/${body.results![0]!.id}`;
  const headers = { authorization: `Bearer ${admin.token}`, accept: 'text/event-stream' };

  const readEvents = async (extra: Record<string, string>, eventCount: number) => {
    const ended = new AbortController();
    const reply = await fetch(monitor, { headers: { ...headers, ...extra }, signal: ended.signal });
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    let text = '';
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.split('data: ').length > eventCount) break;
    }
    ended.abort();
    return text.split('\n\n').flatMap((event) => {
      const match = /^id: (.+)\ndata: (.+)$/s.exec(event);
      return match
        ? [{ id: match[1]!, ...(JSON.parse(match[2]!) as { change: string; record: { name: string } }) }]
        : [];
    });
  };

  await admin.create(container, { name: 'stream-1' });
  await admin.create(container, { name: 'elsewhere' });
  const [first] = await readEvents({}, 1);
  expect(first).toMatchObject({ change: 'added', record: { name: 'stream-1' } });
  await admin.create(container, { name: 'stream-2' });
  const after = await readEvents({ 'last-event-id': first!.id }, 2);
  expect(after.map((entry) => entry.change)).toEqual(['removed', 'added']);
  expect(after.at(-1)).toMatchObject({ record: { name: 'stream-2' } });
});
