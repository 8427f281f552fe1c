import { rules } from '../../context.ts';
import { rejected } from '../../kernel/failure.ts';
import { eventThreshold } from './event-threshold.ts';

export const eventThresholdRules = rules(eventThreshold, {
  /** Requires the warning limit below the critical limit: for every metric, higher values are worse. */
  beforeSave({ after }) {
    const { name, warning, critical } = after as { name: string; warning: number | null; critical: number | null };
    if (warning !== null && critical !== null && warning >= critical)
      throw rejected(`${name}: warning (${warning}) must be below critical (${critical}).`, '/warning');
  },
});
