import { eventType } from '../../kernel/declare/event-type.ts';

const ofDevice = { category: 'DEVICE', elementType: 2 } as const;

export const deviceMoved = eventType({
  ...ofDevice,
  name: 'DEVICE_MOVED',
  description: 'A device was moved to another container.',
  format: 'Device {element} moved from {from} to {to}.',
});

export const deviceAuthenticationFailed = eventType({
  ...ofDevice,
  name: 'DEVICE_AUTHENTICATION_FAILED',
  description: 'A device responds but refuses the stored credentials.',
  format: '{element} refuses the stored credentials: {why}',
  syslogSeverity: 4,
});

export const deviceHostKeyChanged = eventType({
  ...ofDevice,
  name: 'DEVICE_HOST_KEY_CHANGED',
  description: 'The SSH host key of a device differs from the pinned one; its command line is not used.',
  format: 'The SSH host key of {element} has changed: {why}',
  syslogSeverity: 4,
});

const pollFailed = (table: string) => ({
  ...ofDevice,
  description: `A device responds, but its ${table} table could not be read.`,
  syslogSeverity: 4,
});

export const l2PollFailed = eventType({
  ...pollFailed('forwarding'),
  name: 'L2_POLL_FAILED',
  format: 'Reading the forwarding table of {element} failed: {why}',
});

export const l3PollFailed = eventType({
  ...pollFailed('address'),
  name: 'L3_POLL_FAILED',
  format: 'Reading the address table of {element} failed: {why}',
});

export const deviceColdStart = eventType({
  ...ofDevice,
  name: 'DEVICE_COLD_START',
  description: 'A device reported a cold start, possibly with a changed configuration.',
  format: '{element} restarted (cold start).',
  syslogSeverity: 5,
});

export const deviceWarmStart = eventType({
  ...ofDevice,
  name: 'DEVICE_WARM_START',
  description: 'A device reported a warm start with an unchanged configuration.',
  format: '{element} restarted (warm start).',
  syslogSeverity: 5,
});

export const trapFromUnknownDevice = eventType({
  name: 'TRAP_FROM_UNKNOWN_DEVICE',
  description: 'Traps from a sender are rejected; emitted once per address and hour.',
  category: 'DEVICE',
  elementType: 0,
  format: 'Traps from {element} are rejected: {why}.',
  syslogSeverity: 4,
});
