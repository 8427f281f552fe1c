import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import type { Arguments, Options } from './args.ts';
import type { Pen } from './output.ts';
import { escapeUnsafe, filterText } from './text.ts';

/** A RADIUS reply, as the log stores it. */
export interface RadiusReply {
  id: number;
  date: string;
  callingStationId: string | null;
  username: string | null;
  nas: string;
  nasPort: string | null;
  ssid: string | null;
  outerEapType: string | null;
  eapType: string | null;
  reply: string;
  cause: string;
  message: string;
  durationMs: number;
}

/** Loads the last replies, newest last. */
export async function lastReplies(client: Client, filter: readonly string[], count: number): Promise<RadiusReply[]> {
  const query = { ...(filter.length > 0 && { filter }), sortKey: 'id', sortDir: 'desc', count };
  const { results } = await client.call<RadiusReply>(operations['radius-response.list'], { query });
  return results.toReversed();
}

/** Formats a reply in one line. */
export function drawReply(answer: RadiusReply, pen: Pick<Pen, 'style'>): string {
  const { date, reply, cause, callingStationId, username, nas, nasPort, ssid, outerEapType, eapType } = answer;
  const isAccepted = reply === 'ACCEPT';
  const words = [
    callingStationId ?? 'no MAC',
    // With MAB, the user name is the MAC address.
    ...(eapType === 'MAB' || !username ? [] : [username]),
    `${nas} ${ssid ?? nasPort ?? ''}`.trim(),
    [...new Set([outerEapType, eapType])].filter(Boolean).join('/'),
    `${answer.durationMs} ms`,
    answer.message,
  ];
  const verdict = pen.style(isAccepted ? 'green' : 'red', isAccepted ? reply : `${reply} ${cause}`);
  return [date, verdict, ...words.map(escapeUnsafe)].join('  ');
}

/** Options that select replies. */
export const replyOptions: Options = {
  failed: { doc: 'Only replies that are not Access-Accept' },
  mac: { value: 'MAC', doc: 'Only replies for this MAC address' },
  device: { value: 'NAME', doc: 'Only replies to this access device' },
};

export function replyFilter(args: Arguments): string[] {
  const [mac, device] = [args.text('mac'), args.text('device')];
  return [
    ...(args.has('failed') ? ['reply!=ACCEPT'] : []),
    ...(mac === undefined ? [] : [`callingStationId==${filterText(mac)}`]),
    ...(device === undefined ? [] : [`nas==${filterText(device)}`]),
  ];
}
