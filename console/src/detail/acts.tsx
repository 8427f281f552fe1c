import { lazy, Suspense, useState } from 'react';
import type { Subject } from '../action/act-dialog.tsx';
import { may } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import type { GroupInfo, GroupOperation } from '../document/group.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icon-names.ts';
import { useKeys } from '../shell/keys.ts';
import { text } from '../texts/text.ts';

const ActDialog = lazy(async () => ({ default: (await import('../action/act-dialog.tsx')).ActDialog }));

/** The buttons of a list or a record: its form, and everything else that can be done. Each only where it is allowed. */
export function Acts({
  group,
  forms,
  formLabel,
  formIcon,
  formKey,
  acts,
  actKey,
  subject,
  onForm,
  onGone,
}: {
  group: GroupInfo;
  /** Operations that have a page of their own; of several one is chosen first. */
  forms: readonly GroupOperation[];
  formLabel: string;
  formIcon: IconName;
  formKey: string;
  acts: readonly GroupOperation[];
  actKey: string;
  subject?: Subject;
  onForm(operation: string): void;
  /** The record does not exist any more. */
  onGone?(): void;
}) {
  const session = useSession();
  const [opened, setOpened] = useState<'forms' | 'acts'>();
  const allowedForms = forms.filter((form) => may(session, form));
  const allowedActs = acts.filter((act) => may(session, act));
  const openForm = () => {
    if (allowedForms.length === 1) onForm(allowedForms[0]!.id);
    else if (allowedForms.length > 1) setOpened('forms');
  };
  const openActs = () => allowedActs.length > 0 && setOpened('acts');
  useKeys({ [formKey]: openForm, [actKey]: openActs });
  return (
    <>
      {allowedForms.length > 0 && (
        <button type="button" className="button" title={`${formLabel} (${formKey})`} onClick={openForm}>
          <Icon name={formIcon} size={14} />
          {formLabel}
        </button>
      )}
      {allowedActs.length > 0 && (
        <button type="button" className="button" title={`${text.act.actions} (${actKey})`} onClick={openActs}>
          <Icon name="zap" size={14} />
          {text.act.actions}
        </button>
      )}
      {opened && (
        <Suspense>
          <ActDialog
            group={group}
            acts={opened === 'forms' ? allowedForms : allowedActs}
            subject={subject}
            onForm={opened === 'forms' ? ({ id }) => onForm(id) : undefined}
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
