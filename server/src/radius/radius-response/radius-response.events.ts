import { eventType } from '../../kernel/declare/event-type.ts';

const ofDevice = { category: 'DEVICE', elementType: 2 } as const;

export const radiusPortUnresolved = eventType({
  ...ofDevice,
  name: 'RADIUS_PORT_UNRESOLVED',
  description:
    'A RADIUS request has a port that its device does not have; it is decided for the port `unknown`. Once a day per device.',
  format: '{element} sent a request for the unknown port {port}; it is decided for the port unknown.',
  syslogSeverity: 4,
});

export const radiusNasSecretMismatch = eventType({
  ...ofDevice,
  name: 'RADIUS_NAS_SECRET_MISMATCH',
  description:
    'Packets of an access device are signed with another secret than the stored one, and are not answered. Once an hour per device and node.',
  format: '{element} signs its RADIUS packets with another secret than the stored one; they are not answered.',
  syslogSeverity: 3,
});

export const radiusNasUnknown = eventType({
  category: 'SYSTEM',
  elementType: 11,
  name: 'RADIUS_NAS_UNKNOWN',
  description:
    'A RADIUS packet was received from an address that no access device has. Once an hour per address and node.',
  format: 'A RADIUS packet was received from {address}, which is not an access device with RADIUS enabled.',
  syslogSeverity: 4,
});

export const accessValueUnresolved = eventType({
  ...ofDevice,
  category: 'POLICY',
  name: 'ACCESS_VALUE_UNRESOLVED',
  description:
    'A RADIUS decision chose a logical network that has no value on the access device. An isolation network causes a reject, any other one the default of the port. At most once an hour per device, network and node.',
  format: 'The logical network {network} has no value on {element}: {message}',
  syslogSeverity: 4,
});

const ofUser = { category: 'USER', elementType: 6 } as const;

export const userAuthenticated = eventType({
  ...ofUser,
  name: 'USER_AUTHENTICATED',
  description:
    'A user logged in to the network with a password or a certificate. Not logged by default, because the log of RADIUS responses has every login.',
  format: '{element} logged in from {mac} at {device} by {method}.',
  loggingStrategy: 'DISABLED',
  droppable: true,
});

export const userAuthenticationFailed = eventType({
  ...ofUser,
  name: 'USER_AUTHENTICATION_FAILED',
  description:
    'A network login with a password or a certificate failed. Not logged by default, because the log of RADIUS responses has every login.',
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
    'A RADIUS request was rejected, before or by the decision. Only while `sendFailureEvents` is on, at most once in five minutes per MAC address, cause and node.',
  format: 'A request of {element} for {mac} was rejected, {cause}: {message}',
  syslogSeverity: 5,
});

export const radiusDecisionSlow = eventType({
  category: 'SYSTEM',
  elementType: 11,
  name: 'RADIUS_DECISION_SLOW',
  description:
    'The 95th percentile of the time that a node takes for a RADIUS reply exceeded a second, in a minute with at least 20 replies. Emitted again only after a minute below that.',
  format: 'The node {element} takes {p95} ms for RADIUS replies (95th percentile of {answers} in a minute).',
  syslogSeverity: 4,
});
