import { eventType } from '../../kernel/declare/event-type.ts';

const ofPort = { category: 'PORT', elementType: 3 } as const;

export const portUplinkChanged = eventType({
  ...ofPort,
  name: 'PORT_UPLINK_CHANGED',
  description: 'A port became an uplink, or is no longer one.',
  format: 'Port {element} {what}: {why}.',
});

export const portVlanSet = eventType({
  ...ofPort,
  name: 'PORT_VLAN_SET',
  description: 'An administrator moved a port to another VLAN.',
  format: 'Port {element} was moved from VLAN {from} to VLAN {to} by {by}.',
});

export const portVlanSetFailed = eventType({
  ...ofPort,
  name: 'PORT_VLAN_SET_FAILED',
  description: 'A port could not be moved to the VLAN that an administrator requested.',
  format: 'Port {element} could not be moved to VLAN {to} for {by}: {why}',
  syslogSeverity: 4,
});

export const portAdminStatusChanged = eventType({
  ...ofPort,
  name: 'PORT_ADMIN_STATUS_CHANGED',
  description: 'An administrator set a port administratively up or down.',
  format: 'Port {element} was set {state} by {by}.',
});

export const portLinkUp = eventType({
  ...ofPort,
  name: 'PORT_LINK_UP',
  description: 'A device reported that the link of a port came up.',
  format: 'Port {element} is up.',
  droppable: true,
});

export const portLinkDown = eventType({
  ...ofPort,
  name: 'PORT_LINK_DOWN',
  description: 'A device reported that the link of a port went down.',
  format: 'Port {element} is down.',
  clear: 'PORT_LINK_UP',
  droppable: true,
});
