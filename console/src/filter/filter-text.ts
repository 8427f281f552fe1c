import type { GroupInfo } from '../document/group.ts';

/** A comparison of the filter language. */
const comparison = /[=!<>]=|=\w+=|[<>]/;

/** What somebody wrote into the filter, as the service takes it: a filter is left as it is, other text is searched for. */
export function filterOf(input: string, group: Pick<GroupInfo, 'fields' | 'label'>): string {
  const text = input.trim();
  if (text === '' || comparison.test(text)) return text;
  const searched = group.fields.filter(({ search, kind, filter }) => search && filter && kind === 'text');
  const labelFields = group.fields.filter(({ name, filter }) => name === group.label && filter);
  const fields = searched.length > 0 ? searched : labelFields;
  return fields.map(({ name }) => `${name}==${quoted(`*${escaped(text)}*`)}`).join(',');
}

/** The condition that a field has exactly this value. */
export const equals = (field: string, value: string): string => `${field}==${quoted(escaped(value))}`;

/** A filter with one more condition. */
export const and = (filter: string, condition: string): string => {
  if (filter === '') return condition;
  return splitOutside(filter, ',').length > 1 ? `(${filter});${condition}` : `${filter};${condition}`;
};

/** The conditions of a filter that must all hold, one by one: a list of hosts takes those on hosts, adapters and owners apart only. */
export const elementsOf = (filter: string): string[] => {
  if (filter === '') return [];
  return splitOutside(filter, ',').length > 1 ? [filter] : splitOutside(filter, ';');
};

/** Parts of a filter between separators that stand in no quotes and no parentheses. */
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
