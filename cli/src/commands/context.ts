import type { Command } from '../command.ts';
import { readContexts, useContext } from '../contexts.ts';
import { shippedDocument } from '../document.ts';
import { line } from '../output.ts';
import { Table } from '../table.ts';
import { escapedJson, escapeUnsafe } from '../text.ts';

export const contextList: Command = {
  name: 'context list',
  positionals: [],
  doc: 'List the services stored by portreeve login; * marks the current one',
  options: { json: { doc: 'Print JSON, for scripts' } },
  async run(args, screen) {
    const { current, contexts } = await readContexts(screen.env);
    const used = screen.env.PORTREEVE_CONTEXT || current;
    const rows = Object.entries(contexts).map(([name, { url }]) => ({ used: name === used ? '*' : '', name, url }));
    if (args.has('json')) return line(screen.out, escapedJson(rows, 2));
    const columns = ['used', 'name', 'url'];
    await new Table(screen.out, undefined, shippedDocument(), { columns }).print(rows);
    if (rows.length === 0) await line(screen.err, 'No services are stored. Run portreeve login --url URL.');
  },
};

export const contextUse: Command = {
  name: 'context use',
  positionals: ['NAME'],
  doc: 'Select the current service; PORTREEVE_CONTEXT selects one for a shell',
  options: {},
  async run(args, screen) {
    const name = args.positionals[0]!;
    const { url } = await useContext(name, screen.env);
    await line(screen.out, `Using ${escapeUnsafe(name)}: ${escapeUnsafe(url)}.`);
  },
};
