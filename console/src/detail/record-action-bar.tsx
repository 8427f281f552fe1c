import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Subject } from '../action/subject.ts';
import { may } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { creatorsOf, editorsOf } from '../document/actions.ts';
import type { GroupInfo, GroupOperation } from '../document/group.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon-names.ts';
import { useKeys } from '../shell/keys.ts';
import { text } from '../texts/text.ts';

const ActionDialog = lazy(async () => ({ default: (await import('../action/action-dialog.tsx')).ActionDialog }));

/** The button for a form. */
interface FormButton {
  /** Operations with a form page; if there are several, the user chooses one first. */
  operations: readonly GroupOperation[];
  label: string;
  icon: IconName;
  key: string;
}

export const newForm = (group: GroupInfo): FormButton => ({
  operations: creatorsOf(group),
  label: text.act.new,
  icon: 'plus',
  key: 'n',
});

export const editForm = (group: GroupInfo): FormButton => ({
  operations: editorsOf(group),
  label: text.act.edit,
  icon: 'pencil',
  key: 'e',
});

/** The buttons of a list or record: its form and its actions. Only permitted ones are shown. */
export function RecordActionBar({
  group,
  form,
  actions,
  actionKey,
  subject,
  isAddressed = true,
  onForm,
  onGone,
}: {
  group: GroupInfo;
  form?: FormButton;
  actions: readonly GroupOperation[];
  actionKey: string;
  subject?: Subject;
  /** The `act` parameter of the address can open an action. */
  isAddressed?: boolean;
  onForm?(operation: string): void;
  /** Called after the record was deleted. */
  onGone?(): void;
}) {
  const session = useSession();
  const [opened, setOpened] = useState<'forms' | 'actions'>();
  const [search, setSearch] = useSearchParams();
  const allowedForms = (form?.operations ?? []).filter((operation) => may(session, operation));
  const allowedActions = actions.filter((action) => may(session, action));
  const openForm = () => {
    if (allowedForms.length === 1) onForm?.(allowedForms[0]!.id);
    else if (allowedForms.length > 1) setOpened('forms');
  };
  // The `act` parameter names an action of the open record, or of the list if none is open.
  const isOfRecord = search.has('open') || search.has('page');
  const addressedAction = allowedActions.find(
    ({ id }) => isAddressed && id === search.get('act') && isOfRecord === (subject !== undefined),
  );
  const forget = () =>
    setSearch((before) => {
      const parameters = new URLSearchParams(before);
      parameters.delete('act');
      return parameters;
    });
  const openActions = () => allowedActions.length > 0 && setOpened('actions');
  useKeys({ ...(form && { [form.key]: openForm }), [actionKey]: openActions });
  return (
    <>
      {form && allowedForms.length > 0 && (
        <button type="button" className="button" title={`${form.label} (${form.key})`} onClick={openForm}>
          <Icon name={form.icon} size={14} />
          {form.label}
        </button>
      )}
      {allowedActions.length > 0 && (
        <button type="button" className="button" title={`${text.act.actions} (${actionKey})`} onClick={openActions}>
          <Icon name="zap" size={14} />
          {text.act.actions}
        </button>
      )}
      {addressedAction && (
        <Suspense>
          <ActionDialog
            key={addressedAction.id}
            group={group}
            actions={[addressedAction]}
            chosen={addressedAction}
            subject={subject}
            onClose={(isGone) => {
              forget();
              if (isGone) onGone?.();
            }}
          />
        </Suspense>
      )}
      {opened && (
        <Suspense>
          <ActionDialog
            group={group}
            actions={opened === 'forms' ? allowedForms : allowedActions}
            subject={subject}
            onForm={opened === 'forms' ? ({ id }) => onForm?.(id) : undefined}
            onClose={(isGone) => {
              setOpened(undefined);
              if (isGone) onGone?.();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
