import { groups } from 'virtual:groups';
import { operations } from 'virtual:shell-operations';
import { Dialog } from '@base-ui/react/dialog';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { useLocation } from 'wouter';
import { useBookmarks } from '../client/bookmarks.ts';
import { useSession } from '../client/session-context.ts';
import { shownPages } from '../document/pages.ts';
import { markHidden } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { messageOf } from '../parts/message-of.ts';
import { text } from '../texts/text.ts';
import { accountPath } from './menu.tsx';
import { bookmarkChoices, type Choice, choiceOf, type Hit, pageChoices } from './palette-choices.ts';
import { takeTypeAhead } from './type-ahead.ts';

const searchLengthMin = 2;

/** The palette: one input for pages, bookmarks and records. Pages are matched locally, records by the service. */
export function Palette({ onClose }: { onClose(): void }) {
  const { client, navigation } = useSession();
  const [, goTo] = useLocation();
  const [input, setInput] = useState('');
  const [current, setCurrent] = useState(0);
  const searchTerm = useDeferredValue(input.trim());
  const isAsked = searchTerm.length >= searchLengthMin;
  const searchResults = useQuery<Hit[]>({
    queryKey: ['search', searchTerm],
    queryFn: async ({ signal }) =>
      (await client.call<Hit>(operations['search.find'], { query: { q: searchTerm }, signal })).results,
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const open = navigation.menu.flatMap(({ children }) => shownPages(children));
  const pages = pageChoices([...open, { page: accountPath.slice(1), label: text.account.title }], input);
  const hits = isAsked ? (searchResults.data ?? []).flatMap((hit) => choiceOf(hit, groups, open) ?? []) : [];
  const choices: Choice[] = [...hits, ...bookmarkChoices(useBookmarks(), input), ...pages];
  const chosen = Math.min(current, Math.max(0, choices.length - 1));
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    goTo(choice.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) setCurrent((chosen + step + choices.length) % choices.length);
    else if (event.key === 'Enter') take(choices[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="palette" aria-label={text.palette.title}>
          <div className="palette-field">
            <Icon name="search" />
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls="choices"
              aria-activedescendant={choices.length > 0 ? `choice-${chosen}` : undefined}
              aria-label={text.palette.title}
              placeholder={text.palette.hint}
              maxLength={200}
              spellCheck={false}
              autoComplete="off"
              value={input}
              onChange={(event) => {
                setInput(event.target.value);
                setCurrent(0);
              }}
              // Adds what was typed since Ctrl-K, before this input had the focus.
              onFocus={() => {
                const typed = takeTypeAhead();
                if (typed !== '') setInput((before) => before + typed);
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          <div className="choices" id="choices" role="listbox" aria-label={text.palette.results}>
            {choices.map((choice, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
              <div
                key={choice.href}
                id={`choice-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                onClick={() => take(choice)}
              >
                <b>{markHidden(choice.name)}</b>
                <span className="quiet grow">{markHidden(choice.where)}</span>
                <span className="quiet">{choice.kind}</span>
              </div>
            ))}
          </div>
          <p className="palette-foot quiet" role="status">
            {searchResults.error ? messageOf(searchResults.error) : statusOf(choices.length, searchResults.data)}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Formats the number of results and the resources whose search timed out. */
function statusOf(count: number, hits: readonly Hit[] = []): string {
  const late = hits.filter(({ name }) => name === null).map(({ group }) => group);
  return [text.palette.count(count), ...(late.length > 0 ? [text.palette.timedOut(late.join(', '))] : [])].join(' ');
}
