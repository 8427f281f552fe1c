import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection } from '../connection.ts';
import { shippedDocument } from '../document.ts';
import { formatOptions } from '../formats.ts';
import { line } from '../output.ts';
import { printerFor } from '../printer.ts';
import type { JsonObject } from '../set.ts';
import { Table } from '../table.ts';

/** Like grep: a search without a match has exit code 1. */
export class NoMatch extends Error {
  override readonly name = 'NoMatch';
  readonly word = 'error';
}

export const find: Command = {
  name: 'find',
  positionals: ['TEXT…'],
  doc: 'Search hosts, adapters, devices, ports and users; newest first',
  about: [
    'TEXT is a MAC address in any notation or its last four digits, an IP address or network, a name or a part of one, a user, a serial number, or a port such as sw-1 Gi1/0/7. At most eight results per kind.',
    'Exit code 1: no record matches.',
  ],
  options: {
    raw: { doc: 'Show values as the service sends them' },
    ...formatOptions,
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env));
    const operation = operations['search.find'];
    const document = shippedDocument();
    const schema = document.result(operation);
    const printer = printerFor({ screen, args, document, schema }, 'list');
    const q = args.positionals.join(' ');
    const { results } = await client.call<JsonObject>(operation, { query: { q } });
    if (printer) await printer.print(results);
    if (results.length === 0) throw new NoMatch(`No record matches ${JSON.stringify(q)}.`);
    if (printer) return;
    const hits = results.filter(({ id }) => id !== null);
    await new Table(screen.out, schema, document, { isRaw: args.has('raw') }).print(hits);
    for (const { group } of results.filter(({ id }) => id === null))
      await line(screen.err, screen.err.style('yellow', `${group}: the search timed out. Try again.`));
  },
};
