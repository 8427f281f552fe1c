import type { RadiusResponseTotals } from '@portreeve/sdk/generated/api.ts';
import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection } from '../connection.ts';
import { line } from '../output.ts';
import { replyFilter, replyOptions } from '../radius-reply.ts';
import { escapedJson, escapeUnsafe, fill, filterText, grouped } from '../text.ts';

const sinceDefault = '24h';

const headings: readonly (readonly [field: keyof RadiusResponseTotals, heading: string])[] = [
  ['cause', 'Cause'],
  ['message', 'Message'],
  ['nas', 'Access device'],
  ['username', 'User name'],
  ['callingStationId', 'MAC address'],
];

export const radiusTop: Command = {
  name: 'radius top',
  positionals: [],
  doc: 'Show the most frequent causes, messages, devices and users in the RADIUS log',
  options: {
    ...replyOptions,
    since: { value: 'TIME', doc: `Start of the period: 2h, 3d or a date and time (default: ${sinceDefault})` },
    json: { doc: 'Print JSON, for scripts' },
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env));
    const since = args.text('since') ?? sinceDefault;
    const startTime = /^\d+[smhdw]$/.test(since) ? `-${since}` : since;
    const query = { filter: [...replyFilter(args), `date=ge=${filterText(startTime)}`], totals: true };
    const { results } = await client.call<RadiusResponseTotals>(operations['radius-response.list'], { query });
    const totals = results[0]!;
    if (args.has('json')) return line(screen.out, escapedJson(totals, 2));
    const shown = headings.filter(([field]) => totals[field].length > 0);
    if (shown.length === 0) return line(screen.err, screen.err.style('dim', `No replies since ${since}.`));
    for (const [index, [field, heading]] of shown.entries()) {
      if (index > 0) await line(screen.out);
      await line(screen.out, screen.out.style('underline', heading));
      const counts = totals[field].map(({ count }) => grouped(count));
      const width = Math.max(...counts.map((count) => count.length));
      for (const [row, { name }] of totals[field].entries())
        await line(screen.out, `${fill(counts[row]!, width, 'right')}  ${escapeUnsafe(name) || '(empty)'}`);
    }
  },
};
