import type { Answer } from '@portreeve/sdk/runtime.ts';
import type { GroupOperation, InputField } from '../document/group.ts';
import { markHidden } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { count } from '../parts/number.ts';
import { text } from '../texts/text.ts';
import { controlOf, type Entry } from './entry.ts';
import type { FormState } from './form-state.ts';
import { useChanges } from './use-form.ts';

/** The help of the focused field, the changes to be saved, and the result of a dry run. */
export function FormSidebar({
  form,
  isNew,
  field,
  operation,
  tried,
  triedAt,
}: {
  form: FormState;
  isNew: boolean;
  field: InputField | undefined;
  operation: GroupOperation;
  tried: Answer | undefined;
  /** The change counter at the dry run: its result is hidden after further changes. */
  triedAt: number | undefined;
}) {
  useChanges(form);
  return (
    <aside className="form-aside" aria-label={text.form.help}>
      {field && (
        <section className="section">
          <h3>
            {field.label} <span className="quiet">{boundsOf(field)}</span>
          </h3>
          <p>{field.doc}</p>
        </section>
      )}
      {form.changed.length > 0 && (
        <section className="section">
          <h3>{text.form.changesToSave}</h3>
          <dl className="facts">
            {form.changed.map((changedField) => (
              <div key={changedField.name}>
                <dt>{changedField.label}</dt>
                <dd>
                  {!isNew && (
                    <>
                      <s className="quiet">{shownEntry(changedField, form.initial(changedField.name))}</s>
                      {' → '}
                    </>
                  )}
                  {shownEntry(changedField, form.entry(changedField.name))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {tried && triedAt === form.changes && (
        <section className="section" role="status">
          <h3>
            <Icon name="check" size={14} />
            {text.form.accepted}
          </h3>
          {operation.query.includes('maxImpact') && <p>{impactOf(tried)}</p>}
        </section>
      )}
    </aside>
  );
}

const impactOf = ({ httpCode, filtered = 0 }: Answer): string =>
  httpCode === 202 ? text.form.comparing : text.form.impact(count(filtered));

/** Describes the limits of a field. */
function boundsOf({ unit, min, max, lengthMax, kind }: InputField): string {
  const isNumber = kind === 'integer' || kind === 'decimal';
  const bounds = isNumber
    ? [min !== undefined && max !== undefined && text.form.between(count(min), count(max))]
    : [lengthMax !== undefined && text.form.lengthMax(count(lengthMax))];
  return [unit, ...bounds].filter(Boolean).join(', ');
}

const shownMax = 120;

/** Formats an entry in one line. */
function shownEntry(field: InputField, entry: Entry): string {
  if (controlOf(field) === 'secret') return entry === null ? text.form.removed : text.form.secretSet;
  if (typeof entry === 'boolean') return entry ? text.form.yes : text.form.no;
  const line = markHidden(typeof entry === 'string' ? entry.replaceAll(/\s*\n\s*/g, ' ') : (entry ?? []).join(', '));
  if (line === '') return text.form.empty;
  return line.length > shownMax ? `${line.slice(0, shownMax)}…` : line;
}
