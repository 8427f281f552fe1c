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

/** What can be done here: first a choice, then what the chosen act needs to know. */
export function ActionDialog({
  group,
  acts,
  chosen: first,
  subject,
  values,
  onForm,
  onClose,
}: {
  group: GroupInfo;
  acts: readonly GroupOperation[];
  /** Nothing is left to choose. */
  chosen?: GroupOperation;
  subject?: Subject;
  /** What is known already of what the act needs. */
  values?: Readonly<Record<string, unknown>>;
  /** Opens an act that has a page of its own. */
  onForm?(operation: GroupOperation): void;
  /** With true when the record is gone. */
  onClose(isGone?: boolean): void;
}) {
  const session = useSession();
  const [chosen, setChosen] = useState(first);
  const [searchText, setWritten] = useState('');
  const searchTerm = searchText.trim().toLowerCase();
  const offered = acts.filter((act) => may(session, act) && nameOf(act).toLowerCase().includes(searchTerm));
  const take = (act: GroupOperation | undefined) => {
    if (act) (onForm ?? setChosen)(act);
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
                    // The same key would go on to the form that opens, and send it.
                    event.preventDefault();
                    take(offered[0]);
                  }}
                />
              </div>
              <ul className="acts">
                {offered.map((act) => (
                  <li key={act.id}>
                    <button type="button" className={isDangerous(act) ? 'bad' : undefined} onClick={() => take(act)}>
                      <span className="grow">{nameOf(act)}</span>
                      {!act.writes && (
                        <span className="quiet">{act.external ? text.act.asksOutside : text.act.reads}</span>
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
