import { eventType } from '../../kernel/declare/event-type.ts';

const ofCertificate = { category: 'SYSTEM', elementType: 0 } as const;

export const certificateReplaced = eventType({
  ...ofCertificate,
  name: 'CERTIFICATE_REPLACED',
  description: 'A certificate was installed.',
  format: 'Certificate {element} is now {issuedTo}, issued by {issuedBy}, until {notAfter}.',
});

export const certificateExpiring = eventType({
  ...ofCertificate,
  name: 'CERTIFICATE_EXPIRING',
  description:
    'A certificate ends soon, reported 30, 14, 7 and 1 days before; or the revocation list of an authority has ended.',
  format: 'Certificate {element}: the {what} ends on {notAfter}.',
  syslogSeverity: 4,
});

export const certificateExpired = eventType({
  ...ofCertificate,
  name: 'CERTIFICATE_EXPIRED',
  description: 'A certificate has ended.',
  format: 'Certificate {element}: the {what} ended on {notAfter}.',
  syslogSeverity: 3,
});

export const certificateReloadFailed = eventType({
  ...ofCertificate,
  name: 'CERTIFICATE_RELOAD_FAILED',
  description: 'A listener could not take its certificate and serves the one before.',
  format: 'Node {node} could not take certificate {element}: {why}',
  syslogSeverity: 3,
});
