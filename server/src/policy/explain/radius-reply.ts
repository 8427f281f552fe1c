import type { Context } from '../../context.ts';
import {
  type ReplyDevice,
  type ReplySession,
  replyTo,
} from '../../radius/radius-attribute-group/radius-attribute-group.service.ts';
import type { ConnectionFacts, Decision } from '../decide/decide.service.ts';

interface Reply {
  code: 'Access-Accept' | 'Access-Reject';
  attributes: { name: string; value: string }[];
}

/** The default of the port is sent only to devices that ask for it. */
const isValueSent = ({ step, isUnresolved }: Decision, { device }: ConnectionFacts): boolean =>
  device.sendDefaultVlan || (step !== 9 && !isUnresolved);

/** Whether RADIUS answers for the connection; others are enforced by SNMP or CLI. */
export const isByRadius = ({ type }: ConnectionFacts): boolean => !type.endsWith('_SNMP');

/** What RADIUS answers. */
export async function radiusReply(
  context: Context,
  decision: Decision,
  connection: ConnectionFacts,
  device: ReplyDevice,
  who: Omit<ReplySession, 'sessionTimeoutSeconds'>,
): Promise<Reply> {
  if (decision.outcome === 'DENY') return { code: 'Access-Reject', attributes: [] };
  const isDecided = decision.outcome !== 'NOT_ENFORCED' && isValueSent(decision, connection);
  const { sessionTimeoutSeconds } = decision;
  const reply = await replyTo(context, device, isDecided ? decision.value : null, { ...who, sessionTimeoutSeconds });
  return {
    code: 'Access-Accept',
    attributes: reply.flatMap(({ attribute, values }) => values.map((value) => ({ name: attribute, value }))),
  };
}
