import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openCell, type ServedCell } from '@portreeve/server/test/world/cell.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

interface Upload {
  name: string;
  path: string;
  type: string;
  body: Buffer;
}

const dayMs = 86_400_000;
const pauseMs = 5;

export const trial = defineTrial({
  doc: 'Uploads that take long to read, while /healthz is requested every 5 ms: its 99th percentile stays below a bound.',
  options: {
    'p99-ms': number(50, 'bound on the 99th percentile of /healthz'),
    seconds: number(5, 'how long /healthz is asked from the begin of each upload'),
    'bomb-rows': number(20_000_000, 'rows of the gzip bomb'),
  },
  async run(values) {
    const uploads = [bomb(values['bomb-rows']), unknownNames(), xml(), hosts(30_000)];
    const cell = await openCell({ nodes: 1, lifeSeconds: 600 });
    const faults: string[] = [];
    try {
      await watched(cell, values.seconds);
      const quiet = await watched(cell, values.seconds);
      console.log(`quiet: /healthz p99 ${quiet.p99.toFixed(1)} ms of ${quiet.count}`);
      for (const upload of uploads) {
        const pendingCode = send(cell, upload);
        const { p99, most: maximum, count } = await watched(cell, values.seconds);
        const code = await pendingCode;
        console.log(
          `${upload.name} (${upload.body.length} bytes, answered ${code}): /healthz p99 ${p99.toFixed(1)} ms, most ${maximum.toFixed(1)} ms of ${count}`,
        );
        if (p99 > values['p99-ms']) faults.push(`${upload.name}: p99 ${p99.toFixed(1)} ms`);
      }
    } finally {
      await cell.close();
    }
    reportVerdict(faults);
  },
});

/** Requests `/healthz` every 5 ms and returns how long the responses took. */
async function watched(cell: ServedCell, seconds: number): Promise<{ p99: number; most: number; count: number }> {
  const client = cell.client(cell.nodes[0]!);
  const took: number[] = [];
  const endMs = performance.now() + seconds * 1_000;
  while (performance.now() < endMs) {
    const begunMs = performance.now();
    await client.call('GET', '/healthz');
    took.push(performance.now() - begunMs);
    await sleep(pauseMs);
  }
  took.sort((a, b) => a - b);
  return { p99: took[Math.floor(took.length * 0.99)]!, most: took.at(-1)!, count: took.length };
}

const send = (cell: ServedCell, { path, type, body }: Upload): Promise<number> =>
  new Promise((done, fail) => {
    const node = cell.nodes[0]!;
    const headers = { ...cell.client(node).authorization, 'content-type': type };
    const uploadRequest = request(
      { host: '127.0.0.1', port: node.port, method: 'POST', path: `/api/v2${path}`, headers },
      (response) => {
        response.resume();
        response.once('end', () => done(response.statusCode!));
      },
    );
    uploadRequest.on('error', fail).end(body);
  });

/** Returns a small archive of very many rows, none of which belongs to the log. */
function bomb(rows: number): Upload {
  const data = gzipSync('{}\n'.repeat(rows));
  const day = (back: number) => `${new Date(Date.now() - back * dayMs).toISOString().slice(0, 10)}T00:00:00.000Z`;
  const manifest = {
    log: 'event',
    landscape: 77,
    from: day(40),
    to: day(39),
    rows,
    minID: 0,
    maxID: 0,
    bytes: data.length,
    sha256: createHash('sha256').update(data).digest('hex'),
    schemaVersion: 1,
    productVersion: '0.0.1',
    createdAt: day(1),
  };
  const part = (name: string) => `--xyz\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\n`;
  return {
    name: 'bomb',
    path: '/logging/event/archive/import',
    type: 'multipart/form-data; boundary=xyz',
    body: Buffer.concat([
      Buffer.from(`${part('manifest')}${JSON.stringify(manifest)}\r\n${part('archive')}`),
      data,
      Buffer.from('\r\n--xyz--\r\n'),
    ]),
  };
}

/** A body just below the limit with only unknown names. */
const unknownNames = (): Upload => ({
  name: 'JSON of unknown names',
  path: '/device/container',
  type: 'application/json',
  body: Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => [`n${n}`, 0])))),
});

const xml = (): Upload => ({
  name: 'XML',
  path: '/device/container',
  type: 'application/xml',
  body: Buffer.from(`<container><name>${'x &amp; '.repeat(120_000)}</name></container>`),
});

/** Invalid lines of the most costly kind: each has an error to store. */
const hosts = (lines: number): Upload => ({
  name: 'hosts',
  path: '/host/import-hosts?dryRun=true',
  type: 'text/csv',
  body: Buffer.from(`adap.mac,host.host\n${Array.from({ length: lines }, (_, n) => `nonsense${n},h${n}\n`).join('')}`),
});
