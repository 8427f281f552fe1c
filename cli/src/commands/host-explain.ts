import { operations } from '@portreeve/sdk/generated/operations.ts';
import { type Client, PortreeveError } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from '../args.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection } from '../connection.ts';
import { drawDecision, type ExplainedDecision } from '../explained-decision.ts';
import { findPort, idsMatching, onlyOne } from '../found-ids.ts';
import { line } from '../output.ts';
import { drawReply, lastReplies } from '../radius-reply.ts';
import { escapedJson, filterText } from '../text.ts';
import { UsageError } from '../usage-error.ts';

export const hostExplain: Command = {
  name: 'host explain',
  positionals: ['HOST'],
  doc: 'Explain which access a host gets and why; HOST is a MAC address, name or ID',
  about: [
    'Without options, the decision for the current connection of the host. Options change the conditions ("what if"): another time, port, SSID, user or RADIUS attribute, or enforcement on the port.',
    'Marks: ✓ applies, ✗ does not match, + would match but is not evaluated, · not evaluated, - disabled, ~ skipped because it is not enforced here.',
  ],
  options: {
    at: { value: 'TIME', doc: 'Evaluate for this time, such as 2026-01-31T08:15:00Z' },
    port: { value: 'PORT', doc: 'Evaluate for this port: ID, or DEVICE:PORT by name' },
    ssid: { value: 'SSID', doc: 'Evaluate for this SSID' },
    user: { value: 'USER', doc: 'Evaluate for this logged-on user' },
    radius: {
      value: 'NAME=VALUE',
      many: true,
      doc: 'Evaluate with this RADIUS attribute, such as NAS-Port-Type=Ethernet',
    },
    enforced: { doc: 'Evaluate as if the port or SSID were in all enforcement groups' },
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
          await line(screen.out, `Last RADIUS reply: ${drawReply(answer, screen.out)}`);
    }
  },
};

/** Returns the last reply, or nothing if the caller may not view the RADIUS log. */
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

/** Finds a host by MAC address, ID or name. */
async function findHost(client: Client, text: string): Promise<number> {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const isMac = /^[\da-f]{2}([:-]?[\da-f]{2}){5}$|^[\da-f]{4}(\.[\da-f]{4}){2}$/i.test(text);
  const ids = isMac
    ? await idsMatching(client, 'adapter.list', [`physicalAddress==${filterText(text)}`], ({ hostID }) => hostID)
    : await idsMatching(client, 'host.list', [`hostName==${filterText(text)}`], ({ id }) => id);
  return onlyOne(ids, `host ${text}`);
}
