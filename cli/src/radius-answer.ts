import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import type { Pen } from './output.ts';
import { harmless } from './text.ts';

/** An answer of the RADIUS service. */
export interface RadiusAnswer {
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

/** Newest last. */
export async function lastAnswers(client: Client, filter: readonly string[], count: number): Promise<RadiusAnswer[]> {
  const query = { ...(filter.length > 0 && { filter }), sortKey: 'id', sortDir: 'desc', count };
  const { results } = await client.call<RadiusAnswer>(operations['radius-response.list'], { query });
  return results.toReversed();
}

/** An answer in one line. */
export function drawAnswer(answer: RadiusAnswer, pen: Pick<Pen, 'style'>): string {
  const { date, reply, cause, callingStationId, username, nas, nasPort, ssid, outerEapType, eapType } = answer;
  const isAccepted = reply === 'ACCEPT';
  const words = [
    callingStationId ?? 'no MAC',
    // Of a device that is known by its address alone the name is that address.
    ...(eapType === 'MAB' || !username ? [] : [username]),
    `${nas} ${ssid ?? nasPort ?? ''}`.trim(),
    [...new Set([outerEapType, eapType])].filter(Boolean).join('/'),
    `${answer.durationMs} ms`,
    answer.message,
  ];
  const verdict = pen.style(isAccepted ? 'green' : 'red', isAccepted ? reply : `${reply} ${cause}`);
  return [date, verdict, ...words.map(harmless)].join('  ');
}
