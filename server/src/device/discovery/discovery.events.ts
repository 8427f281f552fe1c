import { eventType } from '../../kernel/declare/event-type.ts';

const ofContainer = { category: 'DEVICE', elementType: 1 } as const;

export const discoveryStarted = eventType({
  ...ofContainer,
  name: 'DISCOVERY_STARTED',
  description: 'A discovery of network devices started.',
  format: 'Discovery into {element} started: {addresses} addresses.',
});

const counts = '{added} devices added, {updated} updated, {skipped} unchanged, {errors} failed.';

export const discoveryCompleted = eventType({
  ...ofContainer,
  name: 'DISCOVERY_COMPLETED',
  description: 'A discovery of network devices is complete.',
  format: `Discovery into {element} is complete: ${counts}`,
});

export const discoveryStopped = eventType({
  ...ofContainer,
  name: 'DISCOVERY_STOPPED',
  description: 'A discovery of network devices was stopped; devices already added stay.',
  format: `Discovery into {element} was stopped: ${counts}`,
});
