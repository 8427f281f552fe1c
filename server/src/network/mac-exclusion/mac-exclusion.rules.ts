import { rules } from '../../context.ts';
import { invalid, protectedRecord } from '../../kernel/failure.ts';
import { macExclusion } from './mac-exclusion.ts';

const wrong = (field: string, what: string) => invalid([{ pointer: `/${field}`, message: `${field}: ${what}.` }]);

export const macExclusionRules = rules(macExclusion, {
  beforeSave({ before, after }) {
    const { start, end, mask } = after as { start: string; end: string; mask: string | null };
    for (const field of ['start', 'end', 'mask']) if (after[field] === '') throw wrong(field, 'expected a MAC address');
    if (mask !== null && end !== start) throw wrong('end', 'with a mask it is the same as start');
    if (end < start) throw wrong('end', 'comes before start');
    if (before?.builtIn && ['name', 'start', 'end', 'mask'].some((field) => before[field] !== after[field]))
      throw protectedRecord(`The MAC exclusion ${before.name} is built in: it can be disabled, not changed.`);
  },

  beforeDelete({ name, builtIn }) {
    if (builtIn) throw protectedRecord(`The MAC exclusion ${name} is built in: disable it instead.`);
  },
});
