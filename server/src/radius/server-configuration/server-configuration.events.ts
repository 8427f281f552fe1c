import { eventType } from '../../kernel/declare/event-type.ts';

const ofProcess = { category: 'SYSTEM', elementType: 11 } as const;

export const radiusConfigApplied = eventType({
  ...ofProcess,
  name: 'RADIUS_CONFIG_APPLIED',
  description: 'The RADIUS engines of all nodes run the stored configuration.',
  format: 'RADIUS: generation {generation} on {nodes} nodes in {seconds} s.',
});

export const radiusConfigInvalid = eventType({
  ...ofProcess,
  name: 'RADIUS_CONFIG_INVALID',
  description: 'A RADIUS engine could not run the stored configuration and continues with the previous one.',
  format: 'RADIUS engine of {element}: generation {generation} cannot be run: {why}',
  syslogSeverity: 3,
});
