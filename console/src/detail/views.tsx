import { lazy, type ReactNode, Suspense } from 'react';
import type { RecordValue } from '../client/group-calls.ts';
import type { GroupInfo } from '../document/group.ts';
import { operationOf } from '../document/operations.ts';
import { text } from '../texts/text.ts';
import { Facts } from './facts.tsx';
import { Raw } from './raw.tsx';
import { UsedBy } from './used-by.tsx';

const History = lazy(async () => ({ default: (await import('./history.tsx')).History }));
const Why = lazy(async () => ({ default: (await import('../screens/host/why.tsx')).Why }));

/** The record that a view shows. */
export interface ShownRecord {
  group: GroupInfo;
  record: RecordValue;
  id: string;
}

/** A view of a record: a tab. */
export interface View {
  name: string;
  label: string;
  /** Its shortcut. */
  key?: string;
  show(of: ShownRecord): ReactNode;
  /** The number of entries, shown in the tab. */
  size?(of: ShownRecord): ReactNode;
}

/** Returns the views for the records of a resource. Hosts also have the explanation of their access. */
export function viewsOf(group: GroupInfo, mayAudit: boolean): View[] {
  const hasDecision = group.operations.some(({ id }) => id === 'host.policy');
  return [
    {
      name: 'facts',
      label: text.detail.facts,
      show: ({ record }) => <Facts group={group} record={record} heading="h3" />,
    },
    ...(hasDecision ? [why] : []),
    ...(operationOf(group, 'usage') ? [usedBy] : []),
    ...(group.kind === 'collection' && mayAudit ? [history] : []),
    { name: 'raw', label: text.detail.raw, show: (subject) => <Raw {...subject} /> },
  ];
}

const why: View = {
  name: 'why',
  label: text.why.title,
  key: 'w',
  show: ({ group, id }) => (
    <Suspense>
      <Why group={group} id={id} />
    </Suspense>
  ),
};

const usedBy: View = {
  name: 'usage',
  label: text.detail.usage,
  show: ({ group, id }) => <UsedBy group={group} id={id} />,
};

const history: View = {
  name: 'history',
  label: text.history.title,
  key: 'h',
  show: ({ group, id }) => (
    <Suspense>
      <History group={group} id={id} />
    </Suspense>
  ),
};
