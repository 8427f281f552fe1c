import type { Elements } from './element.ts';
import { Literals } from './filter/literals.ts';
import type { Sight } from './scope.ts';

/** The same elements as somebody sees them; where they see all, these themselves. */
export function seenElements(elements: Elements, sight: Sight): Elements {
  const isLimited = [...elements.values()].some(({ declaration }) => sight.limitsOn(declaration).length > 0);
  if (!isLimited) return elements;
  return new Map(
    [...elements].map(([type, source]) => {
      const seen = sight.condition(source.declaration, new Literals());
      return [type, seen ? { ...source, seen } : source];
    }),
  );
}
