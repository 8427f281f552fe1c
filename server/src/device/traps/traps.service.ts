import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Metrics, Runtime } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { type EngineClocks, replaySeconds } from '../../protocols/snmp/engine-clocks.ts';
import { deviceEventOf, type Notification } from '../../protocols/snmp/notification.ts';
import { openTrapReceiver, type TrapReceiver } from '../../protocols/snmp/trap-receiver.ts';
import type { DeviceTrap } from './reduce-traps.ts';
import { storeTraps } from './store-traps.ts';
import { StoredClocks } from './stored-clocks.ts';
import { TrapSources } from './trap-sources.ts';
import { UnknownSenders } from './unknown-senders.ts';

export interface TrapServiceOptions {
  runtime: Runtime;
  metrics: Metrics;
  clocks: EngineClocks;
  host: string;
  /** 0: any free port. */
  port: number;
  onError(error: Error): void;
}

export interface TrapService {
  /** The port it listens on. */
  port: number;
  /** Stores received traps, then closes. */
  close(): Promise<void>;
}

const upkeepMs = 1_000;
const sweptAtOnce = 20_000;

/** A later copy is outside the time window of its engine. */
const sweepSql = `delete from trap_seen t where t.ctid = any(array(
  select s.ctid from trap_seen s where s.at < now() - interval '${replaySeconds} seconds' limit ${sweptAtOnce}))`;

/** Receives traps and informs of devices and stores them. Several nodes may receive the same ones. */
export async function startTraps(options: TrapServiceOptions): Promise<TrapService> {
  const { runtime, metrics, host, port, onError } = options;
  const sources = new TrapSources(runtime);
  const unknownSenders = new UnknownSenders(runtime);
  const stored = new StoredClocks(runtime.pool, options.clocks);
  await stored.load();
  const engine = await engineOf(runtime, `${hostname()}:${port}`);
  const receiver = await openTrapReceiver({
    address: host,
    port,
    engine,
    clocks: options.clocks,
    admits: (source, community) => sources.admits(source, community),
    userOf: (engineId, userName, source) => sources.userOf(engineId, userName, source, engineId.equals(engine.id)),
    async handle(batch) {
      // The clock of a restarted engine is stored first: otherwise another node, or this one after a crash, would
      // accept traps from before the restart.
      if (options.clocks.hasStarted) await stored.save();
      await handle(runtime, sources, batch);
    },
    onFailure: (error) => onError(new Error('storing traps', { cause: error })),
    onRefused: (source, why) => unknownSenders.note(source, why),
  }).catch((cause) => {
    throw new Error(`listening for traps at ${host} port ${port}`, { cause });
  });
  observeTraps(metrics, receiver);
  const upkeep = everySecond(async () => {
    await unknownSenders.emitEvents();
    await runtime.pool.query(sweepSql);
    await stored.follow();
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
  const reported: DeviceTrap[] = [];
  for (const notification of batch) {
    // Traps of a device that was just deleted are dropped.
    const sender = await sources.senderOf(notification);
    if (!sender) continue;
    senders.set(sender.id, sender);
    const event = deviceEventOf(notification, sender.driver === 'cisco-ios');
    if (event) reported.push({ deviceID: sender.id, ticks: notification.uptimeTicks, event });
  }
  // An inform that was stored before is acknowledged too.
  await runtime.transactAcknowledged(systemOrigin('traps'), (tx) => storeTraps(tx, senders, reported));
}

/** RFC 3411 section 5: the enterprise number that IANA reserves for examples, then random octets. */
const newEngineId = () => Buffer.concat([Buffer.from('80007ed905', 'hex'), randomBytes(8)]);

/** Returns the engine of a node: its id never changes, and its starts are counted. */
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
    'Traps and informs, by outcome.',
    () => {
      const { waiting: _, receiveBufferBytes: __, ...outcomes } = receiver.stats();
      return Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value }));
    },
    'counter',
  );
  metrics.gauge('portreeve_traps_waiting', 'Traps and informs waiting to be stored.', () => [
    { labels: {}, value: receiver.stats().waiting },
  ]);
}

/** Repeats work every second, never twice at once, and runs it once more at the end. */
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
