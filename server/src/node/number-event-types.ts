import { authEventTypes } from '../auth/auth.events.ts';
import type { Context } from '../context.ts';
import type { EventType } from '../kernel/declare/event-type.ts';
import { logEventTypes } from '../kernel/log/log-event-types.ts';
import type { Model } from '../kernel/model/model.ts';
import type { Resource } from '../kernel/operations/resource.ts';
import { type NumberedEventType, numbered } from '../logging/event-types/event-types.service.ts';
import { storedEventTypeNumbers } from './event-type-numbers.ts';

/** Returns all event types of a catalogue: changes of records, other events of its resources, and those of the service. */
export const declaredEventTypes = (groups: readonly Resource<Context>[], model: Model): readonly EventType[] => [
  ...model.tables.flatMap(({ changes }) => Object.values((changes ?? {}) as Record<string, EventType>)),
  ...groups.flatMap((group) => group.events),
  ...authEventTypes,
  ...logEventTypes,
];

/** Above the numbers of all releases, and below those of types that are registered at run time. */
const overlayNumbersStart = 90_000;

/** Returns the event types with their numbers. Resources of an overlay are in no release, so their types get numbers for this run. */
export function eventTypesFor(
  groups: readonly Resource<Context>[],
  model: Model,
  hasBeyond: boolean,
): readonly NumberedEventType[] {
  const types = declaredEventTypes(groups, model);
  const released = storedEventTypeNumbers();
  const overlayTypes = hasBeyond ? types.filter(({ name }) => released[name] === undefined) : [];
  const overlayNumbers = Object.fromEntries(overlayTypes.map(({ name }, index) => [name, overlayNumbersStart + index]));
  return numbered(types, { ...overlayNumbers, ...released });
}
