import { RecordActionBar } from '../detail/record-action-bar.tsx';
import { bulkActions } from '../document/actions.ts';
import type { GroupInfo } from '../document/group.ts';
import { count } from '../parts/number.ts';
import { useKeys } from '../shell/keys.ts';
import { text } from '../texts/text.ts';
import { type Selection, selectedMax } from './selection.ts';

/** The toolbar with the number of selected records and their actions. */
export function SelectionBar({
  group,
  selection,
  filtered,
  hasKeys,
  onAll,
}: {
  group: GroupInfo;
  selection: Selection;
  /** Records that match the filter. */
  filtered: number;
  /** False while a record is open, because then the shortcuts apply to it. */
  hasKeys: boolean;
  onAll(): void;
}) {
  const { records, clear } = selection;
  useKeys(hasKeys ? { Escape: clear } : {});
  return (
    <div className="selection" role="toolbar" aria-label={text.list.selected(count(records.size))}>
      <strong role="status">{text.list.selected(count(records.size))}</strong>
      {filtered > selectedMax ? (
        <span className="quiet">{text.list.tooMany(count(selectedMax))}</span>
      ) : (
        records.size < filtered && (
          <button type="button" className="button plain" onClick={onAll}>
            {text.list.selectAll(count(filtered))}
          </button>
        )
      )}
      <span className="grow" />
      {records.size > 0 && (
        <RecordActionBar
          group={group}
          actions={bulkActions(group)}
          actionKey={hasKeys ? 'a' : ''}
          subject={[...records.values()]}
          isAddressed={false}
          onGone={clear}
        />
      )}
      <button type="button" className="button plain" onClick={clear}>
        {text.list.selectNone}
      </button>
    </div>
  );
}
