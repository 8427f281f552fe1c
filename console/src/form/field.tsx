import type { InputField } from '../document/group.ts';
import { readableValue } from '../document/value.ts';
import { text } from '../texts/text.ts';
import { controlOf, type Entry } from './entry.ts';
import type { FormState } from './form-state.ts';
import { hasParts, PartsControl } from './parts-control.tsx';
import { ReferenceControl, ReferencesControl } from './reference-control.tsx';
import { SecretControl } from './secret-control.tsx';
import { useEntry } from './use-form.ts';

/** Properties of every control. */
export interface ControlProps<E extends Entry = Entry> {
  field: InputField;
  /** Id of the labelled element. */
  id: string;
  entry: E;
  isDisabled: boolean;
  /** Ids of the error message and the help text. */
  describedBy: string | undefined;
  isFaulty: boolean;
  onEntry(entry: E): void;
}

/** A field of a form: label, control, error message and help text. */
export function Field({
  form,
  field,
  isNew,
}: {
  form: FormState;
  field: InputField;
  /** The form creates a new record. */
  isNew: boolean;
}) {
  const { entry, fault, isChanged } = useEntry(form, field.name);
  return (
    <ShownField
      field={field}
      id={`field-${field.name}`}
      entry={entry}
      fault={fault}
      isChanged={isChanged}
      isRequired={field.required === true && isNew}
      isDisabled={!isNew && field.isImmutable === true}
      onEntry={(newEntry) => form.set(field.name, newEntry)}
    />
  );
}

interface ShownFieldProps extends Pick<ControlProps, 'field' | 'id' | 'entry' | 'isDisabled' | 'onEntry'> {
  fault?: string | undefined;
  isChanged?: boolean;
  isRequired: boolean;
}

/** A field with its entry as a property: used for fields of a form and for properties of a structured value. */
export function ShownField({
  field,
  id,
  entry,
  fault,
  isChanged = false,
  isRequired,
  isDisabled,
  onEntry,
}: ShownFieldProps) {
  const control = controlOf(field);
  const describedBy = [fault && `${id}-fault`, field.doc && `${id}-doc`].filter(Boolean).join(' ') || undefined;
  const props: ControlProps = { field, id, entry, isDisabled, describedBy, isFaulty: fault !== undefined, onEntry };
  const label = (
    <>
      {field.label}
      {isRequired && <small>{text.form.required}</small>}
      {isChanged && <small className="changed">{text.form.changed}</small>}
    </>
  );
  const rest = (
    <>
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {field.doc && (
        <p className="quiet" id={`${id}-doc`}>
          {field.doc}
        </p>
      )}
    </>
  );
  const className = `field${isChanged ? ' is-changed' : ''}`;
  if (control === 'mark')
    return (
      <div className={className} data-field={field.name}>
        <label className="mark">
          <input
            type="checkbox"
            id={id}
            checked={entry === true}
            disabled={isDisabled}
            aria-describedby={describedBy}
            onChange={(event) => onEntry(event.target.checked)}
          />
          {label}
        </label>
        {rest}
      </div>
    );
  if (isOfSeveral(field))
    return (
      <fieldset className={className} data-field={field.name} disabled={isDisabled} aria-describedby={describedBy}>
        <legend>{label}</legend>
        {hasParts(field) ? (
          <PartsControl {...(props as ControlProps<string>)} />
        ) : (
          <Radios {...(props as ControlProps<string>)} />
        )}
        {rest}
      </fieldset>
    );
  return (
    <div className={className} data-field={field.name}>
      <label htmlFor={id}>{label}</label>
      <ControlByKind {...props} />
      {rest}
    </div>
  );
}

/** Returns whether the control consists of several labelled elements. */
const isOfSeveral = (field: InputField): boolean =>
  hasParts(field) || (controlOf(field) === 'choice' && choicesOf(field).length <= radiosMax);

function ControlByKind(props: ControlProps) {
  switch (controlOf(props.field)) {
    case 'secret':
      return <SecretControl {...(props as ControlProps<string | null>)} />;
    case 'reference':
      return <ReferenceControl {...(props as ControlProps<string>)} />;
    case 'references':
      return <ReferencesControl {...(props as ControlProps<readonly string[]>)} />;
    case 'choice':
      return <Select {...(props as ControlProps<string>)} />;
    case 'list':
    case 'lines':
    case 'code':
      return <Lines {...(props as ControlProps<string>)} />;
    default:
      return <Line {...(props as ControlProps<string>)} />;
  }
}

const Line = ({ field, id, entry, isDisabled, describedBy, isFaulty, onEntry }: ControlProps<string>) => {
  const isNumber = field.kind === 'integer' || field.kind === 'decimal';
  return (
    <span className="line">
      <input
        className={`input${isNumber ? ' short' : ''}${field.kind === 'mac' ? ' mono' : ''}`}
        id={id}
        value={entry}
        disabled={isDisabled}
        inputMode={isNumber ? 'decimal' : undefined}
        maxLength={field.kind === 'text' ? field.lengthMax : undefined}
        placeholder={hintOf(field)}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={describedBy}
        aria-invalid={isFaulty}
        onChange={(event) => onEntry(event.target.value)}
      />
      {field.unit && <span className="quiet">{field.unit}</span>}
    </span>
  );
};

const linesShown = { min: 2, max: 14 } as const;

export const Lines = ({ field, id, entry, isDisabled, describedBy, isFaulty, onEntry }: ControlProps<string>) => {
  const isCode = controlOf(field) === 'code';
  const hint = isCode && field.example !== undefined ? JSON.stringify(field.example, null, 2) : hintOf(field);
  const lines = (entry || (isCode ? hint : '') || '').split('\n').length + (field.kind === 'mixed' ? 0 : 1);
  return (
    <textarea
      className={`input lines${isCode ? ' mono' : ''}`}
      id={id}
      value={entry}
      rows={Math.max(field.kind === 'mixed' ? 1 : linesShown.min, Math.min(lines, linesShown.max))}
      disabled={isDisabled}
      placeholder={hint}
      spellCheck={controlOf(field) === 'lines'}
      aria-describedby={describedBy}
      aria-invalid={isFaulty}
      onChange={(event) => onEntry(event.target.value)}
    />
  );
};

function hintOf(field: InputField): string | undefined {
  if (field.kind === 'time') return text.form.timeHint;
  if (field.kind === 'mixed') return text.form.mixedHint;
  if (field.kind === 'list') return field.choices ? field.choices.join('\n') : text.form.listHint;
  return undefined;
}

interface Choice {
  value: string;
  label: string;
}

const radiosMax = 5;

/** Returns the choices; an optional field also has an empty one. */
function choicesOf({ kind, choices, words, nullable, required, default: value }: InputField): Choice[] {
  const isOptional = nullable || (!required && value === undefined);
  const values =
    kind === 'flag'
      ? [
          { value: 'true', label: text.form.yes },
          { value: 'false', label: text.form.no },
        ]
      : choices
        ? choices.map((choice) => ({ value: choice, label: readableValue(choice) }))
        : (words ?? []).map((word, number) => ({ value: String(number), label: word }));
  return isOptional
    ? [{ value: '', label: kind === 'flag' ? text.form.useDefault : text.form.none }, ...values]
    : values;
}

const Radios = ({ field, id, entry, onEntry }: ControlProps<string>) => (
  <div className="radios">
    {choicesOf(field).map(({ value, label }, index) => (
      <label key={value}>
        <input
          type="radio"
          name={id}
          id={index === 0 ? id : undefined}
          checked={entry === value}
          onChange={() => onEntry(value)}
        />
        {label}
      </label>
    ))}
  </div>
);

const Select = ({ field, id, entry, isDisabled, describedBy, isFaulty, onEntry }: ControlProps<string>) => {
  const choices = choicesOf(field);
  const isKnown = choices.some(({ value }) => value === entry);
  return (
    <select
      className="input"
      id={id}
      value={entry}
      disabled={isDisabled}
      aria-describedby={describedBy}
      aria-invalid={isFaulty}
      onChange={(event) => onEntry(event.target.value)}
    >
      {!isKnown && <option value={entry}>{entry || text.form.choose}</option>}
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
};
