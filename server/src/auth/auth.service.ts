export { type Narrowed, refuseWiderVisibility } from './limits.ts';
export { managedGroups } from './row-limits.ts';
