import { copyIn, copyLine } from '@portreeve/server/kernel/log/copy.ts';
import { LogWriter } from '@portreeve/server/kernel/log/log-writer.ts';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import pg from 'pg';
import type { Bench, Contestant } from './bench.ts';
import { postmasterPid } from './processes.ts';
import type { Measured } from './stage.ts';

const batchRows = 1_000;
/** The maximum number of waiting rows: a sender has ten batches in progress. */
const sendersRows = 10_000;
const columns = [
  ...['name', 'element_type', 'element_id', 'element_name', 'message', 'event_format_string'],
  ...['event_type_id', 'category', 'attributes'],
];

/** Returns a row like those of traps and syslog. */
const rowOf = (n: number): unknown[] => [
  'TRAP_LINK_DOWN',
  2,
  n % 5_000,
  `switch-${n % 5_000}`,
  `Port Gi1/0/${n % 48} of switch ${n % 5_000} went down\tand came back`,
  `Trap ${n}`,
  1,
  'DEVICE',
  '{}',
];

/** Log rows through the writer, compared with COPY of the same batches into the same table. */
export const ingest: Bench = {
  name: 'ingest',
  doc: 'events through the log writer, each row answered when it is committed, against COPY of the same batches of 1,000 by the same driver',
  limit:
    'the indexes of the log, in PostgreSQL; the writer has a transaction number to ask for and a promise for each row',
  missed: 'the worst of seven rounds is below it, the median is above; rounds differ by the checkpoints of PostgreSQL.',
  comparisons: [{ label: '', of: 'writer', to: 'COPY', measure: 'rate', goal: { atLeast: 0.9 } }],
  async contestants(stage, { small }) {
    const { serviceUrl } = await stage.database('ports', small);
    return [contestant('writer', serviceUrl, writeThroughWriter), contestant('COPY', serviceUrl, copyBatches)];
  },
};

/** Writes rows until the time is over; returns how long each batch took. */
type Ingest = (pool: pg.Pool, untilMs: number) => Promise<{ rows: number; tookMs: number[] }>;

async function writeThroughWriter(pool: pg.Pool, untilMs: number): Promise<{ rows: number; tookMs: number[] }> {
  const faults: unknown[] = [];
  const writer = new LogWriter({
    pool,
    table: 'event',
    columns,
    onOverload: () => undefined,
    onError: (error) => void faults.push(error),
  });
  let rows = 0;
  const tookMs: number[] = [];
  const sender = async (first: number): Promise<void> => {
    for (let n = first; performance.now() < untilMs; n += sendersRows) {
      const since = performance.now();
      await Promise.all(Array.from({ length: batchRows }, (_, place) => writer.write(rowOf(n + place))));
      rows += batchRows;
      tookMs.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: sendersRows / batchRows }, (_, place) => sender(place * batchRows)));
  await writer.close();
  if (faults.length > 0) throw faults[0];
  return { rows, tookMs };
}

async function copyBatches(pool: pg.Pool, untilMs: number): Promise<{ rows: number; tookMs: number[] }> {
  const client = await pool.connect();
  const text = `copy event (${columns.join(', ')}) from stdin`;
  const tookMs: number[] = [];
  let rows = 0;
  try {
    while (performance.now() < untilMs) {
      const since = performance.now();
      const lines = Array.from({ length: batchRows }, (_, place) => copyLine(rowOf(rows + place)));
      rows += await copyIn(client, text, [Buffer.from(lines.join(''))]);
      tookMs.push(performance.now() - since);
    }
  } finally {
    client.release();
  }
  return { rows, tookMs };
}

function contestant(name: string, url: string, ingest: Ingest): Contestant {
  return {
    name,
    async run(seconds): Promise<Measured> {
      const pool = new pg.Pool({ connectionString: url, max: 2 });
      try {
        const before = await counts(pool);
        const [cpu, postgresMs] = [process.cpuUsage(), cpuMsOf(postmasterPid())];
        const since = performance.now();
        const { rows, tookMs } = await ingest(pool, since + seconds * 1_000);
        const tookSeconds = (performance.now() - since) / 1_000;
        const { user, system } = process.cpuUsage(cpu);
        const postgres = cpuMsOf(postmasterPid()) - postgresMs;
        const perRow = (microseconds: number) => microseconds / Math.max(1, rows);
        const after = await counts(pool);
        const sorted = tookMs.toSorted((a, b) => a - b);
        return {
          perSecond: rows / tookSeconds,
          p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
          p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
          cpu: { server: perRow(user + system), postgres: perRow(postgres * 1_000), generator: 0 },
          faults: [
            ...(after.counted - before.counted === rows
              ? []
              : [`${rows} were written, ${after.counted - before.counted} are there`]),
            ...(after.total === after.counted ? [] : [`the total says ${after.total}, counted are ${after.counted}`]),
          ],
        };
      } finally {
        await pool.end();
      }
    },
  };
}

async function counts(pool: pg.Pool): Promise<{ total: number; counted: number }> {
  const { rows } = await pool.query<{ total: string; counted: string }>(
    `select row_total('event') as total, (select count(*) from event) as counted`,
  );
  return { total: Number(rows[0]!.total), counted: Number(rows[0]!.counted) };
}
