import { eventType } from '../../kernel/declare/event-type.ts';

/** Events that occur at least once per connection. They are too many for the event log, so administrators must enable them. */
export const perConnection = { loggingStrategy: 'DISABLED', droppable: true } as const;

const ofAdapter = { category: 'HOST', elementType: 5 } as const;

export const adapterEnabled = eventType({
  ...ofAdapter,
  name: 'ADAPTER_ENABLED',
  description: 'An adapter was enabled and may use the network again.',
  format: '{element} was enabled by {user}.',
});

export const adapterDisabled = eventType({
  ...ofAdapter,
  name: 'ADAPTER_DISABLED',
  description: 'An adapter was disabled and may no longer use the network.',
  format: '{element} was disabled by {user}.',
  syslogSeverity: 5,
});

export const adapterMoved = eventType({
  ...ofAdapter,
  name: 'ADAPTER_MOVED',
  description: 'An adapter moved to another port.',
  format: '{element} moved from {from} to {place}.',
});

export const adapterIpChanged = eventType({
  ...ofAdapter,
  name: 'ADAPTER_IP_CHANGED',
  description: 'The IP address of an adapter changed.',
  format: '{element}: {from} → {now}',
  ...perConnection,
});

export const macSpoofSuspected = eventType({
  ...ofAdapter,
  name: 'MAC_SPOOF_SUSPECTED',
  description: 'The same MAC address was learned on two ports, both up, within a short time.',
  format: '{element} was learned at {from} and at {place} within {seconds} s.',
  syslogSeverity: 4,
});

export const networkScanCompleted = eventType({
  ...ofAdapter,
  name: 'NETWORK_SCAN_COMPLETED',
  description: 'A network scan of an adapter is complete.',
  format: '{element} was scanned at {address}: {found}.',
});

export const adapterEventTypes = [
  adapterEnabled,
  adapterDisabled,
  adapterMoved,
  adapterIpChanged,
  macSpoofSuspected,
  networkScanCompleted,
];
