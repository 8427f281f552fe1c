import type { GroupInfo } from '../document/group.ts';

/** An operator of the filter syntax. */
const comparison = /[=!<>]=|=\w+=|[<>]/;

/** Converts the input to a filter: text with an operator is a filter already, other text is searched in the text fields. */
export function filterOf(input: string, group: Pick<GroupInfo, 'fields' | 'label'>): string {
  const text = input.trim();
  if (text === '' || comparison.test(text)) return text;
  const searched = group.fields.filter(({ search, kind, filter }) => search && filter && kind === 'text');
  const labelFields = group.fields.filter(({ name, filter }) => name === group.label && filter);
  const fields = searched.length > 0 ? searched : labelFields;
  return fields.map(({ name }) => `${name}==${quoted(`*${escaped(text)}*`)}`).join(',');
}

/** Returns a sample condition on a field of the list: its label if that is text, otherwise the first text field. */
export function exampleCondition({
  fields,
  label,
  identity,
}: Pick<GroupInfo, 'fields' | 'label' | 'identity'>): string {
  const texts = fields.filter(({ kind, filter, choices }) => kind === 'text' && filter && !choices);
  const field = texts.find(({ name }) => name === label) ?? texts[0];
  return field ? `${field.name}==core-*` : `${identity}==1`;
}

/** Returns the condition that a field equals a value. */
export const equals = (field: string, value: string): string => `${field}==${quoted(escaped(value))}`;

/** Adds a condition to a filter. */
export const and = (filter: string, condition: string): string => {
  if (filter === '') return condition;
  return splitOutside(filter, ',').length > 1 ? `(${filter});${condition}` : `${filter};${condition}`;
};

/** Splits a filter into its conditions: the list of hosts requires conditions on hosts, adapters and owners as separate parameters. */
export const elementsOf = (filter: string): string[] => {
  if (filter === '') return [];
  return splitOutside(filter, ',').length > 1 ? [filter] : splitOutside(filter, ';');
};

/** Splits a filter at separators outside quotes and parentheses. */
export function splitOutside(filter: string, separator: ',' | ';'): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (let index = 0; index < filter.length; index++) {
    const character = filter[index]!;
    if (character === separator && depth === 0 && quote === '') {
      parts.push('');
      continue;
    }
    parts[parts.length - 1] += character;
    if (character === '\\') parts[parts.length - 1] += filter[++index] ?? '';
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
  }
  return parts;
}

export const escaped = (text: string): string => text.replace(/[\\*]/g, '\\$&');

export const quoted = (text: string): string => `"${text.replace(/"/g, '\\"')}"`;
