import { memo } from 'react';
import type { RecordValue } from '../client/group-calls.ts';
import { ValueCell } from '../document/value-cell.tsx';
import { text } from '../texts/text.ts';
import type { Column } from './columns.ts';

/** Modifier keys of a click. */
export type ModifierKeys = Pick<React.MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>;

interface RowProps extends CellsProps {
  row: number;
  /** Pixels below the moved part of the list. */
  offset: number;
  isCurrent: boolean;
  isOpen: boolean;
  isSelected: boolean;
  onChoose(row: number, pressed: ModifierKeys): void;
  /** Undefined if rows cannot be dragged. */
  onDrop: ((sourceRow: number, targetRow: number) => void) | undefined;
}

/** Drag data type: the index of a row of this list. */
const draggedType = 'application/x-portreeve-row';

/** A row, rendered again only if its properties change, not when the list scrolls. */
export const Row = memo(
  ({ row, offset, record, isCurrent, isOpen, isSelected, onChoose, onDrop, ...cells }: RowProps) => (
    <div
      id={`row-${row}`}
      role="row"
      aria-rowindex={row + 2}
      aria-current={isOpen || undefined}
      aria-selected={isSelected}
      className={`grid-row${isCurrent ? ' current' : ''}`}
      style={{ transform: `translateY(${offset}px)` }}
      onClick={(event) => onChoose(row, event)}
      {...(onDrop && record && dragOf(row, onDrop))}
    >
      {record ? (
        <Cells record={record} {...cells} />
      ) : (
        <div role="gridcell" className="waiting" aria-label={text.list.loading} />
      )}
    </div>
  ),
);

const dragOf = (
  row: number,
  onDrop: (sourceRow: number, targetRow: number) => void,
): React.HTMLAttributes<HTMLDivElement> => ({
  draggable: true,
  onDragStart: ({ dataTransfer }) => {
    dataTransfer.effectAllowed = 'move';
    dataTransfer.setData(draggedType, String(row));
  },
  onDragOver: (event) => {
    if (event.dataTransfer.types.includes(draggedType)) event.preventDefault();
  },
  onDrop: (event) => {
    const sourceRow = event.dataTransfer.getData(draggedType);
    if (sourceRow === '') return;
    event.preventDefault();
    onDrop(Number(sourceRow), row);
  },
});

interface CellsProps {
  /** Undefined until loaded. */
  record: RecordValue | undefined;
  columns: readonly Column[];
  isNarrow: boolean;
  label: string | null;
  nowMs: number;
}

/** The cells of a row; on narrow screens a card of two lines. */
function Cells({ record, columns, isNarrow, label, nowMs }: CellsProps & { record: RecordValue }) {
  const shown = isNarrow ? columns.slice(0, 4) : columns;
  return shown.map(({ field, isNumber, render }) => (
    <div role="gridcell" key={field.name} className={field.name === label ? 'name' : isNumber ? 'number' : undefined}>
      {render ? render(record) : <ValueCell field={field} value={record[field.name]} nowMs={nowMs} />}
    </div>
  ));
}
