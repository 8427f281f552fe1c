import { resource } from '../../context.ts';
import { certificateTargetActions } from './certificate-target.actions.ts';
import {
  certificateExpired,
  certificateExpiring,
  certificateReloadFailed,
  certificateReplaced,
} from './certificate-target.events.ts';
import { certificates, restartListeners } from './certificate-target.jobs.ts';
import { certificateTargetRules } from './certificate-target.rules.ts';
import { certificateTarget } from './certificate-target.ts';

export const certificateTargetModule = resource('Certificate', certificateTarget, {
  actions: certificateTargetActions,
  rules: certificateTargetRules,
  events: [certificateReplaced, certificateExpiring, certificateExpired, certificateReloadFailed],
  jobs: [restartListeners],
  reconcilers: [certificates],
});
