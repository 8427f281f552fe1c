import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { type Listed, type Rows, useTryFilter } from '../client/group-calls.ts';
import { useLive } from '../client/live.tsx';
import { Drawer } from '../detail/drawer.tsx';
import type { GroupInfo } from '../document/group.ts';
import { FilterBar } from '../filter/filter-bar.tsx';
import { filterOf } from '../filter/filter-text.ts';
import { Icon } from '../parts/icon.tsx';
import { Message, wordsOf } from '../parts/message.tsx';
import { Foot } from '../shell/foot.tsx';
import { LiveMark } from '../shell/live-mark.tsx';
import { columnsOf } from '../table/columns.ts';
import { Table } from '../table/table.tsx';
import { text } from '../texts/text.ts';
import { AccessShare } from './host/access-share.tsx';
import { useHostColumns } from './host/host-columns.tsx';

const number = new Intl.NumberFormat('en');

/** The records of a group, with a filter above and the chosen record beside them. What is shown is in the address. */
export function GroupList({ group, head }: { group: GroupInfo; head: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const tryFilter = useTryFilter(group);
  const queries = useQueryClient();
  const { show, seen, added: allAdded } = useLive();
  const added = allAdded[group.name] ?? 0;
  useEffect(() => {
    show([group.name]);
    return () => show([]);
  }, [show, group.name]);
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
            {text.live.added(number.format(added))}
          </button>
        )}
        <LiveMark />
      </header>
      <FilterBar
        filter={listed.filter}
        filterOf={(written) => filterOf(written, group)}
        onTry={async (filter) => {
          await tryFilter({ ...listed, filter });
          change({ filter, open: undefined });
        }}
      />
      {group.name === 'host' && <AccessShare filter={listed.filter} onFilter={(filter) => change({ filter })} />}
      {rows.error !== null && <ListFault rows={rows} />}
      {rows.filtered === 0 && <Empty group={group} isFiltered={listed.filter !== ''} />}
    </>
  );
  return (
    <>
      <div className={`beside${openId === null ? '' : ' open'}`}>
        <div className="list">
          <Table
            group={group}
            listed={listed}
            openId={openId}
            useColumns={group.name === 'host' ? useHostColumns : columnsOf}
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
            onClose={() => change({ open: undefined, view: undefined })}
          />
        )}
      </div>
      <Foot keys={openId === null ? text.keys.list : group.name === 'host' ? text.keys.host : text.keys.drawer} />
    </>
  );
}

/** How many match, of how many there are. */
function sizeOf({ filtered, total }: Rows): string {
  if (filtered === undefined) return '';
  if (total === undefined || total === filtered) return number.format(filtered);
  return text.list.of(number.format(filtered), number.format(total));
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
  </Message>
);
