import { readFileSync } from 'node:fs';
import { connectionDefaults } from '@portreeve/server/kernel/http/connections.ts';
import { hostile } from '@portreeve/server/test/trials/hostile/hostile.ts';
import { openHostileCell } from '@portreeve/server/test/trials/hostile/hostile-cell.ts';
import { maybeNumber, number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Filters, bodies, requests and connections as no honest client makes them, against a real node; then its memory, sockets and data are checked.',
  options: {
    seed: maybeNumber('seed of every random choice; another one each time where it is left out'),
    filters: number(200_000, 'random filters that are parsed'),
    lists: number(2_000, 'of them run by PostgreSQL'),
    'filters-by-http': number(5_000, 'of them sent to the node'),
    bodies: number(20_000, 'random bodies'),
    requests: number(10_000, 'malformed requests'),
    slow: number(30, 'clients that send or read slowly'),
    connections: number(10_000, 'connections that stay half open'),
    'connections-max': number(connectionDefaults.max, 'connections the node takes'),
    seconds: number(20, 'how long connections are held'),
  },
  async run(values) {
    const seed = values.seed ?? Math.floor(Math.random() * 1_000_000);
    const halfOpen = values.connections;
    // With its default limits, the node holds some of them and closes the oldest; each one costs the allocator 24 KB,
    // once.
    const limits = { ...connectionDefaults, max: values['connections-max'] };
    // Checked before the trial: both ends of every connection are open files, here and in the node.
    const files = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    const opened = Math.max(halfOpen, limits.max);
    if (files < opened + 2_000)
      throw new Error(`${opened} connections take more open files than ${files}; raise that with ulimit -n`);
    const cell = await openHostileCell(limits);
    console.log(
      `one node on port ${cell.nodes[0]!.port}, seed ${seed}; rate limits are off, and it takes ${limits.max} connections (default ${connectionDefaults.max})`,
    );
    const report = await hostile(cell, limits, {
      seed,
      warmUp: 100,
      filters: values.filters,
      filtersOnPostgres: values.lists,
      filtersByHttp: values['filters-by-http'],
      bodies: values.bodies,
      rawRequests: values.requests,
      slow: values.slow,
      halfOpen,
      beyond: 1_000,
      holdSeconds: values.seconds,
      honestMsMax: 5_000,
      print: (line) => console.log(line),
    }).finally(() => cell.close());

    const { before, after, sessions, honest, faults } = report;
    const worst = honest.toSorted((a, b) => b.worstMs - a.worstMs)[0]!;
    console.log(
      `the node had ${before.megabytes} MB after the warm-up and has ${after.megabytes} MB now (${after.megabytes - before.megabytes} MB more), of which ${before.heapMegabytes} and ${after.heapMegabytes} MB are in use; ${before.sockets} sockets then, ${after.sockets} now; at most ${sessions} sessions of PostgreSQL`,
    );
    console.log(
      `honest client: ${honest.reduce((sum, { answered }) => sum + answered, 0)} requests, worst ${worst.worstMs.toFixed(0)} ms (${worst.stage})`,
    );
    if (faults.length === 0) console.log('no 500, no 503, no crash, and nothing written but what was answered as done');
    reportVerdict(faults);
  },
});
