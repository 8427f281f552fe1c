export { type Narrowed, refuseWiderVisibility } from './limits.ts';
export {
  claimNetworkLogin,
  clearNetworkLogins,
  type FailedNetworkLogin,
  forgetNetworkFailures,
  type NetworkLogin,
  reportFailedNetworkLogins,
} from './network-logins.ts';
export { requireNetworkPassword } from './password.ts';
export { managedGroups } from './row-limits.ts';
