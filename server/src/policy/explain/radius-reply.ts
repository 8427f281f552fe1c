import {
  type GroupReader,
  type ReplyAttribute,
  type ReplyDevice,
  type ReplySession,
  replyTo,
} from '../../radius/radius-attribute-group/radius-attribute-group.service.ts';
import type { ConnectionFacts, Decision } from '../decide/decide.service.ts';

export interface RadiusReply {
  code: 'Access-Accept' | 'Access-Reject';
  attributes: readonly ReplyAttribute[];
}

/** The default of the port is sent only to devices that ask for it. */
const isValueSent = ({ step, isUnresolved }: Decision, { device }: ConnectionFacts): boolean =>
  device.sendDefaultVlan || (step !== 9 && !isUnresolved);

/** Whether RADIUS answers for the connection; others are enforced by SNMP or CLI. */
export const isByRadius = ({ type }: ConnectionFacts): boolean => !type.endsWith('_SNMP');

/** What RADIUS answers. */
export async function radiusReply(
  read: GroupReader,
  decision: Decision,
  connection: ConnectionFacts,
  device: ReplyDevice,
  who: Omit<ReplySession, 'sessionTimeoutSeconds'>,
): Promise<RadiusReply> {
  if (decision.outcome === 'DENY') return { code: 'Access-Reject', attributes: [] };
  const isDecided = decision.outcome !== 'NOT_ENFORCED' && isValueSent(decision, connection);
  const { sessionTimeoutSeconds } = decision;
  return {
    code: 'Access-Accept',
    attributes: await replyTo(read, device, isDecided ? decision.value : null, { ...who, sessionTimeoutSeconds }),
  };
}
