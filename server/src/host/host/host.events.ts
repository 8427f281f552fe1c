import { eventType } from '../../kernel/declare/event-type.ts';
import { perConnection } from '../adapter/adapter.events.ts';

const ofHost = { category: 'HOST', elementType: 4 } as const;
export const hostRegistered = eventType({
  ...ofHost,
  name: 'HOST_REGISTERED',
  description: 'A host was registered.',
  format: '{element} was registered by {user} as {label}.',
});

export const hostDeregistered = eventType({
  ...ofHost,
  name: 'HOST_DEREGISTERED',
  description: 'The registration of a host was removed; it is a rogue again.',
  format: '{element} is a rogue again: {user} removed its registration.',
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
  description: 'A host connected to the network.',
  format: '{element} connected at {place}.',
  clear: 'HOST_DISCONNECTED',
  ...perConnection,
});

export const hostDisconnected = eventType({
  ...ofHost,
  name: 'HOST_DISCONNECTED',
  description: 'A host disconnected from the network.',
  format: '{element} disconnected from {place}.',
  ...perConnection,
});

export const rogueConnected = eventType({
  ...ofHost,
  name: 'ROGUE_CONNECTED',
  description: 'A rogue host connected to the network.',
  format: 'Rogue {element} connected at {place}.',
  syslogSeverity: 5,
});

export const disabledHostConnected = eventType({
  ...ofHost,
  name: 'DISABLED_HOST_CONNECTED',
  description: 'A disabled host, or a host with a disabled adapter, connected to the network.',
  format: 'Disabled host {element} connected at {place}.',
  syslogSeverity: 4,
});

export const hostEnabled = eventType({
  ...ofHost,
  name: 'HOST_ENABLED',
  description: 'A host was enabled and may use the network again.',
  format: '{element} was enabled by {user}.',
});

export const hostDisabled = eventType({
  ...ofHost,
  name: 'HOST_DISABLED',
  description: 'A host was disabled and may no longer use the network.',
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
  description: 'A host has a grace period to fix a health problem.',
  format: '{element} has a grace period to fix a problem: {reason}',
  clear: 'HOST_SAFE',
  syslogSeverity: 5,
});

export const hostSafe = eventType({
  ...ofHost,
  name: 'HOST_SAFE',
  description: 'A host is safe again.',
  format: '{element} is safe: {reason}',
});

export const hostExpirationChanged = eventType({
  ...ofHost,
  name: 'HOST_EXPIRATION_CHANGED',
  description: 'The expiration of a host was changed.',
  format: '{element}: expires {when}, set by {user}.',
});

export const hostAgedOut = eventType({
  ...ofHost,
  name: 'HOST_AGED_OUT',
  description: 'A host was deleted because it expired or was absent too long.',
  format: '{element} ({macs}) was deleted: {why}.',
  syslogSeverity: 5,
});

export const hostsImported = eventType({
  name: 'HOSTS_IMPORTED',
  description: 'Hosts were imported from a file.',
  category: 'HOST',
  elementType: 0,
  format: '{user} imported {file}: {created} hosts created, {updated} updated, {failed} lines failed.',
  syslogSeverity: 5,
});

export const allowedHostsExceeded = eventType({
  ...ofHost,
  name: 'ALLOWED_HOSTS_EXCEEDED',
  description: 'A user owns more hosts than allowed.',
  format: '{owner} now owns {count} hosts; {allowed} are allowed.',
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

/** Event types of hosts, except those for changes of their records. */
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
  hostAgedOut,
  hostsImported,
  allowedHostsExceeded,
  userLoggedOn,
  userLoggedOff,
];
