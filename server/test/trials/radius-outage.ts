import { setTimeout as sleep } from 'node:timers/promises';
import { signalAll } from '@portreeve/testbed/standby.ts';
import type { EngineProcess } from '../../src/protocols/radius-engine/engine-process.ts';
import { radiusGlobal } from '../../src/radius/radius-global/radius-global.ts';
import type { ServedCell } from '../world/cell.ts';
import { until } from '../world/patience.ts';
import { postmasterOf } from './fault-cells.ts';
import { macs, type Outcome, openRadiusCell, Switch } from './radius-cell.ts';

const recoverMsMax = 30_000;

/** The results of the logins around one fault. */
export interface OutageRow {
  fault: string;
  /** Replies of the first server. */
  right: number;
  /** Replies of the second server, a second later. */
  second: number;
  silent: number;
  wrong: number;
  rejected: number;
  /** From the end of the fault until all logins get replies again. */
  recoverSeconds: number;
}

interface Fault {
  name: string;
  begin(cell: ServedCell, engines: readonly EngineProcess[]): Promise<void>;
  end(cell: ServedCell): Promise<void>;
}

const nothing = async () => undefined;

export const outages: readonly Fault[] = [
  { name: 'none', begin: nothing, end: nothing },
  {
    name: 'a node killed',
    begin: (cell) => cell.kill9(cell.nodes[0]!),
    end: (cell) => cell.startNode(cell.nodes[0]!),
  },
  {
    name: 'both nodes killed',
    begin: async (cell) => void (await Promise.all(cell.nodes.map((node) => cell.kill9(node)))),
    end: async (cell) => void (await Promise.all(cell.nodes.map((node) => cell.startNode(node)))),
  },
  { name: 'an engine killed', begin: (_, [engine]) => engine!.stop(), end: nothing },
  { name: 'PostgreSQL killed', begin: (cell) => cell.killPostgres(), end: (cell) => cell.restartPostgres() },
  {
    name: 'PostgreSQL frozen',
    begin: async (cell) => signalAll(await postmasterOf(cell), 'SIGSTOP'),
    end: async (cell) => signalAll(await postmasterOf(cell), 'SIGCONT'),
  },
  {
    name: 'a roll-out',
    async begin(cell) {
      const { code } = await cell
        .client(cell.nodes[1]!)
        .post(radiusGlobal.path!, { nasCacheSeconds: 600 + Math.floor(Math.random() * 1_000) });
      if (code !== 200) throw new Error(`the settings returned ${code}`);
    },
    end: nothing,
  },
];

/**
 * Causes faults during logins and counts the replies that the access device got. A reject or a wrong VLAN is an error
 * of the service.
 */
export async function causeOutages(options: {
  perSecond: number;
  seconds: number;
  /** The name of one fault to cause. */
  only?: string | undefined;
  report?(row: OutageRow): void;
}): Promise<{ rows: OutageRow[]; faults: string[] }> {
  const { only } = options;
  const { cell, engines, authPort, close } = await openRadiusCell(2);
  const faults: string[] = [];
  const rows: OutageRow[] = [];
  const asking = new Switch(authPort);
  try {
    await asking.open();
    await until('the first replies', async () => (await asking.logIn(1)) === 'right');
    // Stores every host before the first fault.
    await load(asking, options.perSecond / 5, 5 * (macs / options.perSecond) * 1_000, { stop: false });
    for (const fault of outages.filter(({ name }) => only === undefined || only === name)) {
      const row = await causeOne(cell, engines, asking, fault, options);
      rows.push(row);
      options.report?.(row);
      if (row.wrong + row.rejected > 0) faults.push(`${fault.name}: ${row.wrong} wrong, ${row.rejected} rejected`);
      if (row.recoverSeconds * 1_000 > recoverMsMax) faults.push(`${fault.name}: ${row.recoverSeconds} s to recover`);
    }
  } finally {
    asking.close();
    await close();
  }
  return { rows, faults: faults };
}

interface Seen {
  atMs: number;
  outcome: Outcome;
}

/** Logs in at a steady rate until the time is over, or until it is stopped. */
async function load(asking: Switch, perSecond: number, ms: number, until: { stop: boolean }): Promise<Seen[]> {
  const results: Seen[] = [];
  const under = new Set<Promise<void>>();
  const startMs = performance.now();
  for (let sentLogins = 0; performance.now() - startMs < ms && !until.stop; ) {
    const due = Math.floor(((performance.now() - startMs) * perSecond) / 1_000);
    for (; sentLogins < due; sentLogins++) {
      const atMs = performance.now();
      const login = asking.logIn(sentLogins % macs).then((outcome) => void results.push({ atMs, outcome }));
      under.add(login);
      void login.finally(() => under.delete(login));
    }
    await sleep(2);
  }
  await Promise.all(under);
  return results;
}

async function causeOne(
  cell: ServedCell,
  engines: readonly EngineProcess[],
  asking: Switch,
  fault: Fault,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<OutageRow> {
  const control = { stop: false };
  const loading = load(asking, perSecond, 600_000, control);
  let ended: number;
  try {
    await sleep(1_000);
    await fault.begin(cell, engines);
    await sleep(seconds * 1_000);
    await fault.end(cell);
    ended = performance.now();
    // Waits until the first server replies again, and a little longer.
    for (let rights = 0; rights < 20 && performance.now() - ended < recoverMsMax; )
      rights = (await asking.logIn(rights)) === 'right' ? rights + 1 : 0;
    await sleep(1_000);
  } finally {
    control.stop = true;
    await loading;
  }
  const results = await loading;
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  const lastFailed = Math.max(ended, ...results.filter(({ outcome }) => outcome !== 'right').map(({ atMs }) => atMs));
  return {
    fault: fault.name,
    right: count('right'),
    second: count('second'),
    silent: count('silent'),
    wrong: count('wrong'),
    rejected: count('rejected'),
    recoverSeconds: Math.round((lastFailed - ended) / 100) / 10,
  };
}
