import { type Answer, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../client/session-context.ts';
import { isDangerous, nameOf, ownInput, takesMany } from '../document/actions.ts';
import type { GroupInfo, GroupOperation, InputField } from '../document/group.ts';
import { Field } from '../form/field.tsx';
import { defaultsOf, FormState } from '../form/form-state.ts';
import { useChanges } from '../form/use-form.ts';
import { Refusal } from '../parts/message.tsx';
import { messageOf } from '../parts/message-of.ts';
import { count } from '../parts/number.ts';
import { useKeys } from '../shell/keys.ts';
import { text } from '../texts/text.ts';
import { ActionResult } from './action-result.tsx';
import { callInputOf, fileTypeOf } from './call-input.ts';
import { callOneByOne } from './one-by-one.ts';
import { confirmFrom, nameOfSubject, type Subject } from './subject.ts';

/** The form of an action with its input fields, dry run and submit, then the response of the service. */
export function ActionForm({
  group,
  operation,
  subject,
  values: initialValues,
  onClose,
}: {
  group: GroupInfo;
  operation: GroupOperation;
  subject?: Subject;
  values?: Readonly<Record<string, unknown>>;
  onClose(isGone?: boolean): void;
}) {
  const { client } = useSession();
  const queries = useQueryClient();
  const ownName = subject && ownInput(group, operation);
  const fields = useMemo(() => formFields(operation, ownName), [operation, ownName]);
  const form = useMemo(() => {
    const state = new FormState(fields, defaultsOf(fields));
    if (initialValues) state.take(initialValues);
    return state;
  }, [fields, initialValues]);
  const [reason, setReason] = useState('');
  const [file, setFile] = useState<File>();
  // Closing the dialog cancels the calls that have not started.
  const [stopping] = useState(() => new AbortController());
  useEffect(() => () => stopping.abort(), [stopping]);
  const [done, setDone] = useState(0);
  const [typed, setTyped] = useState('');
  const isTyped = operation.writes && ownName !== undefined && subject!.length > confirmFrom;
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [triedAt, setTriedAt] = useState<number>();
  useChanges(form);
  const call = useMutation<Answer, Error, { dryRun: boolean; values: Record<string, unknown> }>({
    gcTime: 0,
    mutationFn: ({ dryRun, values }) => {
      const callWith = (ids: readonly string[]) =>
        client.call(operation, {
          ...callInputOf(operation, values, ownName === undefined ? undefined : { name: ownName, ids }),
          ...(file && { file: file.slice(0, file.size, fileTypeOf(operation, file.name)) }),
          ...(dryRun && { dryRun }),
          ...(reason.trim() !== '' && { reason: reason.trim() }),
        });
      if (!subject || ownName === undefined || subject.length === 1 || takesMany(operation, ownName))
        return callWith(subject?.map(({ id }) => id) ?? []);
      return callOneByOne(subject, (id) => callWith([id]), { signal: stopping.signal, onProgress: setDone });
    },
    onSuccess: (_, { dryRun }) => {
      if (operation.writes && !dryRun) void queries.invalidateQueries({ queryKey: [group.name] });
    },
  });
  const run = async (dryRun: boolean) => {
    setFaults([]);
    if (!dryRun && isTyped && typed.trim() !== String(subject!.length)) return setFaults([text.act.notConfirmed]);
    const values = form.body();
    if (values === undefined) return;
    try {
      await call.mutateAsync({ dryRun, values });
      setTriedAt(form.changes);
    } catch (error) {
      const fieldFaults = error instanceof PortreeveError ? error.faults : [];
      setFaults(fieldFaults.length > 0 ? form.mark(fieldFaults) : [messageOf(error)]);
    }
  };
  useKeys({ 'Ctrl enter': () => void run(true) });
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  const isDone = call.isSuccess && !call.variables.dryRun && operation.writes;
  const close = () => onClose(isDone && operation.pattern?.startsWith('delete'));
  return (
    <form
      className="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isDone) close();
        else void run(false);
      }}
    >
      <div className="dialog-body" ref={body}>
        {subject && ownName !== undefined && <p className="subject">{nameOfSubject(subject)}</p>}
        {faults.map((fault) => (
          <Refusal key={fault}>{fault}</Refusal>
        ))}
        {!isDone && (
          <>
            {fields.map((field) => (
              <Field key={field.name} form={form} field={field} isNew />
            ))}
            {operation.fileTypes && (
              <div className="field">
                <label htmlFor="act-file">{text.act.file}</label>
                <input
                  id="act-file"
                  type="file"
                  accept={operation.fileTypes.join(',')}
                  onChange={(event) => setFile(event.target.files?.[0])}
                />
                <p className="quiet">{operation.fileTypes.join(', ')}</p>
              </div>
            )}
            {isTyped && (
              <div className="field">
                <label htmlFor="act-typed">{text.act.confirm}</label>
                <input
                  className="input"
                  id="act-typed"
                  inputMode="numeric"
                  autoComplete="off"
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              </div>
            )}
            {operation.writes && (
              <div className="field">
                <label htmlFor="act-reason">{text.act.reason}</label>
                <input
                  className="input"
                  id="act-reason"
                  maxLength={500}
                  value={reason}
                  onChange={(event) => setReason(event.target.value)}
                />
              </div>
            )}
          </>
        )}
        {call.isPending && done > 0 && <p role="status">{text.list.countOf(count(done), count(subject!.length))}</p>}
        {call.isSuccess && (isDone || triedAt === form.changes) && (
          <ActionResult operation={operation} answer={call.data} isTry={call.variables.dryRun} />
        )}
      </div>
      <div className="save-bar">
        <span className="grow" />
        {isDone ? (
          <button type="submit" className="button main" ref={(button) => button?.focus()}>
            {text.detail.close}
          </button>
        ) : (
          <>
            <button type="button" className="button" onClick={close}>
              {text.act.cancel}
            </button>
            {operation.writes && (
              <button type="button" className="button" disabled={call.isPending} onClick={() => void run(true)}>
                {text.form.dryRun}
              </button>
            )}
            <button
              type="submit"
              className={`button main${isDangerous(operation) ? ' dangerous' : ''}`}
              disabled={call.isPending}
            >
              {verbOf(operation)}
            </button>
          </>
        )}
      </div>
    </form>
  );
}

/** Returns the fields that the user fills in: all inputs except the id of the target record. */
const formFields = (operation: GroupOperation, ownName: string | undefined): InputField[] =>
  [...(operation.parameters ?? []), ...(operation.fields ?? [])].filter(({ name }) => name !== ownName);

/** Returns the first word of the action's name, for the submit button. */
const verbOf = (operation: GroupOperation): string => nameOf(operation).split(' ')[0]!;
