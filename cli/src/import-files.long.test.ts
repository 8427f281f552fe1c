import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { container } from '@portreeve/server/device/container/container.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { runPortreeve } from './testing/run-portreeve.ts';

describe('an import writes the remaining lines to a file', async () => {
  const { admin, service } = await world({ jobs: 'work' });
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-import-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token, HOME: folder };
  const hosts = 'adap.mac,host.host\n00:50:C2:AB:00:01,"cart, one"\nnonsense,cart-2\n00:50:C2:AB:00:03,cart-3\n';
  const stored = async (filter: string) => (await admin.get(`/host/count?filter=${filter}`)).body.filtered;
  const write = async (name: string, text: string) => {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  };

  test('writes all lines if the file was refused, so that fixing it imports them all', async () => {
    const file = await write('refused.csv', hosts);
    const refused = await runPortreeve(['host', 'import', file], env);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Nothing was imported. ${file}.failed.csv contains all lines`),
    });
    expect(await stored('hostName==cart*')).toBe(0);
    const remainingText = await readFile(`${file}.failed.csv`, 'utf8');
    expect(remainingText).toBe(hosts);
    await writeFile(`${file}.failed.csv`, remainingText.replace('nonsense', '00:50:C2:AB:00:02'));
    expect(await runPortreeve(['host', 'import', `${file}.failed.csv`], env)).toMatchObject({ code: 0 });
    expect(await stored('hostName==cart*')).toBe(3);
  });

  test('writes only the failed lines if the others were stored', async () => {
    const file = await write('tolerated.csv', hosts.replaceAll('cart', 'trolley').replaceAll('AB:00', 'AB:01'));
    const tried = await runPortreeve(['host', 'import', file, '--dry-run', '--max-errors', '1'], env);
    expect(tried.err).toContain(`1 line would fail. Nothing was imported: fix them in ${file}.`);
    await expect(readFile(`${file}.failed.csv`)).rejects.toThrow('ENOENT');
    const imported = await runPortreeve(['host', 'import', file, '--max-errors', '1'], env);
    expect(imported.err).toContain('1 line failed, all others are imported.');
    expect(await stored('hostName==trolley*')).toBe(2);
    expect(await readFile(`${file}.failed.csv`, 'utf8')).toBe('adap.mac,host.host\nnonsense,trolley-2\n');
  });

  test('writes no file after a dry run: faults are fixed in the original', async () => {
    const file = await write('dry.jsonl', '{"name":"dry-1"}\n{"nmae":"dry-2"}\n');
    const tried = await runPortreeve(['container', 'import', file, '--dry-run'], env);
    expect(tried.err).toContain(`Nothing was imported. Fix the lines in ${file}.`);
    expect(tried.out).toContain('would be created, 0 updated, 0 unchanged');
    const imported = await runPortreeve(['container', 'import', file], env);
    expect(imported.err).toContain('All other lines are imported. Fix the failed lines there and import that file.');
  });

  test('writes every line that was not sent because the service became unavailable', async () => {
    // Forwards two requests, then responds with 503.
    let calls = 0;
    const gate = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request));
      if (++calls > 2) {
        response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' });
        return response.end(JSON.stringify({ status: 'unavailable', errorMessage: 'The database is away.' }));
      }
      const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
      const reply = await fetch(`${url}${request.url}`, { method: request.method!, headers, body });
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(await reply.text());
    });
    await new Promise<void>((done) => gate.listen(0, '127.0.0.1', done));
    const lines = ['{"name":"gone-1"}', '{"nmae":"gone-2"}', '{"name":"gone-3"}', '{"name":"gone-4"}'];
    const file = await write('gone.jsonl', `${lines.join('\n')}\n`);
    const stopped = await runPortreeve(['container', 'import', file], {
      ...env,
      PORTREEVE_URL: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    });
    gate.closeAllConnections();
    gate.close();
    expect(stopped.code).not.toBe(0);
    expect(stopped.err).toContain(
      `1 record created, 0 updated or unchanged. ${file}.failed.jsonl contains the 2 lines that remain to be imported, and 1 that failed.`,
    );
    const remainingText = await readFile(`${file}.failed.jsonl`, 'utf8');
    await writeFile(`${file}.failed.jsonl`, remainingText.replace('"nmae"', '"name"'));
    const rest = await runPortreeve(['container', 'import', `${file}.failed.jsonl`], env);
    expect(rest.out).toBe('3 records created, 0 updated or unchanged.\n');
    expect((await admin.get(`${container.path}/count?filter=name==gone-*`)).body.filtered).toBe(4);
  });
});
