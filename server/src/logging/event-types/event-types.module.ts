import { resource } from '../../context.ts';
import { eventTypesActions } from './event-types.actions.ts';
import { eventTypesRules } from './event-types.rules.ts';
import { eventTypes } from './event-types.ts';

export const eventTypesModule = resource('Event types', eventTypes, {
  actions: eventTypesActions,
  rules: eventTypesRules,
});
