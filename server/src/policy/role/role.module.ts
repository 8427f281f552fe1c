import { resource } from '../../context.ts';
import { roleActions } from './role.actions.ts';
import { hostRoleChanged, userRoleChanged } from './role.events.ts';
import { roleRules } from './role.rules.ts';
import { roleAssign } from './role.service.ts';
import { role } from './role.ts';

export const roleModule = resource('Role', role, {
  actions: roleActions,
  rules: roleRules,
  events: [userRoleChanged, hostRoleChanged],
  reconcilers: [roleAssign],
});
