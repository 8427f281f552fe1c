import { host } from '../../host/host/host.ts';
import { eventType } from '../../kernel/declare/event-type.ts';
import { userAccount } from '../../user/user-account/user-account.ts';

export const userRoleChanged = eventType({
  name: 'USER_ROLE_CHANGED',
  description: 'The role of an account changed, because of its groups or by an administrator.',
  category: 'USER',
  elementType: userAccount.events.elementType,
  format: '{element}: {old} → {new}, source {source}',
});

export const hostRoleChanged = eventType({
  name: 'HOST_ROLE_CHANGED',
  description: 'The role of a host changed, because of its groups or by an administrator.',
  category: 'HOST',
  elementType: host.events.elementType,
  format: '{element}: {old} → {new}, source {source}',
});
