import { setTimeout as sleep } from 'node:timers/promises';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import type { WriteTx } from '../../src/kernel/write/runtime.ts';
import { adminNote } from '../../src/logging/event/event.events.ts';
import type { Client } from '../world/client.ts';
import type { World } from '../world/world.ts';

export interface EventStormReport {
  emitted: number;
  seconds: number;
  /** The longest time between writing an event and its commit. */
  latestMs: number;
  monitors: { reported: number; polls: number; missing: number; twice: number }[];
}

const path = '/logging/event/monitor';
const pauseMs = 100;
const lateMs = 3_000;
const eventsEach = 5;

/**
 * Emits events by several writers, one of which commits seconds after it wrote, and checks that monitors report every
 * event once.
 */
export async function eventStorm(
  world: World,
  options: { writers: number; monitors: number; perSecond: number; seconds: number },
): Promise<EventStormReport> {
  const { runtime } = world.service;
  const { writers, perSecond, seconds } = options;
  const until = performance.now() + seconds * 1_000;
  const emitted: string[] = [];
  let isOver = false;
  const transact = <T>(work: (tx: WriteTx) => Promise<T>) => runtime.transact(systemOrigin('storm'), work);
  const emitAll = async (tx: WriteTx, messages: readonly string[]): Promise<void> => {
    for (const message of messages) await tx.emit({ type: adminNote, element: { id: 0, name: 'storm' }, message });
  };

  /** Writes a few events in each transaction, at its share of the rate. */
  const writer = async (name: number): Promise<void> => {
    const everyMs = (1_000 * writers * eventsEach) / perSecond;
    const begin = performance.now();
    for (let n = 0; performance.now() < until; n++) {
      const messages = Array.from({ length: eventsEach }, (_, index) => `${name}-${n}-${index}`);
      await transact((tx) => emitAll(tx, messages));
      emitted.push(...messages);
      await sleep(Math.max(0, begin + (n + 1) * everyMs - performance.now()));
    }
  };

  /**
   * Writes its share of three seconds in one transaction and commits it at their end, so lower ids become visible after
   * higher ones.
   */
  const lateWriter = async (name: number): Promise<void> => {
    const share = Math.ceil((perSecond / writers) * (lateMs / 1_000));
    for (let n = 0; performance.now() < until; n++) {
      const messages = Array.from({ length: share }, (_, index) => `${name}-${n}-${index}`);
      const writtenMs = performance.now();
      await transact(async (tx) => {
        await emitAll(tx, messages);
        await sleep(Math.max(0, writtenMs + lateMs - performance.now()));
      });
      emitted.push(...messages);
    }
  };

  const follow = Array.from({ length: options.monitors }, () => startFollowing(world.admin));
  const following = (await Promise.all(follow)).map((monitor) => monitor.until(() => isOver));
  const punctual = Array.from({ length: writers - 1 }, (_, name) => writer(name));
  await Promise.all([...punctual, lateWriter(writers)]);
  isOver = true;
  const reported = await Promise.all(following);
  return {
    emitted: emitted.length,
    seconds,
    latestMs: lateMs,
    monitors: reported.map(({ messages, polls }) => {
      const distinct = new Set(messages);
      return {
        reported: messages.length,
        polls,
        missing: emitted.filter((message) => !distinct.has(message)).length,
        twice: messages.length - distinct.size,
      };
    }),
  };
}

/** A client that acknowledges the received events with its next poll. */
async function startFollowing(client: Client) {
  const started = await client.post(`${path}/start`, { filter: [`name==${adminNote.name}`] });
  const [{ id, position }] = started.body.results as [{ id: number; position: string }];
  return {
    async until(isOver: () => boolean): Promise<{ messages: string[]; polls: number }> {
      const messages: string[] = [];
      let [last, polls] = [position, 0];
      for (;;) {
        // Checked before the poll, so the poll reports everything that was committed until then.
        const isLast = isOver();
        const { body } = await client.get(`${path}/${id}?position=${last}`);
        const entries = body.results as { position: string; record: { message: string } }[];
        messages.push(...entries.map(({ record }) => record.message));
        last = entries.at(-1)?.position ?? last;
        polls += 1;
        if (isLast && entries.length === 0) return { messages, polls };
        if (entries.length === 0) await sleep(pauseMs);
      }
    },
  };
}
