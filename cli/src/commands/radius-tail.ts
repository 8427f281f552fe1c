import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@portreeve/sdk/runtime.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection } from '../connection.ts';
import { line, type Screen } from '../output.ts';
import { drawReply, lastReplies, type RadiusReply, replyFilter, replyOptions } from '../radius-reply.ts';
import { UsageError } from '../usage-error.ts';

const linesDefault = 10;
const linesMax = 1_000;
const everyMs = 1_000;
/** Answers of several nodes are stored a little out of order: so far back is looked again. */
const overlapMs = 5_000;
const rememberedMax = 10_000;
/** Where there was no answer yet, every one is new. */
const begin = '2000-01-01T00:00:00.000Z';

export const radiusTail: Command = {
  name: 'radius tail',
  positionals: [],
  doc: 'Follow the answers of the RADIUS service as they are given',
  about: ['Shows the last answers first, then goes on until Ctrl-C. With --lines it shows so many and ends.'],
  options: {
    ...replyOptions,
    lines: { value: 'N', doc: `Show the last N (at most ${linesMax}) and end` },
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env));
    const lines = args.number('lines');
    if (lines !== undefined && (lines < 1 || lines > linesMax))
      throw new UsageError(`--lines takes a number from 1 to ${linesMax}.`);
    const filter = replyFilter(args);
    const last = await lastReplies(client, filter, lines ?? linesDefault);
    for (const answer of last) await line(screen.out, drawReply(answer, screen.out));
    if (lines === undefined) await follow(client, filter, last, screen);
  },
};

async function follow(client: Client, filter: readonly string[], last: readonly RadiusReply[], screen: Screen) {
  const shown = new Set(last.map(({ id }) => id));
  let newest = last.at(-1)?.date ?? begin;
  for (;;) {
    await sleep(everyMs);
    const startTime = new Date(Date.parse(newest) - overlapMs).toISOString();
    for (const answer of await lastReplies(client, [...filter, `date=ge=${startTime}`], linesMax)) {
      if (shown.has(answer.id)) continue;
      shown.add(answer.id);
      if (answer.date > newest) newest = answer.date;
      await line(screen.out, drawReply(answer, screen.out));
    }
    for (const id of shown) {
      if (shown.size <= rememberedMax) break;
      shown.delete(id);
    }
  }
}
