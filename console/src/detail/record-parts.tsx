import { recordActions } from '../document/actions.ts';
import type { GroupInfo } from '../document/group.ts';
import { text } from '../texts/text.ts';
import { editForm, RecordActionBar } from './record-action-bar.tsx';
import type { ShownRecord, View } from './views.tsx';

/** The buttons for the actions of a record. */
export const RecordActions = ({
  group,
  id,
  name,
  onForm,
  onGone,
}: {
  group: GroupInfo;
  id: string;
  name: string;
  onForm(operation: string): void;
  onGone(): void;
}) => (
  <RecordActionBar
    group={group}
    form={editForm(group)}
    actions={recordActions(group)}
    actionKey="a"
    subject={[{ id, name }]}
    onForm={onForm}
    onGone={onGone}
  />
);

/** The tabs for the views of a record. The panel of the selected view has the id `detail`. */
export const ViewTabs = ({
  views,
  current,
  shown,
  keyOf,
  onView,
}: {
  views: readonly View[];
  current: View;
  /** Undefined until loaded. */
  shown: ShownRecord | undefined;
  /** Returns the shortcut of a view, if it has one. */
  keyOf(view: View, index: number): string | undefined;
  onView(view: string): void;
}) => (
  <div className="tabs" role="tablist" aria-label={text.detail.views}>
    {views.map((view, index) => {
      const key = keyOf(view, index);
      return (
        <button
          key={view.name}
          type="button"
          role="tab"
          aria-selected={view === current}
          aria-controls="detail"
          title={key && `${view.label} (${key})`}
          onClick={() => onView(view.name)}
        >
          {view.label}
          {shown && view.size?.(shown)}
        </button>
      );
    })}
  </div>
);
