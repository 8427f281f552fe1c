import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { may } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { isDangerous, nameOf } from '../document/actions.ts';
import type { GroupInfo, GroupOperation } from '../document/group.ts';
import { text } from '../texts/text.ts';
import { ActionForm } from './action-form.tsx';
import { nameOfSubject, type Subject } from './subject.ts';
import '../style/form.css';

/** The actions of a list or record: first the choice, then the form of the chosen action. */
export function ActionDialog({
  group,
  actions,
  chosen: first,
  subject,
  values,
  onForm,
  onClose,
}: {
  group: GroupInfo;
  actions: readonly GroupOperation[];
  /** Opens the form of this action directly. */
  chosen?: GroupOperation;
  subject?: Subject;
  /** Initial values of the form. */
  values?: Readonly<Record<string, unknown>>;
  /** Called instead of showing the form here, for actions with a page of their own. */
  onForm?(operation: GroupOperation): void;
  /** `isGone` is true if the record was deleted. */
  onClose(isGone?: boolean): void;
}) {
  const session = useSession();
  const [chosen, setChosen] = useState(first);
  const [searchText, setWritten] = useState('');
  const searchTerm = searchText.trim().toLowerCase();
  const offered = actions.filter((action) => may(session, action) && nameOf(action).toLowerCase().includes(searchTerm));
  const take = (action: GroupOperation | undefined) => {
    if (action) (onForm ?? setChosen)(action);
  };
  const title = chosen ? nameOf(chosen) : text.act.title(subject ? nameOfSubject(subject) : group.title);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog">
          <Dialog.Title className="dialog-title">{title}</Dialog.Title>
          {chosen ? (
            <ActionForm group={group} operation={chosen} subject={subject} values={values} onClose={onClose} />
          ) : (
            <>
              <div className="palette-field">
                <input
                  aria-label={text.act.find}
                  placeholder={text.act.find}
                  value={searchText}
                  onChange={(event) => setWritten(event.target.value)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter') return;
                    // Otherwise the same key press would submit the form that opens.
                    event.preventDefault();
                    take(offered[0]);
                  }}
                />
              </div>
              <ul className="acts">
                {offered.map((action) => (
                  <li key={action.id}>
                    <button
                      type="button"
                      className={isDangerous(action) ? 'bad' : undefined}
                      onClick={() => take(action)}
                    >
                      <span className="grow">{nameOf(action)}</span>
                      {!action.writes && (
                        <span className="quiet">{action.external ? text.act.external : text.act.readOnly}</span>
                      )}
                    </button>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
