import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type Listed, type Rows, useTryFilter } from '../client/group-calls.ts';
import { useLive } from '../client/live.tsx';
import { Acts, newForm } from '../detail/acts.tsx';
import { Drawer } from '../detail/drawer.tsx';
import { groupActs } from '../document/acts.ts';
import type { GroupInfo } from '../document/group.ts';
import { ConditionChips } from '../filter/condition-chips.tsx';
import { FilterBar } from '../filter/filter-bar.tsx';
import { filterOf } from '../filter/filter-text.ts';
import { Icon } from '../parts/icon.tsx';
import { Message, wordsOf } from '../parts/message.tsx';
import { count } from '../parts/number.ts';
import { Foot } from '../shell/foot.tsx';
import { LiveMark } from '../shell/live-mark.tsx';
import { useChosenColumns } from '../table/chosen-columns.ts';
import { Table } from '../table/table.tsx';
import { text } from '../texts/text.ts';
import { FirstActs } from './first-act-cards.tsx';
import { screenOf } from './special-screens.ts';

const ColumnsDialog = lazy(async () => ({ default: (await import('../table/columns-dialog.tsx')).ColumnsDialog }));

/** The records of a group, with a filter above and the chosen record next to them. What is shown is in the address. */
export function GroupList({ group, head }: { group: GroupInfo; head: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const tryFilter = useTryFilter(group);
  const { useColumns, Summary, drawerKeys } = screenOf(group);
  const queries = useQueryClient();
  const chosen = useChosenColumns(group);
  const [isChoosing, setChoosing] = useState(false);
  const { show, seen, added: allAdded } = useLive();
  const added = allAdded[group.name] ?? 0;
  useEffect(() => {
    show(group.isFollowed ? [group.name] : []);
    return () => show([]);
  }, [show, group.name, group.isFollowed]);
  const listed: Listed = {
    filter: search.get('filter') ?? '',
    sortKey: search.get('sort') ?? '',
    sortDir: search.get('dir') ?? '',
  };
  const openId = search.get('open');
  const change = (values: Record<string, string | undefined>) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    });
  /** A filter is used once the service has accepted it. */
  const takeFilter = async (filter: string) => {
    await tryFilter({ ...listed, filter });
    change({ filter, open: undefined });
  };
  const sort = (key: string) => {
    const isUp = listed.sortKey === key && listed.sortDir !== 'DESC';
    change({ sort: key, dir: isUp ? 'DESC' : 'ASC' });
  };
  const about = (rows: Rows) => (
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
              seen(group.name);
              void queries.invalidateQueries({ queryKey: [group.name, 'list'] });
            }}
          >
            <Icon name="arrow-up" size={14} />
            {text.live.added(count(added))}
          </button>
        )}
        {group.isFollowed && <LiveMark />}
        <button type="button" className="button square" title={text.columns.title} onClick={() => setChoosing(true)}>
          <Icon name="columns-3" size={14} />
          <span className="hidden">{text.columns.title}</span>
        </button>
        <Acts
          group={group}
          form={newForm(group)}
          acts={groupActs(group)}
          actKey="A"
          onForm={(form) => change({ form, open: undefined })}
        />
      </header>
      <FilterBar filter={listed.filter} filterOf={(written) => filterOf(written, group)} onTry={takeFilter} />
      <ConditionChips group={group} filter={listed.filter} onTry={takeFilter} />
      {Summary && <Summary filter={listed.filter} onFilter={(filter) => change({ filter })} />}
      {rows.error !== null && <ListFault rows={rows} />}
      {rows.filtered === 0 && <Empty group={group} isFiltered={listed.filter !== ''} />}
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
            onOpen={(id) => change({ open: id })}
            onSort={sort}
          >
            {about}
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
      <Foot keys={openId === null ? text.keys.list : drawerKeys} />
    </>
  );
}

/** How many match, of how many there are. */
function sizeOf({ filtered, total }: Rows): string {
  if (filtered === undefined) return '';
  if (total === undefined || total === filtered) return count(filtered);
  return text.list.of(count(filtered), count(total));
}

/** The rows that were read stay; above them stands why there are no newer ones. */
const ListFault = ({ rows }: { rows: Rows }) => (
  <div className="note bad list-fault" role="alert">
    <Icon name="triangle-alert" size={14} />
    <span className="grow">{wordsOf(rows.error)}</span>
    <button type="button" className="button" onClick={rows.retry}>
      {text.retry}
    </button>
  </div>
);

const Empty = ({ group, isFiltered }: { group: GroupInfo; isFiltered: boolean }) => (
  <Message title={isFiltered ? text.list.noneMatch : text.list.none(group.title)}>
    <p>{isFiltered ? text.list.noneMatchHint : group.doc}</p>
    {!isFiltered && <FirstActs acts={screenOf(group).first ?? []} />}
  </Message>
);
