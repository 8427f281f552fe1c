import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { useCounts } from '../client/counts.ts';
import { type FieldInfo, type GroupInfo, isDeepKind } from '../document/group.ts';
import { markHidden, readableValue } from '../document/value.ts';
import { Refusal } from '../parts/message.tsx';
import { count } from '../parts/number.ts';
import { text } from '../texts/text.ts';
import type { Comparison, Condition } from './conditions.ts';
import { escaped } from './filter-text.ts';
import '../style/form.css';

/** The dialog for one condition: field, operator and values. */
export function ConditionDialog({
  group,
  filter,
  condition,
  fault,
  onDone,
  onClose,
}: {
  group: GroupInfo;
  /** The other conditions: value counts are restricted by them. */
  filter: string;
  /** The condition to edit. */
  condition?: Condition;
  /** Error message of the service. */
  fault: string;
  onDone(condition: Condition, isAlternative: boolean): void;
  onClose(): void;
}) {
  const fields = group.fields.filter((field) => field.filter && !isDeepKind(field.kind));
  const [name, setName] = useState(condition?.field ?? '');
  const [comparison, setComparison] = useState<Comparison>(condition?.comparison ?? 'is');
  const [values, setValues] = useState<readonly string[]>(condition?.values ?? []);
  const field = fields.find((candidate) => candidate.name === name);
  const offered = field ? [...new Set([...comparisonsOf(field), comparison])] : [];
  const needsValue = comparison !== 'isEmpty' && comparison !== 'isNotEmpty';
  const isReady = field !== undefined && offered.includes(comparison) && (!needsValue || values.length > 0);
  const take = (isAlternative: boolean) => {
    if (isReady) onDone({ field: name, comparison, values: needsValue ? values : [] }, isAlternative);
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog">
          <Dialog.Title className="dialog-title">{text.filter.title}</Dialog.Title>
          <form
            className="act-form"
            onSubmit={(event) => {
              event.preventDefault();
              take(false);
            }}
          >
            <div className="dialog-body">
              {fault && <Refusal>{fault}</Refusal>}
              <div className="field">
                <label htmlFor="condition-field">{text.filter.field}</label>
                <select
                  className="input"
                  id="condition-field"
                  value={name}
                  onChange={(event) => {
                    setName(event.target.value);
                    setComparison('is');
                    setValues([]);
                  }}
                >
                  <option value="">{text.form.choose}</option>
                  {fields.map((option) => (
                    <option key={option.name} value={option.name}>
                      {option.label}
                    </option>
                  ))}
                </select>
              </div>
              {field && (
                <fieldset className="field">
                  <legend>{text.filter.comparison}</legend>
                  <div className="radios">
                    {offered.map((option) => (
                      <label key={option}>
                        <input
                          type="radio"
                          name="comparison"
                          checked={comparison === option}
                          onChange={() => setComparison(option)}
                        />
                        {text.filter.comparisons[option]}
                      </label>
                    ))}
                  </div>
                </fieldset>
              )}
              {field && needsValue && (
                <Values key={name} group={group} field={field} filter={filter} values={values} onValues={setValues} />
              )}
            </div>
            <div className="save-bar">
              <span className="grow" />
              <button type="button" className="button" disabled={!isReady} onClick={() => take(true)}>
                {text.filter.or}
              </button>
              <button type="submit" className="button main" disabled={!isReady}>
                {text.filter.done}
              </button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const isNamed = ({ kind, choices, words, reference }: FieldInfo): boolean =>
  kind === 'flag' || choices !== undefined || words !== undefined || reference !== undefined;

const ordered: ReadonlySet<string> = new Set(['integer', 'decimal', 'time']);

/** Returns the operators for a field. */
function comparisonsOf(field: FieldInfo): Comparison[] {
  const order: Comparison[] = ordered.has(field.kind) && !isNamed(field) ? ['isAtLeast', 'isAtMost'] : [];
  return ['is', 'isNot', ...order, 'isEmpty', 'isNotEmpty'];
}

/** The values of the condition: for a field with known values, those that occur, with their counts; otherwise a text input. */
function Values({
  group,
  field,
  filter,
  values,
  onValues,
}: {
  group: GroupInfo;
  field: FieldInfo;
  filter: string;
  values: readonly string[];
  onValues(values: readonly string[]): void;
}) {
  const counted = useCounts(group.name, field.name, filter, isNamed(field));
  const valueCounts = (counted.data ?? []).filter(({ value }) => value !== null && value !== '');
  if (!isNamed(field) || counted.error || (counted.data && valueCounts.length === 0))
    return (
      <div className="field">
        <label htmlFor="condition-values">{text.filter.value}</label>
        <textarea
          className="input lines"
          id="condition-values"
          rows={2}
          defaultValue={values.join('\n')}
          placeholder={field.kind === 'time' ? text.filter.timeHint : text.filter.valueHint}
          aria-describedby="condition-hint"
          spellCheck={false}
          onChange={(event) => onValues(event.target.value.split('\n').filter((line) => line.trim() !== ''))}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <p className="quiet" id="condition-hint">
          {text.filter.linesHint}
        </p>
      </div>
    );
  const highestCount = Math.max(...valueCounts.map((valueCount) => valueCount.count), 1);
  return (
    <fieldset className="field counted">
      <legend>{text.filter.value}</legend>
      {valueCounts.map(({ value, count: records }) => {
        const escapedValue = escaped(String(value));
        return (
          <label key={escapedValue}>
            <input
              type="checkbox"
              checked={values.includes(escapedValue)}
              onChange={({ target }) =>
                onValues(
                  target.checked
                    ? [...values, escapedValue]
                    : values.filter((selectedValue) => selectedValue !== escapedValue),
                )
              }
            />
            <span className="grow">{shownChoice(field, value)}</span>
            <meter min={0} max={highestCount} value={records} aria-hidden="true" />
            <span className="quiet">{count(records)}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** A value as people call it. */
function shownChoice(field: FieldInfo | undefined, value: string | number | boolean | null): string {
  if (field?.kind === 'flag') return String(value) === 'true' ? text.form.yes : text.form.no;
  return field?.words?.[Number(value)] ?? readableValue(markHidden(String(value)));
}
