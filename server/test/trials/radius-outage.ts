import { setTimeout as sleep } from 'node:timers/promises';
import { signalAll } from '@portreeve/testbed/standby.ts';
import type { EngineProcess } from '../../src/protocols/radius-engine/engine-process.ts';
import { radiusGlobal } from '../../src/radius/radius-global/radius-global.ts';
import type { ServedCell } from '../world/cell.ts';
import { until } from '../world/patience.ts';
import { postmasterOf } from './fault-cells.ts';
import { macs, type Outcome, openRadiusCell, Switch } from './radius-cell.ts';

const recoverMsMax = 30_000;

/** What became of the logins around one fault. */
export interface OutageRow {
  fault: string;
  /** Answered by the server that was asked first. */
  right: number;
  /** Answered by the other one, a second later. */
  second: number;
  silent: number;
  wrong: number;
  rejected: number;
  /** From the end of the fault until logins were answered again for good. */
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
      if (code !== 200) throw new Error(`the settings answered ${code}`);
    },
    end: nothing,
  },
];

/** Faults under logins: for each, what the access device saw. A reject or a wrong VLAN is a fault of ours. */
export async function causeOutages(options: {
  perSecond: number;
  seconds: number;
  /** One fault alone, by its name. */
  only?: string | undefined;
  report?(row: OutageRow): void;
}): Promise<{ rows: OutageRow[]; faults: string[] }> {
  const { only } = options;
  const { cell, engines, authPort, close } = await openRadiusCell(2);
  const found: string[] = [];
  const rows: OutageRow[] = [];
  const asking = new Switch(authPort);
  try {
    await asking.open();
    await until('the first answers', async () => (await asking.logIn(1)) === 'right');
    // So that every host is known before the first fault.
    await load(asking, options.perSecond / 5, 5 * (macs / options.perSecond) * 1_000, { stop: false });
    for (const fault of outages.filter(({ name }) => only === undefined || only === name)) {
      const row = await causeOne(cell, engines, asking, fault, options);
      rows.push(row);
      options.report?.(row);
      if (row.wrong + row.rejected > 0) found.push(`${fault.name}: ${row.wrong} wrong, ${row.rejected} rejected`);
      if (row.recoverSeconds * 1_000 > recoverMsMax) found.push(`${fault.name}: ${row.recoverSeconds} s to recover`);
    }
  } finally {
    asking.close();
    await close();
  }
  return { rows, faults: found };
}

interface Seen {
  atMs: number;
  outcome: Outcome;
}

/** Logins at a steady rate until the time is over, or somebody says stop. */
async function load(asking: Switch, perSecond: number, ms: number, until: { stop: boolean }): Promise<Seen[]> {
  const seen: Seen[] = [];
  const under = new Set<Promise<void>>();
  const begun = performance.now();
  for (let sent = 0; performance.now() - begun < ms && !until.stop; ) {
    const due = Math.floor(((performance.now() - begun) * perSecond) / 1_000);
    for (; sent < due; sent++) {
      const atMs = performance.now();
      const login = asking.logIn(sent % macs).then((outcome) => void seen.push({ atMs, outcome }));
      under.add(login);
      void login.finally(() => under.delete(login));
    }
    await sleep(2);
  }
  await Promise.all(under);
  return seen;
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
    // Until the first server answers again, and a little longer.
    for (let rights = 0; rights < 20 && performance.now() - ended < recoverMsMax; )
      rights = (await asking.logIn(rights)) === 'right' ? rights + 1 : 0;
    await sleep(1_000);
  } finally {
    control.stop = true;
    await loading;
  }
  const seen = await loading;
  const count = (outcome: Outcome) => seen.filter((each) => each.outcome === outcome).length;
  const lastFailed = Math.max(ended, ...seen.filter(({ outcome }) => outcome !== 'right').map(({ atMs }) => atMs));
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
