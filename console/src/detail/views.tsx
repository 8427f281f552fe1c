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

/** What is looked at. */
export interface ShownRecord {
  group: GroupInfo;
  record: RecordValue;
  id: string;
}

/** A way to look at a record. */
export interface View {
  name: string;
  label: string;
  /** The key that shows it. */
  key?: string;
  show(of: ShownRecord): ReactNode;
  /** How much there is to see. */
  size?(of: ShownRecord): ReactNode;
}

/** The views of the records of a group. Hosts have one more: why one is where it is. */
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
