import { type Filter, parseFilter } from '../../context.ts';
import { invalid } from '../../kernel/failure.ts';

/** Whose fields an element of a filter names. */
export type Subject = 'host' | 'adapter' | 'user';

type Comparison = Extract<Filter, { kind: 'compare' }>;

const prefix = /^(host|adapter|user|app)\./;

const comparisonsOf = (filter: Filter): Comparison[] =>
  filter.kind === 'compare' ? [filter] : filter.parts.flatMap(comparisonsOf);

const fault = (element: string, what: string) =>
  invalid([{ pointer: '?filter', message: `filter: ${element.slice(0, 80)}: ${what}` }]);

/**
 * Sorts the elements of a filter by whose fields they name, and takes the prefixes away: `adapter.ssid==Staff` → adapter, `ssid==Staff`.
 * A field without one is the host's. An element names fields of one of them: an `or` over both would leave open which adapter is meant.
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

/** From the end, so that the places before stay what they are. */
function withoutPrefixes(element: string, comparisons: readonly Comparison[]): string {
  return comparisons.reduceRight((text, { field, position }) => {
    const prefixStart = position - 1;
    const length = prefix.exec(field)?.[0].length ?? 0;
    return text.slice(0, prefixStart) + text.slice(prefixStart + length);
  }, element);
}
