import { resource } from '../../context.ts';
import { thresholdEventTypes } from './event-threshold.events.ts';
import { eventThresholdRules } from './event-threshold.rules.ts';
import { eventThreshold } from './event-threshold.ts';

export const eventThresholdModule = resource('Event types', eventThreshold, {
  rules: eventThresholdRules,
  events: thresholdEventTypes,
});
