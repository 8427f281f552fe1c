import { host } from '../../host/host/host.ts';
import { eventType } from '../../kernel/declare/event-type.ts';
import { userAccount } from '../../user/user-account/user-account.ts';

export const userRoleChanged = eventType({
  name: 'USER_ROLE_CHANGED',
  description: 'The role of an account changed, through its groups or by a user.',
  category: 'USER',
  elementType: userAccount.events.elementType,
  format: '{element}: {old} → {new}, source {source}',
});

export const hostRoleChanged = eventType({
  name: 'HOST_ROLE_CHANGED',
  description: 'The role of a host changed, through its groups or by a user.',
  category: 'HOST',
  elementType: host.events.elementType,
  format: '{element}: {old} → {new}, source {source}',
});
