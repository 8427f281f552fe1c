import type { Context } from '../../context.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import type { Facts } from '../snapshot/snapshot.service.ts';

/** True if row limits hide some hosts or adapters, and with them their connections, from the caller. */
export const hidesConnections = ({ visibleRow }: Context): boolean =>
  visibleRow(host) !== '' || visibleRow(adapter) !== '';

/** Returns the ids of the adapters that the caller sees together with their hosts. */
export async function visibleAdapters(
  { query, visible }: Context,
  adapterIDs: readonly (number | null)[],
): Promise<ReadonlySet<number>> {
  const rows = await query<{ id: number }>(
    `select a.id from ${visible(adapter)} a join ${visible(host)} h on h.id = a.host_id where a.id = any($1::bigint[])`,
    [adapterIDs],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns a function that filters a batch to the connections that the caller sees; undefined for a caller who sees all. A caller chooses
 * the criteria of a policy freely, so even the existence of a matching hidden connection would disclose attributes of its host, one
 * character at a time.
 */
export const visibleConnections = (
  context: Context,
): ((batch: readonly Facts[]) => Promise<readonly Facts[]>) | undefined => {
  if (!hidesConnections(context)) return undefined;
  return async (batch) => {
    const visibleIDs = await visibleAdapters(
      context,
      batch.map((facts) => facts.adapter.id),
    );
    return batch.filter((facts) => visibleIDs.has(facts.adapter.id!));
  };
};
