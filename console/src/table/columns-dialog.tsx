import { Dialog } from '@base-ui/react/dialog';
import type { GroupInfo } from '../document/group.ts';
import { text } from '../texts/text.ts';
import { listableFields } from './chosen-columns.ts';
import { useRowHeight } from './row-height.ts';
import '../style/form.css';

/** The dialog to select the columns of a list; a newly selected column is added at the end. */
export function ColumnsDialog({
  group,
  isChosen,
  onChoose,
  onClose,
}: {
  /** The resource with its current columns. */
  group: GroupInfo;
  isChosen: boolean;
  onChoose(columns: readonly string[] | null): void;
  onClose(): void;
}) {
  const { columns } = group;
  const { isLarge, chooseLarge } = useRowHeight();
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog">
          <Dialog.Title className="dialog-title">{text.columns.title}</Dialog.Title>
          <fieldset className="dialog-body counted columns-choice">
            <legend className="quiet">{text.columns.hint}</legend>
            {listableFields(group).map(({ name, label }) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={columns.includes(name)}
                  // At least one column is required.
                  disabled={columns.length === 1 && columns.includes(name)}
                  onChange={({ target }) =>
                    onChoose(target.checked ? [...columns, name] : columns.filter((column) => column !== name))
                  }
                />
                <span className="grow">{label}</span>
                {columns.includes(name) && <span className="quiet">{columns.indexOf(name) + 1}</span>}
              </label>
            ))}
          </fieldset>
          <label className="key-switch">
            <input type="checkbox" checked={isLarge} onChange={({ target }) => chooseLarge(target.checked)} />
            <span>{text.columns.large}</span>
          </label>
          <div className="save-bar">
            <button type="button" className="button" disabled={!isChosen} onClick={() => onChoose(null)}>
              {text.columns.reset}
            </button>
            <span className="grow" />
            <Dialog.Close className="button main">{text.detail.close}</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
