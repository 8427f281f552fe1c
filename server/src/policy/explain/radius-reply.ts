import {
  type GroupReader,
  type ReplyAttribute,
  type ReplyDevice,
  type ReplySession,
  replyTo,
} from '../../radius/radius-attribute-group/radius-attribute-group.service.ts';
import type { Decision } from '../decide/decide.service.ts';

export interface RadiusReply {
  code: 'Access-Accept' | 'Access-Reject';
  attributes: readonly ReplyAttribute[];
}

/** Returns the RADIUS reply of a decision. */
export async function radiusReply(
  readGroups: GroupReader,
  decision: Decision,
  device: ReplyDevice,
  session: Omit<ReplySession, 'sessionTimeoutSeconds'>,
): Promise<RadiusReply> {
  if (decision.outcome === 'DENY') return { code: 'Access-Reject', attributes: [] };
  const { sessionTimeoutSeconds, value } = decision;
  return {
    code: 'Access-Accept',
    attributes: await replyTo(readGroups, device, value, { ...session, sessionTimeoutSeconds }),
  };
}
