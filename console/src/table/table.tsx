import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type ListQuery, type RecordValue, type Rows, useRows } from '../client/group-calls.ts';
import type { GroupInfo } from '../document/group.ts';
import { recordName } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { useNarrow, useNow } from '../parts/surroundings.ts';
import { areSingleKeysOn, useKeys } from '../shell/keys.ts';
import type { Column, UseColumns } from './columns.ts';
import { type ModifierKeys, Row } from './row.tsx';
import { useRowHeight } from './row-height.ts';
import { pagesBetween, placeOfRow } from './row-pages.ts';
import { baseOf, mostRowsOnScreen, rowsOnScreen, scrollFor } from './scroll.ts';
import type { Selection } from './selection.ts';

/** Height of a card on narrow screens. */
const cardHeight = 56;
/** Pixels per line for wheel events in lines. */
const linePixels = 28;

export interface TableProps {
  group: GroupInfo;
  listed: ListQuery;
  /** Identity of the record that is open next to the list. */
  openId: string | null;
  useColumns: UseColumns;
  /** Undefined if there are no bulk actions. */
  selection: Selection | undefined;
  onOpen(id: string): void;
  /** Selects the rows from one to the other, both included. */
  onRange(from: number, to: number): void;
  /** Copies a filter or a curl command for the record. */
  onCopy(id: string, isCommand: boolean): void;
  /** Called when a row is moved to the position of another one; undefined if the user may not change the order. */
  onMove: ((source: RecordValue, target: RecordValue) => void) | undefined;
  onSort(key: string): void;
  /** Renders the area above the rows, with their number and errors. */
  children(rows: Rows): React.ReactNode;
}

/** The list of a resource. Any number of records is possible, because only the visible ones are loaded and rendered. */
export function Table({
  group,
  listed,
  openId,
  useColumns,
  selection,
  onOpen,
  onRange,
  onCopy,
  onMove,
  onSort,
  children,
}: TableProps) {
  const isNarrow = useNarrow();
  const nowMs = useNow();
  const { height: rowHeight } = useRowHeight();
  const height = isNarrow ? cardHeight : rowHeight;
  const view = useRef<HTMLDivElement>(null);
  // Closing the record removes the focused element, so the focus returns to the list.
  useEffect(() => {
    if (openId === null && document.activeElement === document.body) view.current?.focus({ preventScroll: true });
  }, [openId]);
  const [viewHeight, setViewHeight] = useState(600);
  const [top, setTop] = useState(0);
  const [current, setCurrent] = useState(0);
  const [size, setSize] = useState(0);
  /** A row that was opened before it was loaded. */
  const [awaited, setAwaited] = useState<number>();
  const { from: startRow, to: endRow } = rowsOnScreen(top, size, height, viewHeight);
  const rows = useRows(group, listed, pagesBetween(startRow, endRow));
  const columns = useColumns(group, rows.pages);
  const count = rows.filtered ?? 0;
  if (count !== size) setSize(count);
  const scroll = scrollFor(size, height, viewHeight);
  useViewHeight(view, setViewHeight);
  useWheel(view, scroll.scale, (delta) => moveTo(top + delta));

  // A new filter or order starts at the first row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the question changes
  useEffect(() => {
    setCurrent(0);
    setAwaited(undefined);
    moveTo(0);
  }, [group.name, listed.filter, listed.sortKey, listed.sortDir]);

  function moveTo(offset: number): void {
    const newTop = Math.max(0, Math.min(offset, size * height - viewHeight));
    setTop(newTop);
    if (view.current) view.current.scrollTop = newTop / scroll.scale;
  }
  function choose(row: number): void {
    const newRow = Math.max(0, Math.min(row, size - 1));
    setCurrent(newRow);
    setAwaited(undefined);
    const shown = scroll.scale === 1 ? (view.current?.scrollTop ?? top) : top;
    if (newRow * height < shown) moveTo(newRow * height);
    else if ((newRow + 1) * height > shown + viewHeight - height) moveTo((newRow + 2) * height - viewHeight);
  }
  const recordAt = (row: number): RecordValue | undefined => {
    const { page, index } = placeOfRow(row);
    return rows.at(page, index);
  };
  const identityOf = (record: RecordValue): string => String(record[group.identity ?? '']);
  /** First row of a range selection. */
  const anchor = useRef(0);
  function select(row: number, isRange: boolean): void {
    const record = recordAt(row);
    if (isRange) onRange(Math.min(anchor.current, row), Math.max(anchor.current, row));
    else if (record) selection?.toggle({ id: identityOf(record), name: recordName(group, identityOf(record), record) });
    anchor.current = row;
  }
  function open(row: number): void {
    const record = recordAt(row);
    setAwaited(record ? undefined : row);
    if (record) onOpen(identityOf(record));
  }
  function move(sourceRow: number, targetRow: number): void {
    const [moved, targetRecord] = [recordAt(sourceRow), recordAt(targetRow)];
    if (moved && targetRecord && sourceRow !== targetRow) onMove?.(moved, targetRecord);
  }
  const dropped = useRef(move);
  dropped.current = move;
  const [onDrop] = useState(() => (sourceRow: number, targetRow: number) => dropped.current(sourceRow, targetRow));
  const step = (rowCount: number) => {
    const newRow = Math.max(0, Math.min(current + rowCount, size - 1));
    choose(newRow);
    open(newRow);
  };
  useKeys(openId === null ? {} : { '[': () => step(-1), ']': () => step(1) });
  const onKeyDown = (event: KeyboardEvent) => {
    const inView = Math.max(1, Math.floor(viewHeight / height) - 1);
    const moves: Record<string, number> = {
      j: current + 1,
      ArrowDown: current + 1,
      k: current - 1,
      ArrowUp: current - 1,
      PageDown: current + inView,
      PageUp: current - inView,
      Home: 0,
      End: size - 1,
    };
    if (event.altKey && onMove && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      move(current, current + (event.key === 'ArrowUp' ? -1 : 1));
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[event.key] !== undefined) choose(moves[event.key]!);
    else if (selection && event.key.toLowerCase() === 'x' && areSingleKeysOn()) select(current, event.key === 'X');
    else if (event.key.toLowerCase() === 'c' && areSingleKeysOn() && recordAt(current))
      onCopy(identityOf(recordAt(current)!), event.key === 'C');
    else if (event.key === 'Enter' && event.target === event.currentTarget) open(current);
    else return;
    event.preventDefault();
  };
  // Does not depend on the visible rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of `rows` that it shows
  const above = useMemo(() => children(rows), [children, rows.filtered, rows.total, rows.error, rows.isStale]);
  const chosen = useRef((_row: number, _pressed: ModifierKeys) => {});
  chosen.current = (row, { ctrlKey, metaKey, shiftKey }) => {
    setCurrent(row);
    if (selection && (shiftKey || ctrlKey || metaKey || selection.isByClick)) select(row, shiftKey);
    else open(row);
  };
  const arrived = awaited === undefined ? undefined : recordAt(awaited);
  useEffect(() => {
    if (arrived) open(awaited!);
  });
  // A stable function, so that unchanged rows are not rendered again.
  const [onChoose] = useState(() => (row: number, pressed: ModifierKeys) => chosen.current(row, pressed));
  // Row elements are reused: the key is the row modulo the number of rendered rows.
  const recycled = mostRowsOnScreen(height, viewHeight);
  const base = baseOf(startRow);
  const style = { '--columns': gridOf(columns), '--row': `${height}px` } as CSSProperties;
  const drawn = Array.from({ length: endRow - startRow }, (_, index) => startRow + index);
  return (
    <>
      {above}
      <div
        className="grid"
        role="grid"
        aria-label={group.title}
        aria-rowcount={size + 1}
        aria-colcount={columns.length}
        aria-activedescendant={size > 0 ? `row-${current}` : undefined}
        aria-busy={rows.isStale}
        aria-multiselectable={selection !== undefined}
        tabIndex={0}
        hidden={rows.filtered === 0}
        ref={view}
        style={style}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => {
          const shown = currentTarget.scrollTop * scroll.scale;
          // Without scaling, the browser scrolls the rows, and new ones are rendered only when one leaves the window.
          const isNear = scroll.scale === 1 ? Math.floor(shown / height) === Math.floor(top / height) : shown === top;
          if (!isNear && Math.abs(shown - top) > scroll.scale) setTop(shown);
        }}
      >
        {!isNarrow && <Head columns={columns} listed={listed} onSort={onSort} />}
        <div className="grid-rows" style={{ height: scroll.height }}>
          <div
            role="rowgroup"
            className="grid-moved"
            style={{ transform: `translateY(${base * height - top + top / scroll.scale}px)` }}
          >
            {drawn.map((row) => {
              const record = recordAt(row);
              return (
                <Row
                  key={row % recycled}
                  row={row}
                  offset={(row - base) * height}
                  record={record}
                  columns={columns}
                  isCurrent={row === current}
                  isOpen={record !== undefined && identityOf(record) === openId}
                  isSelected={record !== undefined && selection?.records.has(identityOf(record)) === true}
                  isNarrow={isNarrow}
                  label={group.label}
                  nowMs={nowMs}
                  onChoose={onChoose}
                  onDrop={onMove && onDrop}
                />
              );
            })}
          </div>
        </div>
      </div>
    </>
  );
}

/** Columns have a fixed width; the last one takes the remaining space. */
const gridOf = (columns: readonly Column[]): string =>
  columns
    .map(({ width }, index) => (index === columns.length - 1 ? `minmax(${width}px, 1fr)` : `${width}px`))
    .join(' ');

const Head = ({
  columns,
  listed,
  onSort,
}: {
  columns: readonly Column[];
  listed: ListQuery;
  onSort(key: string): void;
}) => (
  <div className="grid-head" role="rowgroup">
    <div className="grid-row" role="row" aria-rowindex={1}>
      {columns.map(({ field, isNumber }) => {
        const isSorted = listed.sortKey === field.name;
        const isDown = listed.sortDir === 'DESC';
        return (
          <div
            key={field.name}
            role="columnheader"
            className={isNumber ? 'number' : undefined}
            title={field.doc}
            aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
          >
            {field.sort ? (
              <button type="button" className="sort" onClick={() => onSort(field.name)}>
                {field.label}
                {isSorted && <Icon name={isDown ? 'arrow-down' : 'arrow-up'} size={12} />}
              </button>
            ) : (
              field.label
            )}
          </div>
        );
      })}
    </div>
  </div>
);

/** Observes the height of the list. */
function useViewHeight(view: React.RefObject<HTMLDivElement | null>, onHeight: (height: number) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element stays
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => onHeight(entry!.contentRect.height));
    observer.observe(view.current!);
    return () => observer.disconnect();
  }, []);
}

/** With a scaled scroll area, the wheel still scrolls the list by pixels. */
function useWheel(view: React.RefObject<HTMLDivElement | null>, scale: number, onMove: (delta: number) => void): void {
  const move = useRef(onMove);
  move.current = onMove;
  useEffect(() => {
    const element = view.current;
    if (scale === 1 || !element) return;
    const turn = (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      move.current(event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePixels : 1));
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [view, scale]);
}
