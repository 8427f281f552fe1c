import type { GroupInfo } from '../document/group.ts';
import { marked } from '../document/value.ts';
import { text } from '../texts/text.ts';
import type { FilterElement } from './conditions.ts';

const valuesShown = 3;

/** "Role is not Staff, Lab"; what cannot be said so is shown as it is written. */
export function inWordsOf(group: GroupInfo, { text: written, anyOf }: FilterElement): string {
  if (!anyOf) return marked(written);
  return anyOf
    .map(({ field, comparison, values }) => {
      const label = group.fields.find(({ name }) => name === field)?.label ?? field;
      const shown = values.slice(0, valuesShown).map(marked).join(', ') + (values.length > valuesShown ? ', …' : '');
      return [label, text.filter.comparisons[comparison], shown].filter(Boolean).join(' ');
    })
    .join(text.filter.between);
}
