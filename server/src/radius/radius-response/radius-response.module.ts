import { resource } from '../../context.ts';
import {
  accessValueUnresolved,
  radiusAuthFailure,
  radiusDecisionSlow,
  radiusNasSecretMismatch,
  radiusNasUnknown,
  radiusPortUnresolved,
  userAuthenticated,
  userAuthenticationFailed,
} from './radius-response.events.ts';
import { radiusResponse } from './radius-response.ts';

export const radiusResponseModule = resource('Health', radiusResponse, {
  events: [
    accessValueUnresolved,
    radiusAuthFailure,
    radiusDecisionSlow,
    radiusNasSecretMismatch,
    radiusNasUnknown,
    radiusPortUnresolved,
    userAuthenticated,
    userAuthenticationFailed,
  ],
});
