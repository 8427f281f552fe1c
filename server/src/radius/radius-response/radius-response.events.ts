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

export const accessValueUnresolved = eventType({
  ...ofDevice,
  category: 'POLICY',
  name: 'ACCESS_VALUE_UNRESOLVED',
  description:
    'A RADIUS decision chose a logical network that has no value on the access device: an isolation network is a reject, another one falls to the default of the port. At most once an hour for a device, a network and a node.',
  format: 'The logical network {network} has no value on {element}: {message}',
  syslogSeverity: 4,
});

const ofUser = { category: 'USER', elementType: 6 } as const;

export const userAuthenticated = eventType({
  ...ofUser,
  name: 'USER_AUTHENTICATED',
  description:
    'A user logged in to the network with a password or a certificate. Not logged unless an administrator chooses so: the log of RADIUS answers has every login.',
  format: '{element} logged in from {mac} at {device} by {method}.',
  loggingStrategy: 'DISABLED',
  droppable: true,
});

export const userAuthenticationFailed = eventType({
  ...ofUser,
  name: 'USER_AUTHENTICATION_FAILED',
  description:
    'A network login with a password or a certificate failed. Not logged unless an administrator chooses so: the log of RADIUS answers has every login.',
  format: 'The login of {element} from {mac} at {device} by {method} failed: {message}',
  loggingStrategy: 'DISABLED',
  droppable: true,
  syslogSeverity: 5,
});

export const radiusAuthFailure = eventType({
  ...ofDevice,
  category: 'SECURITY',
  name: 'RADIUS_AUTH_FAILURE',
  description:
    'A RADIUS request was rejected, before or by the decision. While `sendFailureEvents` is on, at most once in five minutes for a MAC address, a cause and a node.',
  format: '{element} was answered with a reject for {mac}, {cause}: {message}',
  syslogSeverity: 5,
});

export const radiusDecisionSlow = eventType({
  category: 'SYSTEM',
  elementType: 11,
  name: 'RADIUS_DECISION_SLOW',
  description:
    'The 95th percentile of the time that a node takes for a RADIUS answer exceeded a second for a minute with at least 20 answers. Emitted again after a minute below that.',
  format: 'The node {element} takes {p95} ms for RADIUS answers (95th percentile of {answers} in a minute).',
  syslogSeverity: 4,
});
