import { type Answer, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { ActionResult } from '../action/action-result.tsx';
import { type RecordValue, useFormRecord } from '../client/group-calls.ts';
import { useSession } from '../client/session-context.ts';
import { editorsOf } from '../document/actions.ts';
import type { GroupInfo, GroupOperation, InputField } from '../document/group.ts';
import { markHidden } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure, Message, Refusal } from '../parts/message.tsx';
import { messageOf } from '../parts/message-of.ts';
import { Footer } from '../shell/footer.tsx';
import { useKeys } from '../shell/keys.ts';
import { text } from '../texts/text.ts';
import { draftName, dropDraft, keepDraft, takeDraft } from './drafts.ts';
import { Field } from './field.tsx';
import { FormSidebar } from './form-sidebar.tsx';
import { type Clash, defaultsOf, FormState } from './form-state.ts';
import { isStale, useSave } from './saving.ts';
import { type FormSection, sectionsOf } from './sections.ts';
import { StaleNote } from './stale-note.tsx';
import { useChanges } from './use-form.ts';
import '../style/form.css';

export interface FormPageProps {
  group: GroupInfo;
  operation: GroupOperation;
  /** The record to edit, or to copy for a new one; null if there is none. */
  id: string | null;
  head: ReactNode;
  /** Leaves the form; `saved` is the id of the saved record. */
  onLeave(saved?: string): void;
}

/** The form page for a new or existing record. */
export function FormPage(props: FormPageProps) {
  const { group, operation, id, head, onLeave } = props;
  const record = useFormRecord(group, id);
  if (record.error)
    return (
      <>
        <header className="head">{head}</header>
        <Failure error={record.error} onRetry={() => void record.refetch()} />
      </>
    );
  if (record.data === undefined) return <header className="head">{head}</header>;
  const [storedRecord] = record.data?.results ?? [];
  if (id !== null && storedRecord === undefined)
    return (
      <>
        <header className="head">{head}</header>
        <Message title={text.detail.notFound}>
          <button type="button" className="button" onClick={() => onLeave()}>
            {text.detail.close}
          </button>
        </Message>
      </>
    );
  const refetch = async () => {
    const { data } = await record.refetch();
    return data?.results[0];
  };
  return <Form key={operation.id} {...props} read={storedRecord} etag={record.data?.etag} onRead={refetch} />;
}

const draftMs = 300;

function Form({
  group,
  operation,
  id,
  head,
  onLeave,
  read: storedRecord,
  etag,
  onRead,
}: FormPageProps & {
  read: RecordValue | undefined;
  etag: string | undefined;
  /** Reloads the record. */
  onRead(): Promise<RecordValue | undefined>;
}) {
  const { userID } = useSession();
  const isNew = !editorsOf(group).includes(operation);
  const fields = useMemo(() => formFields(operation), [operation]);
  const draft = draftName(userID, operation.id, id);
  const [keptAt, setKeptAt] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form keeps its entries when the record is reloaded
  const form = useMemo(() => formOf(fields, isNew, storedRecord), [operation.id]);
  const save = useSave(group, operation, isNew ? null : id);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [clashes, setClashes] = useState<readonly Clash[]>();
  const [created, setMade] = useState<Answer>();
  const [reason, setReason] = useState('');
  /** The change counter at the last dry run. */
  const [triedAt, setTriedAt] = useState<number>();
  const [focused, setFocused] = useState<InputField>();
  useEffect(() => setKeptAt(takeDraft(draft, form)), [draft, form]);
  const isFinished = useRef(false);
  useEffect(() => keepWhileWriting(() => isFinished.current || keepDraft(draft, form), form), [draft, form]);
  /** Leaves after saving or discarding; the draft is deleted. */
  const leave = (saved?: string) => {
    isFinished.current = true;
    dropDraft(draft);
    onLeave(saved);
  };
  const formBody = useRef<HTMLDivElement>(null);
  useEffect(() => formBody.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);

  const write = async (dryRun: boolean) => {
    setFaults([]);
    const values = form.body();
    if (values === undefined) return;
    try {
      const answer = await save.mutateAsync({
        values,
        dryRun,
        reason: reason.trim() || undefined,
        ifMatch: isNew ? undefined : etag,
      });
      if (dryRun) return setTriedAt(form.changes);
      // The response can contain a password that is shown only once.
      if (isNew && answer.results.length > 0) return setMade(answer);
      leave(isNew ? answer.id?.toString() : (id ?? undefined));
    } catch (error) {
      if (isStale(error)) {
        const newer = await onRead();
        if (newer) return setClashes(form.rebase(newer));
      }
      const fieldFaults = error instanceof PortreeveError ? error.faults : [];
      setFaults(fieldFaults.length > 0 ? form.mark(fieldFaults) : [messageOf(error)]);
    }
  };
  useKeys({
    'Ctrl s': () => void write(false),
    'Ctrl enter': () => void write(true),
  });
  if (created)
    return (
      <>
        <header className="head">{head}</header>
        <Message title={text.act.done}>
          <ActionResult operation={operation} answer={created} isTry={false} />
          <button
            type="button"
            className="button main"
            ref={(button) => button?.focus()}
            onClick={() => leave(created.id?.toString())}
          >
            {text.detail.close}
          </button>
        </Message>
      </>
    );
  const sections = sectionsOf(group, fields);
  const name = isNew
    ? text.form.new(group.title)
    : markHidden(String(storedRecord?.[group.label ?? ''] || group.title));
  return (
    <>
      <header className="head">
        {head}
        <span className="quiet">›</span>
        <h2 className="record-name">{name}</h2>
        <span className="grow" />
        {keptAt && <span className="quiet">{text.form.draft(new Date(keptAt).toLocaleTimeString())}</span>}
      </header>
      <div className="form">
        <Index form={form} sections={sections} />
        <form
          className="form-fields"
          aria-label={name}
          onSubmit={(event) => {
            event.preventDefault();
            void write(false);
          }}
          onFocus={({ target }) => {
            const name = target.closest<HTMLElement>('[data-field]')?.dataset.field;
            setFocused(fields.find((field) => field.name === name));
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.defaultPrevented) return;
            event.preventDefault();
            onLeave();
          }}
        >
          <div className="form-scroll" ref={formBody}>
            {clashes && (
              <StaleNote
                form={form}
                clashes={clashes}
                by={storedRecord?.lastModifiedBy}
                onDone={() => setClashes(undefined)}
              />
            )}
            {faults.map((fault) => (
              <Refusal key={fault}>{fault}</Refusal>
            ))}
            {sections.map((section) => (
              <section key={section.title} id={anchorOf(section)} className="form-section">
                {sections.length > 1 && <h3>{section.title}</h3>}
                {section.fields.map((field) => (
                  <Field key={field.name} form={form} field={field} isNew={isNew} />
                ))}
              </section>
            ))}
          </div>
          <SaveBar
            form={form}
            isNew={isNew}
            isBusy={save.isPending}
            reason={reason}
            onReason={setReason}
            onTry={() => void write(true)}
            onDiscard={() => leave()}
          />
        </form>
        <FormSidebar
          form={form}
          isNew={isNew}
          field={focused}
          operation={operation}
          tried={save.data}
          triedAt={triedAt}
        />
      </div>
      <Footer keys={text.keys.form} />
    </>
  );
}

/** Returns the inputs of the form: fields of the body and query parameters. */
const formFields = ({ fields = [], parameters = [] }: GroupOperation): InputField[] => [
  ...fields,
  ...parameters.filter((parameter) => parameter.in === 'query'),
];

/** Creates the form state: the stored values, or for a new record the defaults and the values of the copied record. */
function formOf(fields: readonly InputField[], isNew: boolean, storedRecord: RecordValue | undefined): FormState {
  if (!isNew) return new FormState(fields, storedRecord ?? {});
  const form = new FormState(fields, defaultsOf(fields));
  if (storedRecord) form.take(storedRecord);
  return form;
}

/** Stores the draft shortly after each change, and once more when the form closes. */
function keepWhileWriting(keep: () => void, form: FormState): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = form.listen(undefined, () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      keep();
    }, draftMs);
  });
  return () => {
    stop();
    if (timer === undefined) return;
    clearTimeout(timer);
    keep();
  };
}

const anchorOf = ({ title }: FormSection): string => `section-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;

/** The list of sections, each with the number of changed and invalid fields. */
function Index({ form, sections }: { form: FormState; sections: readonly FormSection[] }) {
  useChanges(form);
  if (sections.length < 2) return null;
  const [changed, faulty] = [new Set(form.changed), new Set(form.faulty)];
  return (
    <nav className="form-index" aria-label={text.form.sections}>
      {sections.map((section) => {
        const changes = section.fields.filter((field) => changed.has(field)).length;
        const faults = section.fields.filter((field) => faulty.has(field)).length;
        return (
          <button
            key={section.title}
            type="button"
            className="entry"
            onClick={() => {
              const place = document.getElementById(anchorOf(section))!;
              place.scrollIntoView();
              place.querySelector<HTMLElement>('input, select, textarea')?.focus();
            }}
          >
            <span className="grow">{section.title}</span>
            {faults > 0 && <b className="bad">{`▲ ${faults}`}</b>}
            {changes > 0 && <b className="accent">{changes}</b>}
          </button>
        );
      })}
    </nav>
  );
}

/** The bar with the number of changes and errors, and the buttons. It is always visible. */
function SaveBar({
  form,
  isNew,
  isBusy,
  reason,
  onReason,
  onTry,
  onDiscard,
}: {
  form: FormState;
  isNew: boolean;
  isBusy: boolean;
  reason: string;
  onReason(reason: string): void;
  onTry(): void;
  onDiscard(): void;
}) {
  useChanges(form);
  const [changed, faulty] = [form.changed.length, form.faulty.length];
  return (
    <div className="save-bar">
      <span role="status">
        {faulty > 0 && (
          <b className="bad">
            <Icon name="triangle-alert" size={14} />
            {text.form.faults(faulty)}
          </b>
        )}
        <span className="quiet">{text.form.changes(changed)}</span>
      </span>
      <span className="grow" />
      <input
        className="input reason"
        aria-label={text.form.reason}
        placeholder={text.form.reason}
        maxLength={500}
        value={reason}
        onChange={(event) => onReason(event.target.value)}
      />
      <button type="button" className="button" onClick={onDiscard}>
        {text.form.discard}
      </button>
      <button type="button" className="button" onClick={onTry} disabled={isBusy}>
        {text.form.dryRun}
      </button>
      <button type="submit" className="button main" disabled={isBusy || (changed === 0 && !isNew)}>
        {isNew ? text.form.create : text.form.save}
      </button>
    </div>
  );
}
