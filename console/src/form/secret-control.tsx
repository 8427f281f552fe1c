import { useState } from 'react';
import { text } from '../texts/text.ts';
import type { ControlProps } from './field.tsx';

/** The input for a secret. The API never returns secrets, so the form cannot show whether one is set. */
export function SecretControl({
  field,
  id,
  entry,
  isDisabled,
  describedBy,
  isFaulty,
  onEntry,
}: ControlProps<string | null>) {
  const [isShown, setShown] = useState(false);
  return (
    <span className="line">
      <input
        className="input"
        id={id}
        type={isShown ? 'text' : 'password'}
        value={entry ?? ''}
        placeholder={entry === null ? text.form.removed : text.form.secretHint}
        maxLength={field.lengthMax}
        disabled={isDisabled}
        spellCheck={false}
        autoComplete="new-password"
        aria-describedby={describedBy}
        aria-invalid={isFaulty}
        onChange={(event) => onEntry(event.target.value)}
      />
      {entry ? (
        <button type="button" className="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {text.form.show}
        </button>
      ) : (
        field.nullable && (
          <button type="button" className="button" onClick={() => onEntry(entry === null ? '' : null)}>
            {entry === null ? text.form.keep : text.form.remove}
          </button>
        )
      )}
    </span>
  );
}
