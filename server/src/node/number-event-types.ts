import numbersOfTypes from '../../../event-types.json' with { type: 'json' };
import { authEventTypes } from '../auth/auth.events.ts';
import type { Context } from '../context.ts';
import type { EventType } from '../kernel/declare/event-type.ts';
import { logEventTypes } from '../kernel/log/log-event-types.ts';
import type { Model } from '../kernel/model/model.ts';
import type { Resource } from '../kernel/operations/resource.ts';
import { type NumberedEventType, numbered } from '../logging/event-types/event-types.service.ts';

/** Every event type of a catalogue: the changes of its records, the other events of its groups, and those of the service itself. */
export const declaredEventTypes = (groups: readonly Resource<Context>[], model: Model): readonly EventType[] => [
  ...model.tables.flatMap(({ changes }) => Object.values((changes ?? {}) as Record<string, EventType>)),
  ...groups.flatMap((group) => group.events),
  ...authEventTypes,
  ...logEventTypes,
];

/** Above the numbers of every release, below those of types that are registered at run time. */
const overlayNumbersStart = 90_000;

/** The event types with their numbers. Groups beyond the catalogue are in no release, so theirs are given here, for this run. */
export function eventTypesFor(
  groups: readonly Resource<Context>[],
  model: Model,
  hasBeyond: boolean,
): readonly NumberedEventType[] {
  const types = declaredEventTypes(groups, model);
  const released: Readonly<Record<string, number>> = numbersOfTypes;
  const overlayTypes = hasBeyond ? types.filter(({ name }) => released[name] === undefined) : [];
  const overlayNumbers = Object.fromEntries(overlayTypes.map(({ name }, index) => [name, overlayNumbersStart + index]));
  return numbered(types, { ...overlayNumbers, ...released });
}
