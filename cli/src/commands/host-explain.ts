import { operations } from '@portreeve/sdk/generated/operations.ts';
import { type Client, PortreeveError } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from '../args.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection } from '../connection.ts';
import { drawDecision, type ExplainedDecision } from '../explained-decision.ts';
import { line } from '../output.ts';
import { drawReply, lastReplies } from '../radius-reply.ts';
import { escapedJson, escapeUnsafe, filterText } from '../text.ts';
import { UsageError } from '../usage-error.ts';

export const hostExplain: Command = {
  name: 'host explain',
  positionals: ['HOST'],
  doc: 'Explain which access a host gets and why; HOST is a MAC address, a name or an id',
  about: [
    'Without further options for where the host is connected now. The other options ask "what if":',
    'at another time, on another port or SSID, with another user or RADIUS attribute, or with the',
    'port under enforcement. Marks: ✓ decides, ✗ does not match, + would match but is not reached,',
    '· not reached, - disabled, ~ skipped because its enforcement is off here.',
  ],
  options: {
    at: { value: 'TIME', doc: 'Decide for this instant, such as 2026-01-31T08:15:00Z' },
    port: { value: 'PORT', doc: 'As if on this port: its id, or DEVICE:PORT by their names' },
    ssid: { value: 'SSID', doc: 'As if on this wireless network' },
    user: { value: 'USER', doc: 'As if this user were logged on' },
    radius: { value: 'NAME=VALUE', many: true, doc: 'A RADIUS attribute, such as NAS-Port-Type=Ethernet' },
    enforced: { doc: 'As if the port or SSID were in all enforcement groups' },
    json: { doc: 'Print JSON, for scripts' },
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env));
    const query = await queryFrom(client, args);
    const id = await findHost(client, args.positionals[0]!);
    const { results } = await client.call<ExplainedDecision>(operations['host.policy'], { path: { id }, query });
    if (args.has('json')) return line(screen.out, escapedJson(results, 2));
    for (const [index, decision] of results.entries()) {
      if (index > 0) await line(screen.out);
      for (const drawn of drawDecision(decision, screen.out)) await line(screen.out, drawn);
      if (Object.keys(query).length === 0 && decision.mac !== '')
        for (const answer of await lastVisibleReplies(client, decision.mac))
          await line(screen.out, `Last answered by RADIUS: ${drawReply(answer, screen.out)}`);
    }
  },
};

/** What was answered last; nothing to who may not view that. */
const lastVisibleReplies = (client: Client, mac: string) =>
  lastReplies(client, [`callingStationId==${filterText(mac)}`], 1).catch((error: unknown) => {
    if (error instanceof PortreeveError && error.httpCode === 403) return [];
    throw error;
  });

async function queryFrom(client: Client, args: Arguments): Promise<Record<string, string | number | boolean>> {
  const port = args.text('port');
  const conditions = { at: args.text('at'), ssid: args.text('ssid'), userID: args.text('user') };
  const radius = args.texts('radius').map((text) => {
    const [, name, value] = /^([A-Za-z0-9-]{1,64})=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`--radius takes NAME=VALUE, such as NAS-Port-Type=Ethernet, not ${JSON.stringify(text)}.`);
    return [`radius.${name}`, value] as const;
  });
  return {
    ...Object.fromEntries(
      Object.entries(conditions).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    ...Object.fromEntries(radius),
    ...(port !== undefined && { portID: await findPort(client, port) }),
    ...(args.has('enforced') && { enforced: true }),
  };
}

async function findPort(client: Client, text: string): Promise<number> {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, device, port] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (device === undefined || port === undefined)
    throw new UsageError('--port takes the id of a port, or DEVICE:PORT by their names, such as sw-3:Gi1/0/7.');
  const filter = [`deviceName==${filterText(device)};(ifname==${filterText(port)},name==${filterText(port)})`];
  return onlyOne(await idsMatching(client, 'port.list', filter, ({ dbid }) => dbid), `port ${text}`);
}

/** A host by its MAC address, its id or its name. */
async function findHost(client: Client, text: string): Promise<number> {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const isMac = /^[\da-f]{2}([:-]?[\da-f]{2}){5}$|^[\da-f]{4}(\.[\da-f]{4}){2}$/i.test(text);
  const ids = isMac
    ? await idsMatching(client, 'adapter.list', [`physicalAddress==${filterText(text)}`], ({ hostID }) => hostID)
    : await idsMatching(client, 'host.list', [`hostName==${filterText(text)}`], ({ id }) => id);
  return onlyOne(ids, `host ${text}`);
}

interface Found {
  id: number;
  dbid: number;
  hostID: number;
}

async function idsMatching(
  client: Client,
  operation: 'adapter.list' | 'host.list' | 'port.list',
  filter: readonly string[],
  idOf: (record: Found) => number,
): Promise<number[]> {
  const { results } = await client.call<Found>(operations[operation], { query: { filter, count: 5 } });
  return results.map(idOf);
}

function onlyOne(ids: readonly number[], what: string): number {
  const [id, ...otherIds] = new Set(ids);
  if (id === undefined) throw new UsageError(`There is no ${escapeUnsafe(what)}.`);
  if (otherIds.length > 0)
    throw new UsageError(
      `There are several: ${escapeUnsafe(what)} has the ids ${[id, ...otherIds].join(', ')}; use one.`,
    );
  return id;
}
