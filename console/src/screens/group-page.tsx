import { lazy, type ReactNode, Suspense } from 'react';
import { useSearchParams } from 'wouter';
import { useGroupInfo } from '../client/group-info.ts';
import type { GroupEntry } from '../document/group.ts';
import { findOperation } from '../document/operations.ts';
import { Failure } from '../parts/message.tsx';
import { BookmarkButton } from '../shell/bookmark-button.tsx';
import { GroupList } from './group-list.tsx';
import { GroupSettings } from './group-settings.tsx';
import { screenOf } from './special-screens.ts';

const GroupBoard = lazy(async () => ({ default: (await import('./group-board.tsx')).GroupBoard }));
const RecordPage = lazy(async () => ({ default: (await import('../detail/record-page.tsx')).RecordPage }));
const FormPage = lazy(async () => ({ default: (await import('../form/form-page.tsx')).FormPage }));

/** A menu page with one or several resources; the address selects one. */
export function GroupPage({
  title,
  groups,
  menuButton,
}: {
  title: string;
  groups: readonly GroupEntry[];
  menuButton: ReactNode;
}) {
  const [search, setSearch] = useSearchParams();
  const chosen = groups.find(({ name }) => name === search.get('group')) ?? groups[0]!;
  const loaded = useGroupInfo(chosen.name);
  const head = (
    <>
      {menuButton}
      <h1>{title}</h1>
      <BookmarkButton title={title} />
      {groups.length > 1 && (
        <fieldset className="switch" aria-label={title}>
          {groups.map((group) => (
            <button
              key={group.name}
              type="button"
              aria-pressed={group.name === chosen.name}
              onClick={() => setSearch(group === groups[0] ? {} : { group: group.name })}
            >
              {group.title}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
  if (loaded.error) return <Failure error={loaded.error} onRetry={() => void loaded.refetch()} />;
  if (!loaded.data) return <header className="head">{head}</header>;
  const { Explain } = screenOf(loaded.data);
  const explained = search.get('explain');
  if (Explain && explained !== null)
    return (
      <Suspense>
        <Explain group={loaded.data} id={explained} head={head} />
      </Suspense>
    );
  const operation = findOperation(loaded.data, search.get('form'));
  if (operation)
    return (
      <Suspense>
        <FormPage
          key={search.toString()}
          group={loaded.data}
          operation={operation}
          id={search.get('page') ?? search.get('open')}
          head={head}
          onLeave={(saved) =>
            setSearch((before) => {
              const parameters = new URLSearchParams(before);
              parameters.delete('form');
              if (saved !== undefined) parameters.set(parameters.has('page') ? 'page' : 'open', saved);
              return parameters;
            })
          }
        />
      </Suspense>
    );
  const shown = search.get('page');
  if (shown !== null)
    return (
      <Suspense>
        <RecordPage key={shown} group={loaded.data} id={shown} head={head} />
      </Suspense>
    );
  if (!chosen.isListed)
    return (
      <Suspense>
        <GroupBoard key={chosen.name} group={loaded.data} head={head} />
      </Suspense>
    );
  return chosen.kind === 'settings' ? (
    <GroupSettings group={loaded.data} head={head} />
  ) : (
    <GroupList key={chosen.name} group={loaded.data} head={head} />
  );
}
