import { eventType } from '../../kernel/declare/event-type.ts';
import { mdmServer } from './mdm-server.ts';

/** Warns that without certificate checks an attacker on the path could impersonate the MDM server. */
export const mdmTlsUnverified = eventType({
  name: 'MDM_TLS_UNVERIFIED',
  description: 'The certificate of an MDM server is not verified: an attacker on the path could impersonate it.',
  category: 'INTEGRATION',
  elementType: mdmServer.events.elementType,
  format: 'The certificate of the MDM server {element} is not verified.',
  syslogSeverity: 4,
});
