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
/** Replies of several nodes are stored slightly out of order, so each poll goes back this far. */
const overlapMs = 5_000;
const rememberedMax = 10_000;
/** Start time if there is no reply yet. */
const begin = '2000-01-01T00:00:00.000Z';

export const radiusTail: Command = {
  name: 'radius tail',
  positionals: [],
  doc: 'Follow the replies of the RADIUS service',
  about: ['Prints the last replies and follows new ones until Ctrl-C. With --lines, prints only the last N.'],
  options: {
    ...replyOptions,
    lines: { value: 'N', doc: `Print the last N replies (at most ${linesMax}) and exit` },
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
