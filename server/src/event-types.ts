import numbersOfTypes from '../../event-types.json' with { type: 'json' };
import { authEventTypes } from './auth/auth-event-types.ts';
import type { Context } from './context.ts';
import type { Group } from './kernel/action.ts';
import type { EventType } from './kernel/event-type.ts';
import { logEventTypes } from './kernel/log/log-event-types.ts';
import type { Model } from './kernel/model.ts';
import { type NumberedEventType, numbered } from './logging/event-types/upsert-event-types.ts';

/** Every event type of a catalogue: the changes of its records, what its groups tell besides, and what stands beside them. */
export const declaredEventTypes = (groups: readonly Group<Context>[], model: Model): readonly EventType[] => [
  ...model.tables.flatMap(({ changes }) => Object.values((changes ?? {}) as Record<string, EventType>)),
  ...groups.flatMap((group) => group.eventTypes),
  ...authEventTypes,
  ...logEventTypes,
];

/** Above the numbers of every release, below those of types that are registered at run time. */
const beyondFrom = 90_000;

/** The event types with their numbers. Groups beyond the catalogue are in no release, so theirs are given here, for this run. */
export function eventTypesFor(
  groups: readonly Group<Context>[],
  model: Model,
  hasBeyond: boolean,
): readonly NumberedEventType[] {
  const types = declaredEventTypes(groups, model);
  const released: Readonly<Record<string, number>> = numbersOfTypes;
  const beyond = hasBeyond ? types.filter(({ name }) => released[name] === undefined) : [];
  const given = Object.fromEntries(beyond.map(({ name }, index) => [name, beyondFrom + index]));
  return numbered(types, { ...given, ...released });
}
