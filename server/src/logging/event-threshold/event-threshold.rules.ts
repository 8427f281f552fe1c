import { rules } from '../../context.ts';
import { rejected } from '../../kernel/failure.ts';
import { eventThreshold } from './event-threshold.ts';

export const eventThresholdRules = rules(eventThreshold, {
  /** Everything that is watched is worse the more there is of it. */
  beforeSave({ after }) {
    const { name, warning, critical } = after as { name: string; warning: number | null; critical: number | null };
    if (warning !== null && critical !== null && warning >= critical)
      throw rejected(`${name}: warning (${warning}) must be below critical (${critical}).`, '/warning');
  },
});
