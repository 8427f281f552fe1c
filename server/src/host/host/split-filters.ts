import { type Filter, parseFilter } from '../../context.ts';
import { invalid } from '../../kernel/failure.ts';

/** The resource whose fields an element of a filter names. */
export type Subject = 'host' | 'adapter' | 'user';

type Comparison = Extract<Filter, { kind: 'compare' }>;

const prefix = /^(host|adapter|user|app)\./;

const comparisonsOf = (filter: Filter): Comparison[] =>
  filter.kind === 'compare' ? [filter] : filter.parts.flatMap(comparisonsOf);

const fault = (element: string, what: string) =>
  invalid([{ pointer: '?filter', message: `filter: ${element.slice(0, 80)}: ${what}` }]);

/**
 * Sorts the elements of a filter by resource, and removes the prefixes: `adapter.ssid==Staff` → adapter, `ssid==Staff`. A field without a
 * prefix is a field of the host. Throws if an element mixes resources: an `or` over both would leave open which adapter must match.
 */
export function splitFilters(elements: readonly string[]): Record<Subject, string[]> {
  const split: Record<Subject, string[]> = { host: [], adapter: [], user: [] };
  for (const element of elements) {
    const comparisons = comparisonsOf(parseFilter(element));
    const subjects = new Set(comparisons.map(({ field }) => prefix.exec(field)?.[1] ?? 'host'));
    const [subject] = subjects;
    if (subjects.size > 1)
      throw fault(element, 'mixes fields of host, adapter and user; use a separate filter element for each.');
    if (subject === 'app') throw fault(element, 'applications are not supported; use host., adapter. and user.');
    split[subject as Subject].push(withoutPrefixes(element, comparisons));
  }
  return split;
}

/** Removes the prefixes from the end to the start, so that the positions of the remaining ones stay valid. */
function withoutPrefixes(element: string, comparisons: readonly Comparison[]): string {
  return comparisons.reduceRight((text, { field, position }) => {
    const prefixStart = position - 1;
    const length = prefix.exec(field)?.[0].length ?? 0;
    return text.slice(0, prefixStart) + text.slice(prefixStart + length);
  }, element);
}
