import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { connectionDefaults } from '@portreeve/server/kernel/http/connections.ts';
import { hostile } from '@portreeve/server/testing/hostile/hostile.ts';
import { openHostileCell } from '@portreeve/server/testing/hostile/hostile-cell.ts';

/** Filters, bodies, requests and connections as no honest client makes them, against a real node; then it is asked what is left of it. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    filters: { type: 'string', default: '200000' },
    lists: { type: 'string', default: '2000' },
    'filters-by-http': { type: 'string', default: '5000' },
    bodies: { type: 'string', default: '20000' },
    requests: { type: 'string', default: '10000' },
    slow: { type: 'string', default: '30' },
    connections: { type: 'string', default: '10000' },
    'connections-max': { type: 'string', default: String(connectionDefaults.max) },
    seconds: { type: 'string', default: '20' },
  },
});
// Whoever stops this does not leave a cell behind: it ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const seed = Number(values.seed);
const halfOpen = Number(values.connections);
// As it is shipped, the node holds some of them and lets the oldest go; each it holds costs the allocator 24 KB, once.
const limits = { ...connectionDefaults, max: Number(values['connections-max']) };
// Said now, and not after minutes: both sides of every connection are open files, here and in the node.
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
  filters: Number(values.filters),
  filtersOnPostgres: Number(values.lists),
  filtersByHttp: Number(values['filters-by-http']),
  bodies: Number(values.bodies),
  rawRequests: Number(values.requests),
  slow: Number(values.slow),
  halfOpen,
  beyond: 1_000,
  holdSeconds: Number(values.seconds),
  honestMsMax: 5_000,
  say: (line) => console.log(line),
}).finally(() => cell.close());

const { before, after, sessions, honest, faults } = report;
const worst = honest.toSorted((a, b) => b.worstMs - a.worstMs)[0]!;
console.log(
  `the node had ${before.megabytes} MB after the warm-up and has ${after.megabytes} MB now (${after.megabytes - before.megabytes} MB more), of which ${before.heapMegabytes} and ${after.heapMegabytes} MB are in use; ${before.sockets} sockets then, ${after.sockets} now; at most ${sessions} sessions of PostgreSQL`,
);
console.log(
  `honest client: ${honest.reduce((sum, { answered }) => sum + answered, 0)} requests, worst ${worst.worstMs.toFixed(0)} ms (${worst.stage})`,
);
for (const fault of faults.slice(0, 30)) console.log(`  ${fault}`);
console.log(
  faults.length === 0
    ? `all right, seed ${seed}: no 500, no 503, no crash, and nothing written but what was answered as done`
    : `NOT right, seed ${seed}: ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
