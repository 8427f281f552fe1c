import { groups } from 'virtual:groups';
import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { isListed, type NamedValue, useMatches, useNames } from '../client/references.ts';
import type { Reference } from '../document/group.ts';
import { markHidden } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { messageOf } from '../parts/message-of.ts';
import { text } from '../texts/text.ts';
import type { ControlProps } from './field.tsx';

/** A reference to one record, searched by a part of its name. */
export function ReferenceControl(props: ControlProps<string>) {
  const { field, entry, onEntry } = props;
  const reference = field.reference!;
  const [chosenRecord] = useNames(reference, entry === '' ? [] : [entry]);
  return (
    <span className="line">
      <Search
        {...props}
        shown={chosenRecord?.label ?? entry}
        onChoose={({ value }) => onEntry(value)}
        onWritten={onEntry}
      />
      {entry !== '' && field.nullable && (
        <button type="button" className="button plain square" title={text.form.clear} onClick={() => onEntry('')}>
          <Icon name="x" size={14} />
          <span className="hidden">{`${text.form.clear}: ${field.label}`}</span>
        </button>
      )}
      <NewRecord reference={reference} label={field.label} />
    </span>
  );
}

/** References to several records, each with a button that removes it. */
export function ReferencesControl(props: ControlProps<readonly string[]>) {
  const { field, entry, onEntry } = props;
  const reference = field.reference!;
  const names = useNames(reference, entry);
  const add = (value: string) => {
    if (value !== '' && !entry.includes(value)) onEntry([...entry, value]);
  };
  return (
    <>
      {names.length > 0 && (
        <ul className="chips" aria-label={field.label}>
          {names.map(({ value, label }) => (
            <li key={value}>
              {markHidden(label)}
              <button type="button" onClick={() => onEntry(entry.filter((candidate) => candidate !== value))}>
                <Icon name="x" size={12} />
                <span className="hidden">{`${text.form.remove}: ${markHidden(label)}`}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <span className="line">
        <Search {...props} entry="" shown="" onChoose={({ value }) => add(value)} onWritten={add} isAdding />
        <NewRecord reference={reference} label={field.label} />
      </span>
    </>
  );
}

/** An input that searches records while the user types. Text that is not chosen from the list is used as the value. */
function Search({
  field,
  id,
  shown,
  isDisabled,
  describedBy,
  isFaulty,
  isAdding = false,
  onChoose,
  onWritten,
}: Omit<ControlProps<string>, 'onEntry'> & {
  /** The name of the chosen record. */
  shown: string;
  isAdding?: boolean;
  onChoose(named: NamedValue): void;
  onWritten(text: string): void;
}) {
  const reference = field.reference!;
  const canSearch = isListed(reference.group);
  const [typedText, setWritten] = useState<string>();
  const [current, setCurrent] = useState(0);
  const searchTerm = useDeferredValue(typedText?.trim() ?? '');
  const isOpen = canSearch && typedText !== undefined;
  const matches = useMatches(reference, searchTerm, isOpen);
  const choices = isOpen ? (matches.data ?? []) : [];
  const choose = (record: NamedValue | undefined) => {
    if (record) onChoose(record);
    setWritten(undefined);
  };
  const leave = () => {
    // A pasted id is used as it is; an empty input clears the field.
    if (typedText !== undefined && (isAdding ? typedText.trim() !== '' : typedText !== shown))
      takeWritten(typedText.trim());
    setWritten(undefined);
  };
  const takeWritten = (typed: string) => {
    const exact = matches.data?.find(({ label, value }) => label === typed || value === typed);
    if (exact) onChoose(exact);
    else onWritten(typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      if (!isOpen) setWritten('');
      else if (choices.length > 0) setCurrent((current + step + choices.length) % choices.length);
    } else if (event.key === 'Enter' && isOpen) choose(choices[current]);
    else if (event.key === 'Escape' && isOpen) setWritten(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span className="search">
      <input
        className="input"
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-found` : undefined}
        aria-activedescendant={choices.length > 0 ? `${id}-${current}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={isFaulty}
        placeholder={isAdding ? text.form.add : text.form.choose}
        value={typedText ?? shown}
        disabled={isDisabled}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setWritten(event.target.value);
          setCurrent(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      {isOpen && (
        <div className="found">
          <div className="choices" id={`${id}-found`} role="listbox" aria-label={field.label}>
            {choices.map((choice, index) => (
              <div
                key={choice.value}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === current}
                // Runs before the input loses the focus.
                onPointerDown={(event) => {
                  event.preventDefault();
                  choose(choice);
                }}
              >
                <span className="grow">{markHidden(choice.label)}</span>
              </div>
            ))}
          </div>
          {matches.data?.length === 0 && <p className="quiet">{text.form.noneFound}</p>}
          {matches.error && <p className="quiet">{messageOf(matches.error)}</p>}
        </div>
      )}
    </span>
  );
}

/** A link that creates a missing record in a new window, so that this form stays open. */
function NewRecord({ reference, label }: { reference: Reference; label: string }) {
  const group = groups.find(({ name }) => name === reference.group);
  if (!group?.isListed || !group.canCreate) return null;
  return (
    <a
      className="button square"
      href={`/console/${group.page}?group=${group.name}&form=${group.name}.create`}
      target="_blank"
      rel="noopener"
      title={text.form.newRecord(group.title)}
    >
      <Icon name="plus" size={14} />
      <span className="hidden">{`${label}: ${text.form.newRecord(group.title)}`}</span>
    </a>
  );
}
