import { resource } from '../../context.ts';
import { certificateTargetActions } from './certificate-target.actions.ts';
import { certificateExpired, certificateExpiring, certificateReplaced } from './certificate-target.events.ts';
import { certificates } from './certificate-target.jobs.ts';
import { certificateTarget } from './certificate-target.ts';

export const certificateTargetModule = resource('Certificate', certificateTarget, {
  actions: certificateTargetActions,
  events: [certificateReplaced, certificateExpiring, certificateExpired],
  reconcilers: [certificates],
});
