import pg from 'pg';
import { copyIn, copyLine } from '../kernel/log/copy.ts';
import { LogWriter } from '../kernel/log/log-writer.ts';

export interface Ingested {
  rows: number;
  seconds: number;
  /** CPU time of this process for each row, in microseconds. */
  cpuMicros: number;
  faults: string[];
}

const batchRows = 1_000;
/** Whoever sends knows of ten batches at a time: as many rows as wait at most. */
const senders = 10;
const columns = ['name', 'element_type', 'element_id', 'element_name', 'message', 'event_format_string'];

/** Rows as they come from traps and syslog. */
const rowOf = (n: number): unknown[] => [
  'TRAP_LINK_DOWN',
  2,
  n % 5_000,
  `switch-${n % 5_000}`,
  `Port Gi1/0/${n % 48} of switch ${n % 5_000} went down\tand came back`,
  `Trap ${n}`,
];

type Way = (pool: pg.Pool, untilMs: number) => Promise<number>;

/** Every row is answered when it is committed. */
const throughWriter: Way = async (pool, untilMs) => {
  const faults: unknown[] = [];
  const onError = (error: unknown) => void faults.push(error);
  const writer = new LogWriter({ pool, table: 'event', columns, onOverload: () => undefined, onError });
  let rows = 0;
  const sender = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      await Promise.all(Array.from({ length: batchRows }, (_, place) => writer.write(rowOf(rows + place))));
      rows += batchRows;
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  await writer.close();
  if (faults.length > 0) throw faults[0];
  return rows;
};

/** The limit: the same rows in the same batches by the same driver, one after the other, a transaction each. */
const bareCopy: Way = async (pool, untilMs) => {
  const client = await pool.connect();
  const text = `copy event (${columns.join(', ')}) from stdin`;
  let rows = 0;
  try {
    while (performance.now() < untilMs) {
      const lines = Array.from({ length: batchRows }, (_, place) => copyLine(rowOf(rows + place)));
      rows += await copyIn(client, text, Buffer.from(lines.join('')));
    }
  } finally {
    client.release();
  }
  return rows;
};

export const ingestWays = { writer: throughWriter, COPY: bareCopy } as const;

/** Writes events for so long, and holds what is there against what was written. */
export async function ingest(url: string, way: Way, seconds: number): Promise<Ingested> {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    const before = await counts(pool);
    const [cpu, since] = [process.cpuUsage(), performance.now()];
    const rows = await way(pool, since + seconds * 1_000);
    const took = (performance.now() - since) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    const after = await counts(pool);
    const faults: string[] = [];
    if (after.counted - before.counted !== rows)
      faults.push(`${rows} were written, ${after.counted - before.counted} are there`);
    if (after.total !== after.counted) faults.push(`the total says ${after.total}, counted are ${after.counted}`);
    return { rows, seconds: took, cpuMicros: (user + system) / rows, faults };
  } finally {
    await pool.end();
  }
}

async function counts(pool: pg.Pool): Promise<{ total: number; counted: number }> {
  const { rows } = await pool.query<{ total: string; counted: string }>(
    `select row_total('event') as total, (select count(*) from event) as counted`,
  );
  return { total: Number(rows[0]!.total), counted: Number(rows[0]!.counted) };
}
