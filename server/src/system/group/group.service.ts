export { followProfile } from './all-administrators.ts';
export { lockGraph } from './graph-lock.ts';
export { groupByTag } from './group-by-tag.ts';
export { editableGroups, join, type LockedGroup, refuseHiddenMembers } from './membership.ts';
export { usageInGroups } from './usage-in-groups.ts';
