import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Metrics } from '../../kernel/metrics.ts';
import type { Runtime } from '../../kernel/runtime.ts';
import type { EngineClocks } from '../../parts/snmp/engine-clocks.ts';
import { deviceEventOf, type Notification } from '../../parts/snmp/notification.ts';
import { openTrapReceiver, type TrapReceiver } from '../../parts/snmp/trap-receiver.ts';
import { systemOrigin } from '../../system/background-task/follow-jobs.ts';
import type { Told } from './fold-traps.ts';
import { storeTraps } from './store-traps.ts';
import { Strangers } from './strangers.ts';
import { TrapSources } from './trap-sources.ts';

export interface TrapServiceOptions {
  runtime: Runtime;
  metrics: Metrics;
  clocks: EngineClocks;
  host: string;
  /** 0 takes any. */
  port: number;
  onError(error: Error): void;
}

export interface TrapService {
  /** Where it listens. */
  port: number;
  /** Writes down what has arrived, then ends. */
  close(): Promise<void>;
}

const upkeepMs = 1_000;
const sweptAtOnce = 20_000;

/** What was told so long ago is repeated by nobody. */
const sweepSql = `delete from trap_seen t where t.ctid = any(array(
  select s.ctid from trap_seen s where s.at < now() - interval '2 minutes' limit ${sweptAtOnce}))`;

/** Listens for what devices tell of their own accord, and writes it down. Any number of nodes may hear the same. */
export async function startTraps(options: TrapServiceOptions): Promise<TrapService> {
  const { runtime, metrics, host, port, onError } = options;
  const sources = new TrapSources(runtime);
  const strangers = new Strangers(runtime);
  const engine = await engineOf(runtime, `${hostname()}:${port}`);
  const receiver = await openTrapReceiver({
    address: host,
    port,
    engine,
    clocks: options.clocks,
    admits: (source, community) => sources.admits(source, community),
    userOf: (engineId, userName, source) => sources.userOf(engineId, userName, source, engineId.equals(engine.id)),
    handle: (batch) => handle(runtime, sources, batch),
    onFailure: (error) => onError(new Error('writing down what devices told', { cause: error })),
    onRefused: (source, why) => strangers.note(source, why),
  }).catch((cause) => {
    throw new Error(`listening for traps at ${host} port ${port}`, { cause });
  });
  observeTraps(metrics, receiver);
  const upkeep = everySecond(async () => {
    await strangers.tell();
    await runtime.pool.query(sweepSql);
  }, onError);
  return {
    port: receiver.port,
    async close() {
      await receiver.close();
      await upkeep.end();
    },
  };
}

async function handle(runtime: Runtime, sources: TrapSources, batch: readonly Notification[]): Promise<void> {
  const senders = new Map<number, { name: string }>();
  const told: Told[] = [];
  for (const notification of batch) {
    // One that was deleted a moment ago has nothing to tell any more.
    const sender = await sources.senderOf(notification);
    if (!sender) continue;
    senders.set(sender.id, sender);
    const event = deviceEventOf(notification, sender.driver === 'cisco-ios');
    if (event) told.push({ deviceID: sender.id, ticks: notification.uptimeTicks, event });
  }
  await runtime.transact(systemOrigin('traps'), (tx) => storeTraps(tx, senders, told));
}

/** RFC 3411 section 5: the number that IANA keeps for examples, then octets of our own. */
const newEngineId = () => Buffer.concat([Buffer.from('80007ed905', 'hex'), randomBytes(8)]);

/** The engine of a node stays the same for ever, and counts its starts. */
async function engineOf(runtime: Runtime, node: string): Promise<{ id: Buffer; boots: number }> {
  const { rows } = await runtime.pool.query<{ id: Buffer; boots: number }>(
    `insert into trap_engine as e (node, engine_id) values ($1, $2)
     on conflict (node) do update set boots = e.boots + 1 returning e.engine_id as id, e.boots`,
    [node, newEngineId()],
  );
  return rows[0]!;
}

function observeTraps(metrics: Metrics, receiver: TrapReceiver): void {
  metrics.gauge(
    'portreeve_traps_total',
    'Traps and informs, by what became of them.',
    () => {
      const { waiting: _, receiveBufferBytes: __, ...outcomes } = receiver.stats();
      return Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value }));
    },
    'counter',
  );
  metrics.gauge('portreeve_traps_waiting', 'Traps and informs that wait to be written down.', () => [
    { labels: {}, value: receiver.stats().waiting },
  ]);
}

/** Does something again and again, one at a time, and once more at the end. */
function everySecond(work: () => Promise<void>, onError: (error: Error) => void): { end(): Promise<void> } {
  let working: Promise<void> | undefined;
  const run = async () => {
    working ??= work()
      .catch(onError)
      .finally(() => {
        working = undefined;
      });
    await working;
  };
  const timer = setInterval(() => void run(), upkeepMs);
  return {
    async end() {
      clearInterval(timer);
      await working;
      await run();
    },
  };
}
