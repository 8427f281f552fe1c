import { readFile } from 'node:fs/promises';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Client, operations, PortreeveError, portreeve } from './index.ts';

/** The examples of README.md in their order, compiled, run and compared with the page. */

const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined);
/** Output of the examples. */
const printed = (): string[] => logged.mock.calls.splice(0).map((line) => line.join(' '));

beforeAll(async () => {
  const { service, admin } = await world();
  vi.stubEnv('PORTREEVE_URL', await service.app.listen({ host: '127.0.0.1', port: 0 }));
  vi.stubEnv('PORTREEVE_TOKEN', admin.token);
  for (const name of ['core-east', 'core-west']) await admin.post('/device/container', { name });
});

afterAll(() => {
  vi.unstubAllEnvs();
  logged.mockRestore();
});

test('the examples of the README run as documented', async () => {
  const client = new Client({ url: process.env.PORTREEVE_URL!, token: process.env.PORTREEVE_TOKEN });
  const api = portreeve(client);

  const { results, filtered, total } = await api.container.list({ filter: ['name==core-*'], sortKey: 'name' });
  console.log(`${filtered} of ${total}: ${results.map((container) => container.domainName).join(', ')}`);
  expect(printed()).toEqual(['2 of 4: Network/core-east, Network/core-west']);

  for await (const container of api.container.walk({ filter: ['name==core-*'] })) {
    console.log(container.name);
  }
  expect(printed()).toEqual(['core-east', 'core-west']);

  const { id } = await api.aaaServer.create({ name: 'radius-north', netId: '192.0.2.10', secret: 'a-long-secret' });
  await api.aaaServer.update(id!, { name: 'radius-east' });

  const stored = await api.aaaServer.fetch(id!);
  const [server] = stored.results;
  await api.aaaServer.update(server.id, { flrPriority: server.flrPriority + 1 }, { ifMatch: stored.etag });
  expect((await api.aaaServer.fetch(id!)).results).toMatchObject([{ name: 'radius-east', flrPriority: 1 }]);

  const rehearsal = await api.aaaServer.update(id!, { name: 'radius-west' }, { dryRun: true });
  console.log(rehearsal.results[0]?.name);
  expect(printed()).toEqual(['radius-west']);
  expect((await api.aaaServer.fetch(id!)).results[0].name).toBe('radius-east');

  try {
    await api.aaaServer.create({ name: 'radius-east', netId: '192.0.2.12', secret: 'a-long-secret' });
  } catch (error) {
    if (!(error instanceof PortreeveError)) throw error;
    if (error.word !== 'duplicate') throw error;
    console.log(`${error.message} (${error.httpCode}, request ${error.requestId})`);
  }
  expect(printed()).toEqual([expect.stringMatching(/^Another AAA server .* \(409, request [0-9a-f-]{36}\)$/)]);

  const [monitor] = (await api.container.monitorStart({ filter: ['name==core-*'] })).results;
  let { position } = monitor!;
  await api.container.create({ name: 'core-south' });
  const { results: changes } = await api.container.monitorPoll(monitor!.id, { position });
  for (const { change, record } of changes) console.log(change, record.id);
  position = changes.at(-1)?.position ?? position;
  await api.container.monitorStop(monitor!.id);
  expect(printed()).toEqual([expect.stringMatching(/^added \d+$/)]);
  expect(position).not.toBe(monitor!.position);

  const operation = operations['container.count-all'];
  const answer = await client.call(operation, { signal: AbortSignal.timeout(10_000) });
  console.log(operation.summary, answer.total);
  expect(printed()).toEqual(['Count all Container records 5']);
});

test('every line of a README example is in this test', async () => {
  const [page, here] = await Promise.all(
    ['../README.md', './readme.test.ts'].map((file) => readFile(new URL(file, import.meta.url), 'utf8')),
  );
  const trimmed = (text: string) => text.split('\n').map((line) => line.trim());
  // The package is built before it is published; `package.slow.test.ts` imports it by name.
  const lines = new Set(trimmed(here!.replace("'./index.ts'", "'@portreeve/sdk'")));
  const examples = [...page!.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text!);
  expect(examples).toHaveLength(9);
  expect(examples.flatMap(trimmed).filter((line) => !lines.has(line))).toEqual([]);
});
