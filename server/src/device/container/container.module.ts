import { resource } from '../../context.ts';
import { contactEstablished, contactLost } from './container.events.ts';
import { containerRules } from './container.rules.ts';
import { container } from './container.ts';

export const containerModule = resource('Container', container, {
  rules: containerRules,
  events: [contactEstablished, contactLost],
});
