import type { Context } from '../../context.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import {
  type ReplyAttribute,
  readGroups,
  replyDevices,
  replyOrigins,
  replyTo,
} from '../../radius/radius-attribute-group/radius-attribute-group.service.ts';
import type { EffectiveValue } from './effective-values.ts';

/** A RADIUS reply, attribute by attribute. */
export const replyShape = {
  kind: 'object',
  name: 'LogicalNetworkReply',
  properties: {
    code: { kind: 'choice', values: ['Access-Accept', 'Access-Reject'] },
    attributes: {
      kind: 'list',
      item: {
        kind: 'object',
        name: 'LogicalNetworkReplyAttribute',
        properties: {
          attribute: { kind: 'text', max: 120 },
          tag: { kind: 'integer', min: 0, max: 31, doc: 'Tag of the values; 0: none.' },
          values: { kind: 'list', item: { kind: 'text', max: 2_000 }, max: 64 },
          from: { kind: 'choice', values: replyOrigins, doc: 'Source of the attribute.' },
        },
      },
      max: 200,
      doc: 'Attributes of the reply, in the order they are sent.',
    },
  },
} as const satisfies ObjectShape;

interface Reply {
  code: 'Access-Accept' | 'Access-Reject';
  attributes: ReplyAttribute[];
}

/** Returns the reply to a device for a logical network with this value. A network without a value there is rejected. */
export async function replyFor(
  context: Context,
  { accessEnforcement, accessType, accessValue, radiusAttrGroupID }: EffectiveValue,
  deviceID: number,
  { mac, userName }: { mac?: string; userName?: string },
): Promise<Reply> {
  if (accessEnforcement === 'BYPASS') return { code: 'Access-Accept', attributes: [] };
  if (accessEnforcement === null || accessEnforcement === 'DENY' || accessType === null || accessType === 'DENY')
    return { code: 'Access-Reject', attributes: [] };
  const device = (await replyDevices(context, [deviceID])).get(deviceID)!;
  const value = { accessType, accessValue: accessValue ?? '', radiusAttrGroupID };
  return {
    code: 'Access-Accept',
    attributes: await replyTo((requestedGroups) => readGroups(context, requestedGroups), device, value, {
      mac,
      userName,
      sessionTimeoutSeconds: null,
    }),
  };
}
