import { eventType } from '../../kernel/declare/event-type.ts';

const ofService = { category: 'SYSTEM', elementType: 11 } as const;

export const radiusServiceDown = eventType({
  ...ofService,
  name: 'RADIUS_SERVICE_DOWN',
  description:
    'The RADIUS engine of a node ended, two Status-Server requests to it had no reply, or the node did not report for 10 seconds.',
  format: 'The RADIUS engine of {element} does not respond: {message}',
  clear: 'RADIUS_SERVICE_UP',
  syslogSeverity: 2,
});

export const radiusServiceUp = eventType({
  ...ofService,
  name: 'RADIUS_SERVICE_UP',
  description: 'The RADIUS engine of a node responds again.',
  format: 'The RADIUS engine of {element} responds again.',
  syslogSeverity: 5,
});

export const radiusFailureRateHigh = eventType({
  ...ofService,
  category: 'SECURITY',
  name: 'RADIUS_FAILURE_RATE_HIGH',
  description:
    'In the last 5 minutes more than 10 % of the RADIUS replies were rejects, and more than twice the share of the same hour a week before, in at least 50 requests.',
  format:
    '{percent} % of {requests} RADIUS replies in 5 minutes were rejects; in the same hour a week before it was {percentBefore} %.',
  clear: 'RADIUS_FAILURE_RATE_NORMAL',
  syslogSeverity: 4,
});

export const radiusFailureRateNormal = eventType({
  ...ofService,
  category: 'SECURITY',
  name: 'RADIUS_FAILURE_RATE_NORMAL',
  description:
    'The share of rejects among the RADIUS replies is a tenth below a limit of RADIUS_FAILURE_RATE_HIGH again, or there are few requests.',
  format: '{percent} % of {requests} RADIUS replies in 5 minutes were rejects.',
  syslogSeverity: 5,
});
