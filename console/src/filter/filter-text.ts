import type { GroupInfo } from '../document/group.ts';

/** A comparison of the filter language. */
const comparison = /[=!<>]=|=\w+=|[<>]/;

/** What somebody wrote into the filter, as the service takes it: a filter is left as it is, other text is looked for in the fields that are searched. */
export function filterOf(written: string, group: Pick<GroupInfo, 'fields' | 'label'>): string {
  const text = written.trim();
  if (text === '' || comparison.test(text)) return text;
  const searched = group.fields.filter(({ search, kind, filter }) => search && filter && kind === 'text');
  const named = group.fields.filter(({ name, filter }) => name === group.label && filter);
  const fields = searched.length > 0 ? searched : named;
  return fields.map(({ name }) => `${name}==${quoted(`*${escaped(text)}*`)}`).join(',');
}

const escaped = (text: string): string => text.replace(/[\\*]/g, '\\$&');

const quoted = (text: string): string => `"${text.replace(/"/g, '\\"')}"`;
