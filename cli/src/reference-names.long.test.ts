import { adapter } from '@portreeve/server/host/adapter/adapter.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { describe, expect, test } from 'vitest';
import { runOnTerminal, runPortreeve } from './testing/run-portreeve.ts';

describe('a record that another one refers to', async () => {
  const { admin, service } = await world();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, NO_COLOR: '1' };
  const created = await admin.post('/host/with-adapters', {
    hostName: 'reading-room',
    adapterObjects: [{ physicalAddress: '00:50:C2:AB:01:01' }],
  });
  const hostID = Number(String(created.headers.location).split('/').at(-1));
  const adapterID = await admin
    .get(`${adapter.path}?filter=hostID==${hostID}`)
    .then(({ body }) => body.results![0]!.id);
  const list = ['adapter', 'list', '--columns', 'physicalAddress,hostID'];

  test('is shown to people by its name', async () => {
    expect((await runOnTerminal(list, env)).out).toMatch(/00:50:C2:AB:01:01 +reading-room\r?\n/);
    expect((await runOnTerminal(['adapter', 'get', String(adapterID)], env)).out).toMatch(
      new RegExp(`hostID: +${hostID} [(]reading-room[)]`),
    );
  });

  test('is its identity for programs, and with --raw', async () => {
    const row = `00:50:C2:AB:01:01\t${hostID}\n`;
    expect((await runPortreeve(list, env)).out).toContain(row);
    const raw = (await runOnTerminal([...list, '--raw'], env)).out;
    expect([raw.includes('reading-room'), raw.includes(`  ${hostID}`)]).toEqual([false, true]);
  });
});
