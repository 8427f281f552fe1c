import { eventType } from '../kernel/declare/event-type.ts';

const administrator = 7;
const common = { category: 'ADMIN', elementType: administrator } as const;

export const adminLoginSucceeded = eventType({
  ...common,
  name: 'ADMIN_LOGIN_SUCCEEDED',
  description: 'An administrator signed in with a password.',
  format: '{element} logged in from {address}.',
});

export const adminLoginFailed = eventType({
  ...common,
  name: 'ADMIN_LOGIN_FAILED',
  description: 'A sign-in attempt was refused.',
  format: 'Login of {element} from {address} failed.',
  mandatory: true,
  syslogSeverity: 4,
});

export const adminLocked = eventType({
  ...common,
  name: 'ADMIN_LOCKED',
  description:
    'Failed logins reached a limit: for a while, the account cannot sign in from that network, or from networks that it has not signed in from.',
  format: '{element} is locked after too many failed logins, the last from {address}.',
  mandatory: true,
  syslogSeverity: 4,
});

export const adminUnlocked = eventType({
  ...common,
  name: 'ADMIN_UNLOCKED',
  description: 'Another administrator or a command on a node unlocked an administrator after failed logins.',
  format: '{element} was unlocked.',
  syslogSeverity: 5,
});

export const adminLogout = eventType({
  ...common,
  name: 'ADMIN_LOGOUT',
  description: 'An administrator ended their session.',
  format: '{element} logged out.',
});

export const adminPasswordChanged = eventType({
  ...common,
  name: 'ADMIN_PASSWORD_CHANGED',
  description: 'An administrator changed their own password.',
  format: '{element} changed the password.',
  syslogSeverity: 5,
});

export const adminPasswordReset = eventType({
  ...common,
  name: 'ADMIN_PASSWORD_RESET',
  description: 'An administrator reset the password of another administrator; it must be changed at the next sign-in.',
  format: 'The password of {element} was reset by {user}.',
  syslogSeverity: 5,
});

export const sessionRevoked = eventType({
  ...common,
  name: 'SESSION_REVOKED',
  description: 'A session was ended before it expired.',
  format: 'A session of {element} was ended by {user}.',
  syslogSeverity: 5,
});

export const sessionExpired = eventType({
  ...common,
  name: 'SESSION_EXPIRED',
  description:
    'A session ended because it was idle for the time in the profile, or because it reached its maximum lifetime.',
  format: 'A session of {element} expired: {reason}.',
});

export const tokenIssued = eventType({
  ...common,
  name: 'API_TOKEN_ISSUED',
  description: 'An API token was issued.',
  format: 'API token {token} issued by {user}.',
  syslogSeverity: 5,
});

export const tokenRotated = eventType({
  ...common,
  name: 'API_TOKEN_ROTATED',
  description: 'An API token was replaced by a new one.',
  format: 'API token {token} rotated by {user}.',
  syslogSeverity: 5,
});

export const tokenRevoked = eventType({
  ...common,
  name: 'API_TOKEN_REVOKED',
  description: 'An API token was revoked.',
  format: 'API token {token} revoked by {user}.',
  syslogSeverity: 5,
});

export const tokenRejected = eventType({
  ...common,
  name: 'API_TOKEN_REJECTED',
  description: 'A request with an API token was refused; emitted at most once a minute for each token and reason.',
  format: 'API token {token} of {element} was refused from {address}: {reason}.',
  syslogSeverity: 4,
});

export const networkLoginLocked = eventType({
  category: 'SECURITY',
  elementType: 6,
  name: 'NETWORK_LOGIN_LOCKED',
  description:
    'Wrong network passwords reached a limit: for a while, the account cannot log in from that device, or from devices that it has not logged in from.',
  format: 'Network logins of {element} are locked {scope} for {seconds} s; the last came from {mac}.',
  syslogSeverity: 4,
});

/** Event types of sign-in, network logins and tokens. */
export const authEventTypes = [
  adminLoginSucceeded,
  adminLoginFailed,
  adminLocked,
  adminUnlocked,
  adminLogout,
  adminPasswordChanged,
  adminPasswordReset,
  sessionRevoked,
  sessionExpired,
  tokenIssued,
  tokenRotated,
  tokenRevoked,
  tokenRejected,
  networkLoginLocked,
];
