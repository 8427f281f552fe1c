import { group } from 'virtual:own-account';
import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react';
import { nameOfSubject, type Subject } from '../../action/subject.ts';
import type { GroupOperation } from '../../document/group.ts';
import { accountOperation, type NamedOperation } from './account-operations.ts';

const ActionDialog = lazy(async () => ({ default: (await import('../../action/action-dialog.tsx')).ActionDialog }));

interface OpenAction {
  operation: GroupOperation;
  subject?: Subject;
}

const OpenContext = createContext<(action: OpenAction) => void>(() => {});

/** Holds the dialog of an account action outside the table rows, so that its result stays visible when the row is removed. */
export function AccountActions({ children }: { children: ReactNode }) {
  const [action, setAction] = useState<OpenAction>();
  return (
    <OpenContext value={setAction}>
      {children}
      {action && (
        <Suspense>
          <ActionDialog
            group={group}
            actions={[action.operation]}
            chosen={action.operation}
            subject={action.subject}
            onClose={() => setAction(undefined)}
          />
        </Suspense>
      )}
    </OpenContext>
  );
}

/** A button that opens the dialog of one action. */
export function ActionButton({ id, label, subject }: { id: NamedOperation; label: string; subject?: Subject }) {
  const open = use(OpenContext);
  return (
    <button type="button" className="button" onClick={() => open({ operation: accountOperation(group, id), subject })}>
      {label}
      {subject && <span className="hidden"> {nameOfSubject(subject)}</span>}
    </button>
  );
}
