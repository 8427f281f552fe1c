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

const ofPort = { category: 'PORT', elementType: 3 } as const;

export const portUplinkChanged = eventType({
  ...ofPort,
  name: 'PORT_UPLINK_CHANGED',
  description: 'A port became an uplink, or is none any more.',
  format: 'Port {element} {what}: {why}.',
});

export const portVlanSet = eventType({
  ...ofPort,
  name: 'PORT_VLAN_SET',
  description: 'An administrator put a port into another VLAN.',
  format: 'Port {element} was put from VLAN {from} into VLAN {to} by {by}.',
});

export const portVlanSetFailed = eventType({
  ...ofPort,
  name: 'PORT_VLAN_SET_FAILED',
  description: 'A port could not be put into the VLAN that an administrator wanted.',
  format: 'Port {element} could not be put into VLAN {to} for {by}: {why}',
  syslogSeverity: 4,
});

export const portAdminStatusChanged = eventType({
  ...ofPort,
  name: 'PORT_ADMIN_STATUS_CHANGED',
  description: 'An administrator put a port up or down.',
  format: 'Port {element} was put {state} by {by}.',
});

export const portLinkUp = eventType({
  ...ofPort,
  name: 'PORT_LINK_UP',
  description: 'A device told that the link of a port came up.',
  format: 'Port {element} is up.',
  droppable: true,
});

export const portLinkDown = eventType({
  ...ofPort,
  name: 'PORT_LINK_DOWN',
  description: 'A device told that the link of a port went down.',
  format: 'Port {element} is down.',
  clear: 'PORT_LINK_UP',
  droppable: true,
});

export const deviceColdStart = eventType({
  ...ofDevice,
  name: 'DEVICE_COLD_START',
  description: 'A device told that it started anew, perhaps with other settings.',
  format: '{element} started anew.',
  syslogSeverity: 5,
});

export const deviceWarmStart = eventType({
  ...ofDevice,
  name: 'DEVICE_WARM_START',
  description: 'A device told that it started anew with the settings it had.',
  format: '{element} started anew with the settings it had.',
  syslogSeverity: 5,
});

export const trapFromUnknownDevice = eventType({
  name: 'TRAP_FROM_UNKNOWN_DEVICE',
  description: 'Somebody sends traps that are not taken; told once for each address and hour.',
  category: 'DEVICE',
  elementType: 0,
  format: 'Traps from {element} are not taken: {why}.',
  syslogSeverity: 4,
});
