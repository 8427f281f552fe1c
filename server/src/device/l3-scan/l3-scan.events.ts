import { eventType } from '../../kernel/declare/event-type.ts';

export const l3ScanCompleted = eventType({
  name: 'L3_SCAN_COMPLETED',
  description: 'A scan for devices that route, and therefore have ARP entries of hosts, is complete.',
  category: 'DEVICE',
  elementType: 0,
  format: 'L3 scan is complete: {scanned} of {total} devices; recommended and not polled yet: {recommended}.',
});
