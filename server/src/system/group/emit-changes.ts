import type { WriteTx } from '../../context.ts';
import type { EventType } from '../../kernel/declare/event-type.ts';
import { groupMembershipChanged } from './group.events.ts';
import { group } from './group.ts';

/** A change of the relations of a group, which are not part of its record: members, parents, managed groups. */
export interface GroupChange {
  id: number;
  name: string;
  field: 'members' | 'parentIDs' | 'managesGroupIDs';
  before: string | null;
  after: string | null;
  summary: string;
}

const textMax = 2_000;
const brief = (text: string | null): string | null => text?.slice(0, textMax) ?? null;

/** Returns the event type of a change. */
const typeOf = (tx: WriteTx, { field }: GroupChange): EventType =>
  field === 'members' ? groupMembershipChanged : tx.engine.model.byName(group.name).changes!.modified;

/**
 * Writes one audit row and one event for each change. The version of the group does not change: its record does not contain the members,
 * and frequent changes of members must not make an edit of the record stale.
 */
export async function emitChanges(tx: WriteTx, changes: readonly GroupChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { client, origin, engine } = tx;
  await engine.sinks.audit(
    client,
    origin,
    changes.map((change) => ({
      action: 'MODIFY',
      table: 'group',
      recordId: change.id,
      recordName: change.name,
      eventTag: typeOf(tx, change).name,
      summary: change.summary,
      changes: [{ field: change.field, before: brief(change.before), after: brief(change.after) }],
    })),
  );
  await engine.sinks.events(
    client,
    origin,
    changes.map((change) => ({
      type: typeOf(tx, change),
      element: { id: change.id, name: change.name },
      message: `MODIFY ${change.name} by ${origin.user}: ${change.summary}`,
      attributes: { summary: change.summary },
    })),
  );
}

/** Returns a list of ids in the form of audit rows. */
export const shownIds = (ids: readonly number[]): string => `[${ids.join(', ')}]`;

/** Returns the change of a list of ids in one line. */
export const idsSummary = (field: string, before: readonly number[], after: readonly number[]): string =>
  `${field}: ${shownIds(before)} → ${shownIds(after)}`.slice(0, 400);
