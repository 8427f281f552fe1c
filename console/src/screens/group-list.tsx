import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Subject } from '../action/subject.ts';
import { type ListQuery, type RecordValue, type Rows, useReadRows, useTryFilter } from '../client/group-calls.ts';
import { useLive } from '../client/live.tsx';
import { may } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { Drawer } from '../detail/drawer.tsx';
import { newForm, RecordActionBar } from '../detail/record-action-bar.tsx';
import { bulkActions, groupActions } from '../document/actions.ts';
import { curlFor } from '../document/command.ts';
import type { GroupInfo } from '../document/group.ts';
import { operationOf } from '../document/operations.ts';
import { recordName } from '../document/value.ts';
import { ConditionChips } from '../filter/condition-chips.tsx';
import { FilterBar } from '../filter/filter-bar.tsx';
import { exampleCondition, filterOf } from '../filter/filter-text.ts';
import { LooserFilters } from '../filter/looser-filters.tsx';
import { SavedViewTabs } from '../filter/saved-view-tabs.tsx';
import { Copied, useCopy } from '../parts/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { Message, Refusal } from '../parts/message.tsx';
import { messageOf } from '../parts/message-of.ts';
import { count } from '../parts/number.ts';
import { Footer } from '../shell/footer.tsx';
import { LiveMark } from '../shell/live-mark.tsx';
import { useChosenColumns } from '../table/chosen-columns.ts';
import { selectedMax, useSelection } from '../table/selection.ts';
import { SelectionBar } from '../table/selection-bar.tsx';
import { Table } from '../table/table.tsx';
import { text } from '../texts/text.ts';
import { FirstActions } from './first-action-cards.tsx';
import { screenOf } from './special-screens.ts';

const ActionDialog = lazy(async () => ({ default: (await import('../action/action-dialog.tsx')).ActionDialog }));
const ColumnsDialog = lazy(async () => ({ default: (await import('../table/columns-dialog.tsx')).ColumnsDialog }));

/** The list of a resource with its filter, and the open record next to it. The address contains the complete state. */
export function GroupList({ group, head }: { group: GroupInfo; head: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const tryFilter = useTryFilter(group);
  const session = useSession();
  const { useColumns, Summary, drawerKeys } = screenOf(group);
  const queries = useQueryClient();
  const chosen = useChosenColumns(group);
  const [isChoosing, setChoosing] = useState(false);
  const { show, seen: markSeen, added: allAdded } = useLive();
  const added = allAdded[group.name] ?? 0;
  useEffect(() => {
    show(group.isFollowed ? [group.name] : []);
    return () => show([]);
  }, [show, group.name, group.isFollowed]);
  const listed: ListQuery = {
    filter: search.get('filter') ?? '',
    sortKey: search.get('sort') ?? '',
    sortDir: search.get('dir') ?? '',
  };
  const openId = search.get('open');
  const namedRecord = (record: RecordValue) => {
    const id = String(record[group.identity ?? '']);
    return { id, name: recordName(group, id, record) };
  };
  const question = `${group.name} ${listed.filter}`;
  const selection = useSelection(question);
  const readRows = useReadRows(group);
  const selecting = useMutation({
    mutationFn: ([start, end]: readonly [number, number]) => readRows(listed, start, end),
    onMutate: () => question,
    onSuccess: (rows, _, questionAtStart) => selection.add(questionAtStart, rows.map(namedRecord)),
  });
  const change = (values: Record<string, string | undefined>) =>
    setSearch((before) => {
      const parameters = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values)) {
        if (value) parameters.set(name, value);
        else parameters.delete(name);
      }
      return parameters;
    });
  /** Applies a filter after the service has accepted it. */
  const takeFilter = async (filter: string) => {
    await tryFilter({ ...listed, filter });
    change({ filter, open: undefined });
  };
  const sort = (key: string) => {
    const isUp = listed.sortKey === key && listed.sortDir !== 'DESC';
    change({ sort: key, dir: isUp ? 'DESC' : 'ASC' });
  };
  const isSelectable = bulkActions(group).some((action) => may(session, action));
  const { copied, copy } = useCopy();
  const rankSet = operationOf(group, 'rankSet');
  const isInOrder = listed.sortKey === '' || (listed.sortKey === 'rank' && listed.sortDir !== 'DESC');
  const [moving, setMoving] = useState<{ subject: Subject; values: { rank: unknown } }>();
  const listHead = (rows: Rows) => (
    <>
      <header className="head">
        {head}
        <span className="quiet" role="status">
          {sizeOf(rows)}
        </span>
        <span className="grow" />
        {added > 0 && (
          <button
            type="button"
            className="button"
            onClick={() => {
              markSeen(group.name);
              void queries.invalidateQueries({ queryKey: [group.name, 'list'] });
            }}
          >
            <Icon name="arrow-up" size={14} />
            {text.live.added(count(added))}
          </button>
        )}
        {group.isFollowed && <LiveMark />}
        {isSelectable && (
          <button
            type="button"
            className="button square"
            aria-pressed={selection.isByClick}
            title={text.list.select}
            onClick={() => selection.setByClick(!selection.isByClick)}
          >
            <Icon name="list-checks" size={14} />
            <span className="hidden">{text.list.select}</span>
          </button>
        )}
        <button type="button" className="button square" title={text.columns.title} onClick={() => setChoosing(true)}>
          <Icon name="columns-3" size={14} />
          <span className="hidden">{text.columns.title}</span>
        </button>
        <RecordActionBar
          group={group}
          form={newForm(group)}
          actions={groupActions(group)}
          actionKey="A"
          onForm={(form) => change({ form, open: undefined })}
        />
      </header>
      <SavedViewTabs />
      <FilterBar
        filter={listed.filter}
        example={exampleCondition(group)}
        filterOf={(input) => filterOf(input, group)}
        onTry={takeFilter}
      />
      <ConditionChips group={group} filter={listed.filter} onTry={takeFilter} />
      {Summary && <Summary filter={listed.filter} onFilter={(filter) => change({ filter })} />}
      {(selection.isByClick || selection.records.size > 0) && (
        <SelectionBar
          group={group}
          selection={selection}
          filtered={rows.filtered ?? 0}
          hasKeys={openId === null}
          onAll={() => selecting.mutate([0, rows.filtered ?? 0])}
        />
      )}
      {selecting.error && <Refusal>{messageOf(selecting.error)}</Refusal>}
      {rows.error !== null && <ListFault rows={rows} />}
      {rows.filtered === 0 && <Empty group={group} filter={listed.filter} onFilter={(filter) => change({ filter })} />}
    </>
  );
  return (
    <>
      <div className={`split${openId === null ? '' : ' open'}`}>
        <div className="list">
          <Table
            group={chosen.group}
            listed={listed}
            openId={openId}
            useColumns={useColumns}
            selection={isSelectable ? selection : undefined}
            onOpen={(id) => change({ open: id })}
            onRange={(firstRow, lastRow) => selecting.mutate([firstRow, Math.min(lastRow + 1, firstRow + selectedMax)])}
            onCopy={(id, isCommand) =>
              copy(isCommand ? curlFor(group, id, location.origin) : `${group.identity}==${id}`)
            }
            onMove={
              rankSet && isInOrder && may(session, rankSet)
                ? (moved, target) => setMoving({ subject: [namedRecord(moved)], values: { rank: target.rank } })
                : undefined
            }
            onSort={sort}
          >
            {listHead}
          </Table>
        </div>
        {openId !== null && (
          <Drawer
            key={openId}
            group={group}
            id={openId}
            view={search.get('view')}
            onView={(view) => change({ view })}
            onForm={(form) => change({ form })}
            onPage={() => change({ page: openId, open: undefined, view: undefined })}
            onClose={() => change({ open: undefined, view: undefined })}
          />
        )}
      </div>
      <Copied copied={copied} />
      {moving && (
        <Suspense>
          <ActionDialog
            group={group}
            actions={[rankSet!]}
            chosen={rankSet!}
            subject={moving.subject}
            values={moving.values}
            onClose={() => setMoving(undefined)}
          />
        </Suspense>
      )}
      {isChoosing && (
        <Suspense>
          <ColumnsDialog
            group={chosen.group}
            isChosen={chosen.isChosen}
            onChoose={chosen.choose}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
      <Footer keys={openId === null ? text.keys.list : drawerKeys} />
    </>
  );
}

/** Formats the number of matches and the total. */
function sizeOf({ filtered, total }: Rows): string {
  if (filtered === undefined) return '';
  if (total === undefined || total === filtered) return count(filtered);
  return text.list.countOf(count(filtered), count(total));
}

/** The error of a failed reload, shown above the rows that were loaded before. */
const ListFault = ({ rows }: { rows: Rows }) => (
  <div className="note bad list-fault" role="alert">
    <Icon name="triangle-alert" size={14} />
    <span className="grow">{messageOf(rows.error)}</span>
    <button type="button" className="button" onClick={rows.retry}>
      {text.retry}
    </button>
  </div>
);

const Empty = ({ group, filter, onFilter }: { group: GroupInfo; filter: string; onFilter(filter: string): void }) =>
  filter === '' ? (
    <Message title={text.list.none(group.title)}>
      <p>{group.doc}</p>
      <FirstActions actions={screenOf(group).first ?? []} />
    </Message>
  ) : (
    <Message title={text.list.noneMatch}>
      <p>{text.list.noneMatchHint}</p>
      <LooserFilters group={group} filter={filter} onFilter={onFilter} />
    </Message>
  );
