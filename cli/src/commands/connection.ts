import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from '../args.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection } from '../connection.ts';
import { shippedDocument } from '../document.ts';
import { formatOptions } from '../formats.ts';
import { findPort } from '../found-ids.ts';
import type { Screen } from '../output.ts';
import { printerFor } from '../printer.ts';
import type { JsonObject } from '../set.ts';
import { Table } from '../table.ts';
import { filterText } from '../text.ts';
import { NoMatch } from './find.ts';

const options = {
  at: { value: 'TIME', doc: 'At this time: 2026-01-31T08:15:00Z, or -2h. Default: now' },
  raw: { doc: 'Show values as the service sends them' },
  ...formatOptions,
  url: { value: 'URL', doc: 'URL of the service' },
  token: { value: 'TOKEN', doc: 'API token' },
};

/** More adapters at one port, as behind an access point. */
const shownMax = 1_000;

export const connectionWhere: Command = {
  name: 'connection where',
  positionals: ['MAC'],
  doc: 'Show where an adapter is connected now, or was at a time',
  about: [
    'Without --at, the open connection of the MAC address, or the last one that ended.',
    'Exit code 1: there is none.',
  ],
  options,
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env));
    const mac = args.positionals[0]!;
    const at = args.text('at');
    const query = { filter: [`mac==${filterText(mac)}`, ...openAt(at)], sortKey: 'id', sortDir: 'desc', count: 1 };
    await printConnections({ client, args, screen, query }, `${mac} had no connection${at ? ` at ${at}` : ''}.`);
  },
};

export const connectionOn: Command = {
  name: 'connection on',
  positionals: ['PORT'],
  doc: 'List the adapters that are connected to a port now, or were at a time',
  about: ['PORT is an ID, or DEVICE:PORT by name, such as sw-3:Gi1/0/7.', 'Exit code 1: there are none.'],
  options,
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env));
    const port = args.positionals[0]!;
    const at = args.text('at');
    const conditions = at === undefined ? ['active==true'] : openAt(at);
    const filter = [`portID==${await findPort(client, port)}`, ...conditions];
    const query = { filter, sortKey: 'id', sortDir: 'desc', count: shownMax };
    await printConnections({ client, args, screen, query }, `No connection on ${port}${at ? ` at ${at}` : ''}.`);
  },
};

/** Filters connections that were open at a time. */
const openAt = (at: string | undefined): string[] =>
  at === undefined ? [] : [`startTime=le=${filterText(at)}`, `(endTime=gt=${filterText(at)},active==true)`];

interface Request {
  client: Client;
  args: Arguments;
  screen: Screen;
  query: Record<string, string | number | string[]>;
}

async function printConnections({ client, args, screen, query }: Request, otherwise: string): Promise<void> {
  const operation = operations['connection-log.list'];
  const document = shippedDocument();
  const schema = document.result(operation);
  const printer = printerFor({ screen, args, document, schema }, 'list');
  const { results } = await client.call<JsonObject>(operation, { query });
  if (printer) await printer.print(results);
  if (results.length === 0) throw new NoMatch(otherwise);
  if (printer) return;
  await new Table(screen.out, schema, document, { isRaw: args.has('raw') }).print(results);
}
