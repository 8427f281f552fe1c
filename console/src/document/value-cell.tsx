import { groups } from 'virtual:groups';
import { Link } from 'wouter';
import type { Session } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { equals } from '../filter/filter-text.ts';
import { AccessState, isAccessState } from '../pictures/access-state.tsx';
import { type FieldInfo, type Reference, referenceKey } from './group.ts';
import { shownValue } from './value.ts';

const knownPages = new WeakMap<Session, ReadonlySet<string>>();

/** Returns the pages that the user may open; cached because every cell of a list calls it. */
function openPages(session: Session): ReadonlySet<string> {
  const cachedPages =
    knownPages.get(session) ??
    new Set(session.navigation.menu.flatMap(({ children }) => children.map(({ page }) => page)));
  knownPages.set(session, cachedPages);
  return cachedPages;
}

/** Returns a function for the address of a filtered list; undefined if the user may not open its page. */
export function useListOf(): (reference: Reference, value: string) => string | undefined {
  const open = openPages(useSession());
  return (reference, value) => {
    const group = groups.find(({ name }) => name === reference.group);
    if (!group?.isListed || !open.has(group.page)) return undefined;
    const filter = equals(referenceKey(reference, group.identity), value);
    return `/${group.page}?group=${group.name}&filter=${encodeURIComponent(filter)}`;
  };
}

const isMono = ({ kind }: FieldInfo): boolean => kind === 'mac';

/** A formatted value; a reference is a link to the record. */
export function ValueCell({ field, value, nowMs }: { field: FieldInfo; value: unknown; nowMs: number }) {
  const listOf = useListOf();
  const { text, whole: fullText, isEmpty } = shownValue(field, value, nowMs);
  const className = isEmpty ? 'quiet' : isMono(field) ? 'mono' : undefined;
  if (field.choices?.includes('DEAD_END') && isAccessState(value)) return <AccessState state={value} />;
  const { reference } = field;
  const target = reference && !isEmpty && typeof value !== 'object' ? listOf(reference, String(value)) : undefined;
  if (target === undefined)
    return (
      <span className={className} title={fullText}>
        {text}
      </span>
    );
  return (
    <Link className="link" href={target} onClick={(event) => event.stopPropagation()}>
      {text}
    </Link>
  );
}
