import { resource } from '../../context.ts';
import { eventActions } from './event.actions.ts';
import { adminNote } from './event.events.ts';
import { eventRules } from './event.rules.ts';
import { event } from './event.ts';

export const eventModule = resource('Event', event, { actions: eventActions, rules: eventRules, events: [adminNote] });
