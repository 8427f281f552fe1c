import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { container } from '@portreeve/server/device/container/container.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { runPortreeve } from './testing/run-portreeve.ts';

describe('the preview of an import', async () => {
  const { admin, service } = await world({ jobs: 'work' });
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-preview-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: folder };

  test('shows the changes of each record, and accepts the template unchanged', async () => {
    const file = join(folder, 'changes.jsonl');
    const id = await admin.create(container, { name: 'changed', notes: 'old' });
    const same = await admin.create(container, { name: 'same' });
    const records = [{ id, notes: 'new' }, { id: same, name: 'same' }, { name: 'fresh' }];
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const tried = await runPortreeve(['container', 'import', file, '--dry-run'], env);
    expect(tried.out).toBe(
      `line 1: container ${id} "changed" would be updated\n  notes: "old" → "new"\nline 3: container "fresh" would be created\n` +
        '1 record would be created, 1 updated, 1 unchanged.\n',
    );
    const json = await runPortreeve(['container', 'import', file, '--dry-run', '--json'], env);
    expect(JSON.parse(json.out)).toEqual({ created: 1, updated: 1, unchanged: 1, failed: 0 });
    const template = await runPortreeve(['container', 'import', '--template'], env);
    expect(template.err).toMatch(/^name {2}Name, unique in the cell.*required\)$/m);
    expect(template.err).not.toMatch(/^(lastPoll|version|creationEvent) /m);
    await writeFile(file, template.out);
    expect((await runPortreeve(['container', 'import', file], env)).out).toMatch(/^1 record created/);
  });

  test('accepts the template of hosts unchanged', async () => {
    const file = join(folder, 'template.csv');
    const template = await runPortreeve(['host', 'import', '--template'], env);
    expect(template.err).toMatch(/^adap\.mac {3,}MAC address in any notation; required$/m);
    await writeFile(file, template.out);
    expect((await runPortreeve(['host', 'import', file, '--dry-run'], env)).out).toBe(
      'file  CHECKED  1 would be created, 0 updated, 0 unchanged, 0 failed\n',
    );
    expect((await runPortreeve(['host', 'import', file], env)).code).toBe(0);
    await writeFile(file, template.out.replace('reading-room-1', 'reading-room-2'));
    expect((await runPortreeve(['host', 'import', file, '--dry-run'], env)).out).toContain(
      'line 2  CHANGES  host.host: reading-room-1 → reading-room-2\n',
    );
  });
});
