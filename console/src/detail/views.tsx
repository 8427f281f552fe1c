import { lazy, type ReactNode, Suspense } from 'react';
import { operationOf, type RecordValue } from '../client/group-calls.ts';
import type { GroupInfo } from '../document/group.ts';
import { marked } from '../document/value.ts';
import { text } from '../texts/text.ts';
import { Facts } from './facts.tsx';
import { UsedBy } from './used-by.tsx';

const Why = lazy(async () => ({ default: (await import('../screens/host/why.tsx')).Why }));

/** A way to look at a record. */
export interface View {
  name: string;
  label: string;
  /** The key that shows it. */
  key?: string;
  show(of: { group: GroupInfo; record: RecordValue; id: string }): ReactNode;
}

/** The views of the records of a group. Hosts have one more: why one is where it is. */
export function viewsOf(group: GroupInfo): View[] {
  const hasDecision = group.operations.some(({ id }) => id === 'host.policy');
  return [
    {
      name: 'facts',
      label: text.detail.facts,
      show: ({ record }) => <Facts group={group} record={record} heading="h3" />,
    },
    ...(hasDecision ? [why] : []),
    ...(operationOf(group, 'usage') ? [usedBy] : []),
    { name: 'raw', label: text.detail.raw, show: ({ record }) => <pre className="raw mono">{rawOf(record)}</pre> },
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

/** As the service returned it, line by line. */
const rawOf = (record: RecordValue): string => JSON.stringify(record, null, 2).split('\n').map(marked).join('\n');
