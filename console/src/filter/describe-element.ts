import type { GroupInfo } from '../document/group.ts';
import { markHidden } from '../document/value.ts';
import { text } from '../texts/text.ts';
import type { FilterElement } from './conditions.ts';

const valuesShown = 3;

/** Describes an element, such as "Role is not Staff, Lab"; an element that cannot be edited is shown as its filter text. */
export function describeElement(group: GroupInfo, { text: filterText, anyOf }: FilterElement): string {
  if (!anyOf) return markHidden(filterText);
  return anyOf
    .map(({ field, comparison, values }) => {
      const label = group.fields.find(({ name }) => name === field)?.label ?? field;
      const shown =
        values.slice(0, valuesShown).map(markHidden).join(', ') + (values.length > valuesShown ? ', …' : '');
      return [label, text.filter.comparisons[comparison], shown].filter(Boolean).join(' ');
    })
    .join(text.filter.between);
}
