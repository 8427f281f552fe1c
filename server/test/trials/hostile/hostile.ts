import { connect } from '../../../src/kernel/database/connect.ts';
import type { ConnectionLimits } from '../../../src/kernel/http/connections.ts';
import type { ServedCell } from '../../world/cell.ts';
import { type FloodReport, flood, type SlowReport, slowClients } from './connections.ts';
import { type FilterReport, filtersInProcess, filtersOnPostgres } from './filter-stages.ts';
import { HonestClient, type HonestStage } from './honest.ts';
import { largeList } from './hostile-cell.ts';
import { bodiesByHttp, filtersByHttp, rawRequests } from './http-stages.ts';
import { ledgerOf, unexplainedWrites } from './ledger.ts';
import { loggedFaults, SessionWatch, type Settled, settled } from './node-watch.ts';
import type { Target } from './target.ts';
import type { Tally } from './verdict.ts';
import { Wire } from './wire.ts';

export interface HostileOptions {
  seed: number;
  /** How many large lists are read first; thirty times as many bodies are sent then. */
  warmUp: number;
  filters: number;
  filtersOnPostgres: number;
  filtersByHttp: number;
  bodies: number;
  rawRequests: number;
  /** Slow clients of each kind. */
  slow: number;
  /** Connections that only wait, and how many more than the node accepts are tried after that. */
  halfOpen: number;
  beyond: number;
  holdSeconds: number;
  /** The longest that the honest client may wait. */
  honestMsMax: number;
  /** Prints the progress; optional. */
  print?(line: string): void;
}

export interface HostileReport {
  inProcess: FilterReport;
  onPostgres: FilterReport;
  byHttp: Tally;
  bodies: Tally;
  raw: Tally;
  slow: SlowReport;
  flood: FloodReport;
  honest: readonly HonestStage[];
  before: Settled;
  after: Settled;
  sessions: number;
  /** All deviations; empty if the node passed. */
  faults: string[];
}

/** The allowed growth of the node's memory from after the warm-up until the end. */
const growthMegabytesMax = 200;
/** The database sessions of a node: 20 for requests, 4 for jobs, 1 that listens (docs/handbook/operating.md). */
const sessionsMax = 25;

/** Sends all kinds of hostile input to one real node, while an honest client works. */
export async function hostile(
  cell: ServedCell,
  limits: ConnectionLimits,
  options: HostileOptions,
): Promise<HostileReport> {
  const node = cell.nodes[0]!;
  const { seed, print } = options;
  const { authorization } = cell.client(node).authorization;
  const target: Target = { port: node.port, authorization: `Authorization: ${authorization}`, accepted: new Set() };
  const honest = new HonestClient(target);
  const faults: string[] = [];

  /** Runs a stage, and prints its result and what the honest client measured meanwhile. */
  const stage = async <T extends Stage>(name: string, work: T | Promise<T>): Promise<T> => {
    const before = performance.now();
    const done = await work;
    faults.push(...done.faults.map((fault) => `${name}: ${fault}`));
    if (!node.isRunning()) throw new Error(`the node died during ${name}: ${node.log().slice(-4_000)}`);
    print?.(`${name}: ${done.words} (${((performance.now() - before) / 1_000).toFixed(0)} s)`);
    const met = honest.closeStage(name);
    if (!met) return done;
    print?.(
      `  honest client: ${met.answered} requests, median ${met.medianMs.toFixed(0)} ms, worst ${met.worstMs.toFixed(0)} ms; node: ${(await settled(node)).megabytes} MB`,
    );
    if (met.worstMs > options.honestMsMax)
      faults.push(`${name}: the honest client waited ${met.worstMs.toFixed(0)} ms`);
    return done;
  };

  const inProcess = await stage('filters in process', filtersInProcess(seed, options.filters));
  const pool = connect({ url: cell.serviceUrl, connectionsMax: 1 });
  const onPostgres = await stage('filters on PostgreSQL', filtersOnPostgres(pool, seed, options.filtersOnPostgres));
  await pool.end();

  await warmUp(target, options.warmUp);
  await stage('warm-up with other bodies', bodiesByHttp(target, seed + 1, 30 * options.warmUp));
  const before = await settled(node);
  const ledger = await ledgerOf(cell);
  const sessions = new SessionWatch(cell);
  const underWatch = async () => ({
    byHttp: await stage('filters by HTTP', filtersByHttp(target, seed, options.filtersByHttp)),
    bodies: await stage('bodies', bodiesByHttp(target, seed, options.bodies)),
    raw: await stage('headers, paths, methods', rawRequests(target, seed, options.rawRequests)),
    slow: await stage('slow clients', slowClients(target, options.slow, limits)),
    flood: await stage('half-open connections', flood(target.port, limits, options)),
  });
  await honest.start();
  const done = await underWatch().finally(() => honest.stop());
  await sessions.stop();
  const after = await settled(node, before.sockets);

  faults.push(...honest.failures.map((failure) => `honest client: ${failure}`));
  if (after.megabytes - before.megabytes >= growthMegabytesMax)
    faults.push(`the node grew from ${before.megabytes} to ${after.megabytes} MB`);
  if (after.sockets > before.sockets)
    faults.push(`${after.sockets} sockets are open at the end, ${before.sockets} before`);
  if (sessions.most > sessionsMax) faults.push(`${sessions.most} database sessions: ${sessions.words}`);
  faults.push(...loggedFaults(node), ...(await unexplainedWrites(cell, ledger, target.accepted)));
  return {
    inProcess,
    onPostgres,
    ...done,
    honest: honest.stages,
    before,
    after,
    sessions: sessions.most,
    faults,
  };
}

/** The result of a stage. */
interface Stage {
  words: string;
  faults: readonly string[];
}

/** As many as any stage sends at once. */
const readers = 16;

/** Reads large lists with several clients, so that the node has the memory that it needs for its work. */
async function warmUp({ port, authorization }: Target, count: number): Promise<void> {
  let lists = 0;
  const readLists = async () => {
    const wire = await Wire.open(port);
    while (lists < count) {
      wire.send(`GET ${largeList} HTTP/1.1\r\nHost: trial\r\n${authorization}\r\n\r\n`);
      const answer = await wire.next(60_000);
      if (typeof answer === 'string') throw new Error(`the response of the warm-up: ${answer}`);
      // On a busy machine a list can exceed its time limit.
      if (answer.code === 200) lists++;
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: readers }, readLists));
}
