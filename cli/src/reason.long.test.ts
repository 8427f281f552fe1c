import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { shippedGroups } from './groups.ts';
import { runPortreeve } from './testing/run-portreeve.ts';
import { optionsOf } from './verb-options.ts';

describe('--reason', async () => {
  const { admin, service } = await world({ jobs: 'work' });
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-reason-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const portreeve = (...args: string[]) =>
    runPortreeve(args, { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: folder });
  const reasonsOf = async (name: string) => {
    const { results } = (await admin.get(`/logging/audit?filter=auditObjectName==${name}`)).body;
    return results!.map(({ action, reason }) => [action, reason]);
  };

  test('is an option of every verb that writes, and of no other', () => {
    const groups = shippedGroups();
    const verbs = groups.names.flatMap((name) => [...groups.find(name)!.verbs.values()]);
    for (const verb of verbs) {
      const writes = verb.operation.writes && verb.kind !== 'tail';
      expect('reason' in optionsOf(verb, groups.document), `${verb.operation.id} ${verb.name}`).toBe(writes);
    }
  });

  test('is stored with what is created, imported and deleted, in any language', async () => {
    const reason = 'Wartung für Gebäude 7 ☂';
    expect(await portreeve('container', 'create', '--set', 'name=why', '--reason', reason)).toMatchObject({ code: 0 });
    expect(await portreeve('container', 'delete', 'why', '--yes', '--reason', 'demolished')).toMatchObject({ code: 0 });
    expect(await reasonsOf('why')).toEqual([
      ['DELETE', 'demolished'],
      ['ADD', reason],
    ]);
    const file = join(folder, 'hosts.csv');
    await writeFile(file, 'adap.mac,host.host\n00:50:C2:AC:00:01,cart\n');
    expect(await portreeve('host', 'import', file, '--reason', 'CHG-1')).toMatchObject({ code: 0 });
    expect(await reasonsOf('hosts.csv')).toEqual([['EXECUTE', 'CHG-1']]);
  });

  test('is one line of at most 500 characters', async () => {
    const long = await portreeve('container', 'create', '--set', 'name=no', '--reason', 'x'.repeat(501));
    expect(long).toMatchObject({ code: 2, err: expect.stringContaining('at most 500') });
    const lines = await portreeve('container', 'create', '--set', 'name=no', '--reason', 'one\ntwo');
    expect(lines).toMatchObject({ code: 2, err: expect.stringContaining('--reason takes one line') });
    expect(await reasonsOf('no')).toEqual([]);
  });
});
