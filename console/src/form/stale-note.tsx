import { markHidden } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';
import type { Entry } from './entry.ts';
import type { Clash, FormState } from './form-state.ts';
import { useChanges } from './use-form.ts';

/** The note after a concurrent change: the form already has the other changes, and the user chooses a value for each field that both changed. */
export function StaleNote({
  form,
  clashes,
  by: changedBy,
  onDone,
}: {
  form: FormState;
  clashes: readonly Clash[];
  by: unknown;
  onDone(): void;
}) {
  useChanges(form);
  return (
    <section className="stale" role="alert">
      <h3>
        <Icon name="triangle-alert" size={14} />
        {text.form.stale(
          typeof changedBy === 'string' && changedBy !== '' ? markHidden(changedBy) : text.form.anotherUser,
        )}
      </h3>
      {clashes.length > 0 ? <p>{text.form.clash}</p> : <p>{text.form.noClash}</p>}
      {clashes.map(({ field, mine, theirs }) => (
        <fieldset key={field.name} className="radios">
          <legend>{field.label}</legend>
          <Side
            name={field.name}
            label={text.form.mine}
            entry={mine}
            isChosen={form.isChanged(field.name)}
            onChoose={() => form.set(field.name, mine)}
          />
          <Side
            name={field.name}
            label={text.form.theirs}
            entry={theirs}
            isChosen={!form.isChanged(field.name)}
            onChoose={() => form.set(field.name, theirs)}
          />
        </fieldset>
      ))}
      <button type="button" className="button" onClick={onDone}>
        {text.form.confirm}
      </button>
    </section>
  );
}

const Side = ({
  name,
  label,
  entry,
  isChosen,
  onChoose,
}: {
  name: string;
  label: string;
  entry: Entry;
  isChosen: boolean;
  onChoose(): void;
}) => (
  <label>
    <input type="radio" name={`clash-${name}`} checked={isChosen} onChange={onChoose} />
    {label}: <span className="mono">{markHidden(String(entry ?? ''))}</span>
  </label>
);
