import { eventType } from '../kernel/event-type.ts';

const ofHost = { category: 'HOST', elementType: 4 } as const;
const ofAdapter = { category: 'HOST', elementType: 5 } as const;

export const hostRegistered = eventType({
  ...ofHost,
  name: 'HOST_REGISTERED',
  description: 'Somebody vouched for a host.',
  format: '{element} was registered by {user} as {label}.',
});

export const hostDeregistered = eventType({
  ...ofHost,
  name: 'HOST_DEREGISTERED',
  description: 'A host is a rogue again.',
  format: '{element} is a rogue again: {user} took its registration back.',
});

export const deviceRegistered = eventType({
  ...ofHost,
  name: 'DEVICE_REGISTERED',
  description: 'A host was registered as a device.',
  format: '{element} was registered by {user} as {type}.',
});

export const hostConnected = eventType({
  ...ofHost,
  name: 'HOST_CONNECTED',
  description: 'A host came to the network.',
  format: '{element} connected at {place}.',
  clear: 'HOST_DISCONNECTED',
});

export const hostDisconnected = eventType({
  ...ofHost,
  name: 'HOST_DISCONNECTED',
  description: 'A host left the network.',
  format: '{element} left {place}.',
});

export const rogueConnected = eventType({
  ...ofHost,
  name: 'ROGUE_CONNECTED',
  description: 'A host came to the network that nobody vouched for.',
  format: 'Rogue {element} connected at {place}.',
  syslogSeverity: 5,
});

export const disabledHostConnected = eventType({
  ...ofHost,
  name: 'DISABLED_HOST_CONNECTED',
  description: 'A host came to the network that is disabled, or whose adapter is.',
  format: 'Disabled host {element} connected at {place}.',
  syslogSeverity: 4,
});

export const hostEnabled = eventType({
  ...ofHost,
  name: 'HOST_ENABLED',
  description: 'A host may use the network again.',
  format: '{element} was enabled by {user}.',
});

export const hostDisabled = eventType({
  ...ofHost,
  name: 'HOST_DISABLED',
  description: 'A host may no longer use the network.',
  format: '{element} was disabled by {user}.',
  syslogSeverity: 5,
});

export const hostAtRisk = eventType({
  ...ofHost,
  name: 'HOST_AT_RISK',
  description: 'A host is at risk.',
  format: '{element} is at risk: {reason}',
  clear: 'HOST_SAFE',
  syslogSeverity: 4,
});

export const hostPending = eventType({
  ...ofHost,
  name: 'HOST_PENDING_AT_RISK',
  description: 'A host has time to mend what is wrong with it.',
  format: '{element} has time to mend what is wrong: {reason}',
  clear: 'HOST_SAFE',
  syslogSeverity: 5,
});

export const hostSafe = eventType({
  ...ofHost,
  name: 'HOST_SAFE',
  description: 'Nothing is wrong with a host any more.',
  format: '{element} is safe: {reason}',
});

export const hostExpirationChanged = eventType({
  ...ofHost,
  name: 'HOST_EXPIRATION_CHANGED',
  description: 'Somebody changed when a host leaves the database.',
  format: '{element}: leaves {when}, by {user}.',
});

export const hostsImported = eventType({
  name: 'HOSTS_IMPORTED',
  description: 'Hosts came from a file.',
  category: 'HOST',
  elementType: 0,
  format: '{user} imported {file}: {created} hosts created, {updated} updated, {failed} lines failed.',
  syslogSeverity: 5,
});

export const allowedHostsExceeded = eventType({
  ...ofHost,
  name: 'ALLOWED_HOSTS_EXCEEDED',
  description: 'Somebody owns more hosts than a user may.',
  format: '{owner} now owns {count} hosts, and may own {allowed}.',
  syslogSeverity: 4,
});

export const userLoggedOn = eventType({
  ...ofHost,
  name: 'USER_LOGGED_ON_HOST',
  description: 'A user logged on to a host.',
  format: '{who} logged on to {element}.',
  clear: 'USER_LOGGED_OFF_HOST',
});

export const userLoggedOff = eventType({
  ...ofHost,
  name: 'USER_LOGGED_OFF_HOST',
  description: 'A user logged off from a host.',
  format: '{who} logged off from {element}.',
});

export const adapterEnabled = eventType({
  ...ofAdapter,
  name: 'ADAPTER_ENABLED',
  description: 'An adapter may use the network again.',
  format: '{element} was enabled by {user}.',
});

export const adapterDisabled = eventType({
  ...ofAdapter,
  name: 'ADAPTER_DISABLED',
  description: 'An adapter may no longer use the network.',
  format: '{element} was disabled by {user}.',
  syslogSeverity: 5,
});

export const adapterMoved = eventType({
  ...ofAdapter,
  name: 'ADAPTER_MOVED',
  description: 'An adapter is on another port.',
  format: '{element} moved from {from} to {place}.',
});

export const adapterIpChanged = eventType({
  ...ofAdapter,
  name: 'ADAPTER_IP_CHANGED',
  description: 'An adapter has another IP address.',
  format: '{element}: {from} → {now}',
});

export const macSpoofSuspected = eventType({
  ...ofAdapter,
  name: 'MAC_SPOOF_SUSPECTED',
  description: 'One address was heard on two ports that are both up, within a short time.',
  format: '{element} was heard at {from} and at {place} within {seconds} s.',
  syslogSeverity: 4,
});

export const networkScanCompleted = eventType({
  ...ofAdapter,
  name: 'NETWORK_SCAN_COMPLETED',
  description: 'A network scan of an adapter ended.',
  format: '{element} was scanned at {address}: {found}.',
});

/** What is told of hosts besides the changes of their records. */
export const hostEventTypes = [
  hostRegistered,
  hostDeregistered,
  deviceRegistered,
  hostConnected,
  hostDisconnected,
  rogueConnected,
  disabledHostConnected,
  hostEnabled,
  hostDisabled,
  hostAtRisk,
  hostPending,
  hostSafe,
  hostExpirationChanged,
  hostsImported,
  allowedHostsExceeded,
  userLoggedOn,
  userLoggedOff,
];

/** The same of adapters. */
export const adapterEventTypes = [
  adapterEnabled,
  adapterDisabled,
  adapterMoved,
  adapterIpChanged,
  macSpoofSuspected,
  networkScanCompleted,
];
