import { rules } from '../../context.ts';
import { container } from '../container/container.ts';
import { discoveryRun } from './discovery.ts';

export const discoveryRules = rules(discoveryRun, {
  /** A container that does not exist, or is not visible, is rejected like any reference. */
  async beforeSave({ before, after }, { tx }) {
    if (before) return;
    const place = await tx.records.fetch(container, Number(after.containerID));
    after.containerName = place?.name ?? '';
    after.startedBy = tx.origin.user;
    after.startedAt = new Date().toISOString();
  },
});
