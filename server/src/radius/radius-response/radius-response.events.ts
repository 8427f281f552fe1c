import { eventType } from '../../kernel/declare/event-type.ts';

const ofDevice = { category: 'DEVICE', elementType: 2 } as const;

export const radiusPortUnresolved = eventType({
  ...ofDevice,
  name: 'RADIUS_PORT_UNRESOLVED',
  description:
    'A RADIUS request named a port that its device does not have; it is decided as on the port `unknown`. Once a day for a device.',
  format: '{element} asked for the port {port}, which is not known; it is decided as on its port unknown.',
  syslogSeverity: 4,
});

export const radiusNasSecretMismatch = eventType({
  ...ofDevice,
  name: 'RADIUS_NAS_SECRET_MISMATCH',
  description:
    'Packets of an access device are signed with another secret than the one that is stored for it, and get no answer. Once an hour for a device and node.',
  format:
    '{element} signs its RADIUS packets with another secret than the one that is stored for it; they are not answered.',
  syslogSeverity: 3,
});

export const radiusNasUnknown = eventType({
  category: 'SYSTEM',
  elementType: 11,
  name: 'RADIUS_NAS_UNKNOWN',
  description: 'A RADIUS packet came from an address that no access device has. Once an hour for an address.',
  format: 'A RADIUS packet came from {address}, which is no access device with RADIUS enabled.',
  syslogSeverity: 4,
});
