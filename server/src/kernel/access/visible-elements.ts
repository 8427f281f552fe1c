import { Literals } from '../database/literals.ts';
import type { Elements } from '../declare/element-type.ts';
import type { Visibility } from './visibility.ts';
import { visibleSql } from './visible-sql.ts';

/** The same elements as somebody sees them; where they see all, these themselves. */
export function visibleElements(elements: Elements, visibility: Visibility): Elements {
  const declarations = [...elements.values()].map(({ declaration }) => declaration);
  const isLimited = declarations.some((each) => !visibility.mayView(each) || visibility.limitsOn(each).length > 0);
  if (!isLimited) return elements;
  const visible = visibleSql({ scoped: declarations, restrictedSql: [], everyRow: [] }, visibility);
  return new Map(
    [...elements].map(([type, source]) => {
      // A caller who may not view a kind of record sees no member of that kind.
      const seen = visibility.mayView(source.declaration)
        ? visibility.condition(source.declaration, new Literals())
        : 'false';
      const shown = visible ? { ...source, name: visible.of(source.name) } : source;
      return [type, seen ? { ...shown, seen } : shown];
    }),
  );
}
