import { useState } from 'react';
import type { InputField } from '../document/group.ts';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';
import { controlOf, type Entry, entryOf, sentValue } from './entry.ts';
import { type ControlProps, Lines, ShownField } from './field.tsx';
import { MarksControl } from './marks-control.tsx';
import { emptyOf, isSameValue, jsonValueOf, partIn, withPart } from './parts.ts';
import { ScheduleControl } from './schedule-control.tsx';

export const hasParts = ({ parts, isSchedule }: InputField): boolean => parts !== undefined || isSchedule === true;

/** A structured value: one control for each property, or the complete value as JSON. */
export function PartsControl(props: ControlProps<string>) {
  const { field, id, entry, isDisabled } = props;
  const [isText, setIsText] = useState(false);
  const value = jsonValueOf(entry);
  const isShownAsText = isText || value === undefined;
  return (
    <>
      {isShownAsText ? (
        <>
          <label className="hidden" htmlFor={id}>
            {field.label}
          </label>
          <Lines {...props} />
        </>
      ) : (
        <ByParts {...props} value={value} />
      )}
      {!isDisabled && (
        <p>
          <button
            type="button"
            className="button plain"
            disabled={value === undefined}
            onClick={() => setIsText(!isShownAsText)}
          >
            {isShownAsText ? text.form.asForm : text.form.asText}
            <span className="hidden">: {field.label}</span>
          </button>
        </p>
      )}
    </>
  );
}

interface PartsProps {
  field: InputField;
  id: string;
  value: unknown;
  isDisabled: boolean;
  onEntry(entry: string): void;
}

function ByParts({ field, id, value, isDisabled, onEntry }: PartsProps) {
  const { parts = [], kind, isSchedule } = field;
  const put = (newValue: unknown) => onEntry(String(entryOf(field, newValue)));
  if (kind === 'list')
    return (
      <Rows field={field} id={id} values={Array.isArray(value) ? value : []} isDisabled={isDisabled} onValues={put} />
    );
  if (value === null && field.nullable)
    return (
      <button type="button" className="button" disabled={isDisabled} onClick={() => put(emptyOf(field))}>
        <Icon name="plus" size={14} />
        {text.form.set}
        <span className="hidden">: {field.label}</span>
      </button>
    );
  const object = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (field.keys)
    return <MarksControl keys={field.keys} marks={parts} value={object} isDisabled={isDisabled} onValue={put} />;
  return (
    <div className="parts">
      {isSchedule ? (
        <ScheduleControl id={id} value={object} isDisabled={isDisabled} onValue={put} />
      ) : (
        <Parts parts={parts} id={id} value={object} isDisabled={isDisabled} onValue={put} />
      )}
      {field.nullable && <Remove label={field.label} isDisabled={isDisabled} onRemove={() => put(null)} />}
    </div>
  );
}

function Parts({
  parts,
  id,
  value,
  isDisabled,
  onValue,
}: {
  parts: readonly InputField[];
  id: string;
  value: Readonly<Record<string, unknown>>;
  isDisabled: boolean;
  onValue(value: Readonly<Record<string, unknown>>): void;
}) {
  return parts.map((part) => (
    <Part
      key={part.name}
      part={partIn(part, value)}
      id={`${id}-${part.name}`}
      value={value[part.name]}
      isDisabled={isDisabled}
      onValue={(newValue) => onValue(withPart(parts, value, part, newValue))}
    />
  ));
}

/** The control of one property. It keeps the typed text, because an incomplete line is not a value yet. */
function Part({
  part,
  id,
  value,
  isDisabled,
  onValue,
}: {
  part: InputField;
  id: string;
  value: unknown;
  isDisabled: boolean;
  onValue(value: unknown): void;
}) {
  const [typedEntry, setWritten] = useState<Entry>();
  const isOwn = typedEntry !== undefined && isSameValue(sentValue(part, typedEntry), value);
  if (hasParts(part))
    return (
      <fieldset className="field" disabled={isDisabled}>
        <legend>{part.label}</legend>
        {part.doc && <p className="quiet">{part.doc}</p>}
        <ByParts
          field={part}
          id={id}
          value={value ?? null}
          isDisabled={isDisabled}
          onEntry={(entry) => onValue(sentValue(part, entry))}
        />
      </fieldset>
    );
  return (
    <ShownField
      field={part}
      id={id}
      entry={isOwn ? typedEntry : entryOf(part, value)}
      isRequired={part.required === true && controlOf(part) !== 'mark'}
      isDisabled={isDisabled}
      onEntry={(entry) => {
        setWritten(entry);
        onValue(sentValue(part, entry));
      }}
    />
  );
}

function Rows({
  field,
  id,
  values,
  isDisabled,
  onValues,
}: {
  field: InputField;
  id: string;
  values: readonly unknown[];
  isDisabled: boolean;
  onValues(values: readonly unknown[]): void;
}) {
  const { parts = [], label } = field;
  return (
    <>
      {values.length > 0 && (
        <ol className="rows-of-parts" aria-label={label}>
          {values.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity, and a property shows typed text only if it matches the value
            <li key={index} className="parts">
              <Parts
                parts={parts}
                id={`${id}-${index}`}
                value={value as Readonly<Record<string, unknown>>}
                isDisabled={isDisabled}
                onValue={(newValue) => onValues(values.with(index, newValue))}
              />
              <Remove
                label={text.form.numbered(label, index + 1)}
                isDisabled={isDisabled}
                onRemove={() => onValues(values.filter((_, place) => place !== index))}
              />
            </li>
          ))}
        </ol>
      )}
      <button
        type="button"
        className="button"
        disabled={isDisabled}
        onClick={() => onValues([...values, emptyOf({ ...field, kind: 'object' })])}
      >
        <Icon name="plus" size={14} />
        {text.form.addTo(label)}
      </button>
    </>
  );
}

const Remove = ({ label, isDisabled, onRemove }: { label: string; isDisabled: boolean; onRemove(): void }) => (
  <button type="button" className="button plain" disabled={isDisabled} onClick={onRemove}>
    <Icon name="x" size={14} />
    {text.form.removeFrom(label)}
  </button>
);
