import { resource } from '../../context.ts';
import { radiusHealthActions } from './radius-health.actions.ts';
import {
  radiusFailureRateHigh,
  radiusFailureRateNormal,
  radiusServiceDown,
  radiusServiceUp,
} from './radius-health.events.ts';
import { radiusHealth } from './radius-health.ts';

export const radiusHealthModule = resource('Health', radiusHealth, {
  actions: radiusHealthActions,
  events: [radiusFailureRateHigh, radiusFailureRateNormal, radiusServiceDown, radiusServiceUp],
});
