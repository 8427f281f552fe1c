import { eventType } from '../../kernel/declare/event-type.ts';
import { groupElementType } from './group.ts';

export const groupMembershipChanged = eventType({
  name: 'GROUP_MEMBERSHIP_CHANGED',
  description: 'Elements joined or left a group.',
  category: 'SYSTEM',
  elementType: groupElementType,
  format: 'Group {element}: {summary} by {user}.',
  syslogSeverity: 5,
});
