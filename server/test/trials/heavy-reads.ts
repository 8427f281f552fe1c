import { setTimeout as sleep } from 'node:timers/promises';
import { openCell, type ServedCell } from '../world/cell.ts';
import type { NodeClient } from '../world/node-client.ts';

export interface HeavyReadsOptions {
  events: number;
  /** Clients of the attacker, all with one token that may only view events. */
  attackers: number;
  seconds: number;
  /** How many times its undisturbed median the honest client may take. */
  slower: number;
  print(line: string): void;
}

export interface HeavyReadsReport {
  quietMs: number;
  /** By attack, the median of the honest client. */
  attackedMs: Record<string, number>;
  faults: string[];
}

/** Medians below this are not distinguishable from noise. */
const noiseMs = 20;
const chunk = 100_000;
const refusedMs = 100;
const terms = (operator: string, separator: string, count = 60): string =>
  Array.from({ length: count }, (_, n) => `message${operator}*zq${n}*`).join(separator);

const attacks: Readonly<Record<string, string>> = {
  '60 exclusions': `filter=${encodeURIComponent(terms('!=', ';'))}`,
  '60 alternatives': `filter=${encodeURIComponent(terms('==', ','))}`,
  'one word': `filter=${encodeURIComponent('message==*zq*')}`,
  'sorted by message': 'sortKey=message',
};

/**
 * Sends reads without a suitable index from one credential to a node with default settings, and checks that the reads
 * of an honest caller are not slowed down much.
 */
export async function heavyReads(options: HeavyReadsOptions): Promise<HeavyReadsReport> {
  const limits = { requestsPerSecond: 50, burst: 100, testsPerMinute: 10, eventsPerSecond: 50 };
  const cell = await openCell({ nodes: 1, lifeSeconds: 1_800, settings: { limits } });
  const report: HeavyReadsReport = { quietMs: 0, attackedMs: {}, faults: [] };
  try {
    await fill(cell, options.events);
    const honest = cell.client(cell.nodes[0]!);
    const attacker = honest.as(await narrowToken(honest));
    // The node counts rows every ten seconds.
    await sleep(11_000);
    await watched(honest, 3);
    report.quietMs = await watched(honest, options.seconds);
    options.print(`quiet: honest median ${report.quietMs.toFixed(1)} ms`);
    for (const [name, query] of Object.entries(attacks)) {
      const attack = begin(attacker, query, options.attackers);
      await sleep(500);
      const median = await watched(honest, options.seconds);
      const answers = await attack.end();
      report.attackedMs[name] = median;
      options.print(`${name}: honest median ${median.toFixed(1)} ms; the attacker got ${answers}`);
      if (median > Math.max(noiseMs, options.slower * report.quietMs))
        report.faults.push(`${name}: honest median ${median.toFixed(1)} ms, quiet ${report.quietMs.toFixed(1)} ms`);
      if (/500 ×/.test(answers)) report.faults.push(`${name}: the attacker got ${answers}`);
    }
    attacker.close();
  } finally {
    await cell.close();
  }
  return report;
}

async function fill(cell: ServedCell, events: number): Promise<void> {
  for (let done = 0; done < events; done += chunk)
    await cell.sql.query(
      `insert into event (name, element_type, element_id, element_name, message, event_format_string, event_type_id, category, attributes)
       select 'WRITTEN', 2, n, 'switch-' || n, 'Device switch-' || n || ' on floor ' || n % 40 || ' was polled and answered', 'written', 1, 'DEVICE', '{}'
       from generate_series($1::integer, $2::integer) n`,
      [done + 1, Math.min(events, done + chunk)],
    );
  await cell.sql.query('analyze event');
}

async function narrowToken(client: NodeClient): Promise<string> {
  const { body } = await client.call('POST', '/auth/tokens', {
    name: 'heavy-reads',
    scopes: { 'events-alarms': ['view'] },
  });
  return String(body.results![0]!.token);
}

const honestPaths = ['/logging/event?count=20&sortDir=desc', '/device/container?count=20', '/policy/role?count=20'];

/** Returns the median of an honest caller's reads. */
async function watched(client: NodeClient, seconds: number): Promise<number> {
  const took: number[] = [];
  for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs; await sleep(30)) {
    const path = honestPaths[took.length % honestPaths.length]!;
    const begunMs = performance.now();
    const { code, body } = await client.call('GET', path);
    if (code !== 200) throw new Error(`${path} answered ${code}: ${body.errorMessage}`);
    took.push(performance.now() - begunMs);
  }
  return took.sort((a, b) => a - b)[Math.floor(took.length / 2)]!;
}

function begin(client: NodeClient, query: string, clients: number) {
  const answers = new Map<number, number>();
  let isOver = false;
  const attack = async () => {
    while (!isOver) {
      const { code } = await client.call('GET', `/logging/event?count=20&${query}`);
      answers.set(code, (answers.get(code) ?? 0) + 1);
      // A flood of requests that get 429 would be another attack.
      if (code !== 200) await sleep(refusedMs);
    }
  };
  const attacking = Promise.all(Array.from({ length: clients }, attack));
  return {
    async end(): Promise<string> {
      isOver = true;
      await attacking;
      return [...answers].map(([code, times]) => `${code} × ${times}`).join(', ');
    },
  };
}
