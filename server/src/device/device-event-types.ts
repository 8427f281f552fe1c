import { eventType } from '../kernel/event-type.ts';

const ofDevice = { category: 'DEVICE', elementType: 2 } as const;

export const deviceMoved = eventType({
  ...ofDevice,
  name: 'DEVICE_MOVED',
  description: 'A device came into another container.',
  format: 'Device {element} moved from {from} to {to}.',
});

export const deviceAuthenticationFailed = eventType({
  ...ofDevice,
  name: 'DEVICE_AUTHENTICATION_FAILED',
  description: 'A device is there and refuses the credentials that are stored for it.',
  format: '{element} refuses the credentials: {why}',
  syslogSeverity: 4,
});

export const deviceHostKeyChanged = eventType({
  ...ofDevice,
  name: 'DEVICE_HOST_KEY_CHANGED',
  description: 'A device shows another SSH host key than the one that was pinned; its command line is not used.',
  format: '{element} shows another host key: {why}',
  syslogSeverity: 4,
});

const pollFailed = (table: string) => ({
  ...ofDevice,
  description: `A device answers, and its ${table} table could not be read.`,
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

export const portUplinkChanged = eventType({
  name: 'PORT_UPLINK_CHANGED',
  description: 'A port became an uplink, or is none any more.',
  category: 'PORT',
  elementType: 3,
  format: 'Port {element} {what}: {why}.',
});
