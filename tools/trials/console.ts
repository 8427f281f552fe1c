import { ensureConsole } from '../../console/build/build-console.ts';
import { type Call, explainedHosts } from '../../console/e2e/figures/explained-hosts.ts';
import { type Figure, isMet, lineOf } from '../../console/e2e/figures/figure.ts';
import { openPage } from '../../console/e2e/figures/open-page.ts';
import { pageFigures, type Watched } from '../../console/e2e/figures/page-figures.ts';
import { manyStreams, watchedRows } from '../bench/console-feed.ts';
import { filledDatabase } from '../bench/fill.ts';
import { startNode } from '../bench/node.ts';
import { onDatabaseUrl } from '../bench/on-database-url.ts';
import { rareTextOf } from '../bench/subjects/subject.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';

const slowdowns = [1, 4];

export const trial = defineTrial({
  doc: 'The console in a real browser before many hosts: how soon rows, keys, jumps, filters and searches show, and what it costs to follow changes.',
  options: {
    hosts: number(1_000_000, 'how many there are'),
    explained: number(200, 'hosts whose explanation is compared'),
    minutes: number(30, 'how long the heap is watched'),
  },
  async run({ hosts, explained, minutes }) {
    await ensureConsole();
    const database = await filledDatabase('hosts', hosts, { say: (line) => console.log(line) });
    const node = await startNode(database, { administrator: true });
    const url = `http://127.0.0.1:${node.port}`;
    let close = async () => {};
    try {
      const opened = await openPage(url, `bench-caller ${node.port}`, 'correct-horse-battery');
      close = opened.close;
      const { page, cdp } = opened;
      const nameOf = (host: number) => `pc-${rareTextOf(host)}`;
      let areMet = true;
      const say = (figures: readonly Figure[]) => {
        for (const figure of figures) console.log(lineOf(figure));
        areMet = areMet && figures.every(isMet);
      };
      for (const slowdown of slowdowns) {
        await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
        say(await pageFigures({ page, cdp, url, hosts, nameOf, slowdown }));
      }
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      const watched: Watched = { page, cdp, url, hosts, nameOf, slowdown: 1 };
      say([await explainedHosts(watched, callerOf(url, node.token), explained)]);
      await onDatabaseUrl(database.ownerUrl, async (client) => {
        say(await manyStreams(watched, node, client));
        say(await watchedRows(watched, client, minutes));
      });
      if (!areMet) process.exitCode = 1;
    } finally {
      await close();
      await node.close();
      await database.drop();
    }
  },
});

/** Calls the node with a token. */
function callerOf(url: string, token: string): Call {
  const ask = async <Result>(path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(`${url}${path}`, { ...init, headers });
    const { results, errorMessage } = (await reply.json()) as { results: Result[]; errorMessage: string | null };
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${errorMessage}`);
    return { results, location: reply.headers.get('location') ?? '' };
  };
  return {
    get: async <Result>(path: string) => (await ask<Result>(path)).results,
    create: async (path, body) => {
      const { location } = await ask(path, { method: 'POST', body: JSON.stringify(body) });
      return Number(location.split('/').at(-1));
    },
  };
}
