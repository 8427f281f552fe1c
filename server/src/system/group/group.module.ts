import { resource } from '../../context.ts';
import { groupActions } from './group.actions.ts';
import { groupMembershipChanged } from './group.events.ts';
import { groupRules } from './group.rules.ts';
import { group } from './group.ts';

export const groupModule = resource('Group', group, {
  actions: groupActions,
  rules: groupRules,
  events: [groupMembershipChanged],
});
