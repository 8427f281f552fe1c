import type { WriteTx } from '../../kernel/runtime.ts';
import { groupElementType } from './group.ts';

/** What changed around a group that is no part of its record: members, parents, what it manages. */
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

/**
 * Writes one audit row and one event for each of these changes. The version of the group stays: nobody who edits its record has read
 * all of its members, and a busy group must not make such an edit stale.
 */
export async function tellChanges(tx: WriteTx, eventTag: string, changes: readonly GroupChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { client, origin, engine } = tx;
  await engine.sinks.audit(
    client,
    origin,
    changes.map(({ id, name, field, before, after, summary }) => ({
      action: 'MODIFY',
      table: 'group',
      recordId: id,
      recordName: name,
      eventTag,
      summary,
      changes: [{ field, before: brief(before), after: brief(after) }],
    })),
  );
  await engine.sinks.events(
    client,
    origin,
    changes.map(({ id, name, summary }) => ({
      name: eventTag,
      elementType: groupElementType,
      elementId: id,
      elementName: name,
      text: `Group ${name}: ${summary} by ${origin.user}.`,
      message: `MODIFY ${name} by ${origin.user}: ${summary}`,
    })),
  );
}

/** A list of ids as audit rows show it. */
export const shownIds = (ids: readonly number[]): string => `[${ids.join(', ')}]`;

/** How a list of ids changed, in a line. */
export const idsSummary = (field: string, before: readonly number[], after: readonly number[]): string =>
  `${field}: ${shownIds(before)} → ${shownIds(after)}`.slice(0, 400);
