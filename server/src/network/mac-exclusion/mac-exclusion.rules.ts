import { rules } from '../../context.ts';
import { invalidField, protectedRecord } from '../../kernel/failure.ts';
import { macExclusion } from './mac-exclusion.ts';

export const macExclusionRules = rules(macExclusion, {
  beforeSave({ before, after, sent: sentFields }) {
    if (after.mask !== null && sentFields.end === undefined) after.end = after.start;
    if (sentFields.end === undefined && after.end === '')
      throw invalidField('end', 'this field is required without a mask');
    const { start, end, mask } = after;
    for (const field of ['start', 'end', 'mask'] as const)
      if (after[field] === '') throw invalidField(field, 'expected a MAC address');
    if (mask !== null && end !== start) throw invalidField('end', 'must equal start if a mask is set');
    if (end < start) throw invalidField('end', 'comes before start');
    if (before?.builtIn && (['name', 'start', 'end', 'mask'] as const).some((field) => before[field] !== after[field]))
      throw protectedRecord(`The MAC exclusion ${before.name} is built in; it can only be disabled.`);
  },

  beforeDelete({ name, builtIn }) {
    if (builtIn) throw protectedRecord(`The MAC exclusion ${name} is built in: disable it instead.`);
  },
});
