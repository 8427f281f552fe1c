import { Literals } from '../database/literals.ts';
import type { Elements } from '../declare/element-type.ts';
import type { Visibility } from './visibility.ts';
import { visibleSql } from './visible-sql.ts';

/** Returns the elements as a viewer sees them; the given ones if the viewer sees all. */
export function visibleElements(elements: Elements, visibility: Visibility): Elements {
  const declarations = [...elements.values()].map(({ declaration }) => declaration);
  const isLimited = declarations.some(
    (declaration) => !visibility.mayView(declaration) || visibility.limitsOn(declaration).length > 0,
  );
  if (!isLimited) return elements;
  const visible = visibleSql({ scoped: declarations, restrictedSql: [], everyRow: [] }, visibility);
  return new Map(
    [...elements].map(([type, source]) => {
      // A caller who may not view a kind of record sees no member of that kind.
      const visibleCondition = visibility.mayView(source.declaration)
        ? visibility.condition(source.declaration, new Literals())
        : 'false';
      const shown = visible ? { ...source, name: visible.restrict(source.name) } : source;
      return [type, visibleCondition ? { ...shown, seen: visibleCondition } : shown];
    }),
  );
}
