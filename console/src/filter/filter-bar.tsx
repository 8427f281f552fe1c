import { useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { messageOf } from '../parts/message-of.ts';
import { useKeys } from '../shell/keys.ts';
import { text } from '../texts/text.ts';

/** An input for a filter or any text. A filter is applied when the service has accepted it; otherwise the error is shown below. */
export function FilterBar({
  filter,
  example,
  filterOf,
  onTry,
}: {
  /** The applied filter. */
  filter: string;
  /** A condition that this list accepts, for the placeholder. */
  example: string;
  /** Converts the input to a filter. */
  filterOf(written: string): string;
  onTry(filter: string): Promise<void>;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [inputText, setWritten] = useState(filter);
  const [fault, setFault] = useState('');
  useKeys({ '/': () => input.current?.focus() });
  // Navigation changes the filter, and the input follows.
  const inUse = useRef(filter);
  useEffect(() => {
    if (inUse.current === filter) return;
    inUse.current = filter;
    setWritten(filter);
    setFault('');
  }, [filter]);
  const tryFilter = (draft: string) => {
    const newFilter = filterOf(draft);
    setFault('');
    onTry(newFilter).then(
      () => {
        inUse.current = newFilter;
      },
      (error: unknown) => setFault(messageOf(error)),
    );
  };
  return (
    <search>
      <form
        className="filter"
        onSubmit={(event) => {
          event.preventDefault();
          tryFilter(inputText);
        }}
      >
        <div className="filter-field">
          <Icon name="list-filter" size={14} />
          <input
            ref={input}
            className="input"
            aria-label={text.list.filter}
            placeholder={text.list.filterHint(example)}
            value={inputText}
            maxLength={4_000}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={fault !== ''}
            aria-describedby="filter-fault"
            onChange={(event) => setWritten(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              if (inputText === '') input.current?.blur();
              setWritten('');
              tryFilter('');
            }}
          />
          {inputText !== '' && (
            <button
              type="button"
              className="button plain square"
              onClick={() => {
                setWritten('');
                tryFilter('');
              }}
            >
              <Icon name="x" size={14} />
              <span className="hidden">{text.list.clear}</span>
            </button>
          )}
        </div>
        <p id="filter-fault" className="fault" role="alert" hidden={fault === ''}>
          {fault}
        </p>
      </form>
    </search>
  );
}
