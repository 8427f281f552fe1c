import { resource } from '../../context.ts';
import { radiusNasSecretMismatch, radiusNasUnknown, radiusPortUnresolved } from './radius-response.events.ts';
import { radiusResponse } from './radius-response.ts';

export const radiusResponseModule = resource('Health', radiusResponse, {
  events: [radiusNasSecretMismatch, radiusNasUnknown, radiusPortUnresolved],
});
