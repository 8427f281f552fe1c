import type { GroupInfo, InputField } from '../document/group.ts';
import { text } from '../texts/text.ts';

export interface FormSection {
  title: string;
  fields: InputField[];
}

/** Groups the fields by section; fields without one are in the last section. */
export function sectionsOf({ sections, title, label }: GroupInfo, all: readonly InputField[]): FormSection[] {
  const fields = inOrder(all, label);
  const namedSections = sections.map((heading) => ({
    title: heading,
    fields: fields.filter(({ section }) => section === heading),
  }));
  const rest = fields.filter(({ section }) => section === undefined || !sections.includes(section));
  return [...namedSections, { title: namedSections.length > 0 ? text.form.more : title, fields: rest }].filter(
    (section) => section.fields.length > 0,
  );
}

/** Sorts the label field first and notes last. */
function inOrder(fields: readonly InputField[], label: string | null): InputField[] {
  const placeOf = ({ name }: InputField): number =>
    name === label ? 0 : /^(note|notes|description)$/.test(name) ? 2 : 1;
  return fields.toSorted((first, second) => placeOf(first) - placeOf(second));
}
