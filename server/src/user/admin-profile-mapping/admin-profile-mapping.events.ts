import { eventType } from '../../kernel/declare/event-type.ts';
import { userAccount } from '../user-account/user-account.ts';

export const adminPrivilegeChanged = eventType({
  category: 'ADMIN',
  elementType: userAccount.events.elementType,
  name: 'ADMIN_PRIVILEGE_CHANGED',
  description: 'A mapping assigned another profile to an administrator, or removed the one it had assigned.',
  format: 'admin {element}: profile {old} → {new}, {reason}.',
});
