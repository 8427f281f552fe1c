import type { Context } from '../../context.ts';
import { allows, type Rights } from '../../kernel/declare/permissions.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';
import { roleMapping } from '../role-mapping/role-mapping.ts';
import { type Facts, factsMax, readFacts } from '../snapshot/snapshot.service.ts';
import { readChangedSet } from './changed-set.ts';
import { type Access, compareConnections, isDecidedByOther, roleMappingStep } from './compare-connections.ts';
import { visibleConnections } from './visible-connections.ts';

const connectedSql = `select c.mac from connection_active c
where c.device_id = any($1::bigint[]) and c.mac > $2 order by c.mac limit ${factsMax}`;

/** Yields the facts of the adapters connected to some devices, in batches. */
async function* connectedTo({ tx: { client } }: Context, deviceIDs: readonly number[]): AsyncGenerator<Facts[]> {
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ mac: string }>(connectedSql, [deviceIDs, after]);
    if (rows.length === 0) return;
    yield await readFacts(
      client,
      'mac',
      rows.map(({ mac }) => mac),
    );
    after = rows.at(-1)!.mac;
  }
}

/**
 * Returns the names of the policies and role mappings that lose or gain a connection to each of these devices by the changes of the
 * open transaction: those that the caller may view, of connections that the caller sees.
 */
export async function movedPolicies(
  context: Context,
  { rights, nowMs, signal }: { rights: Rights; nowMs: number; signal: AbortSignal },
  deviceIDs: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const base = await context.policies.latest();
  const changed = await readChangedSet(context.tx.client, base);
  const compared = await compareConnections(base, changed, connectedTo(context, deviceIDs), {
    atMs: nowMs,
    signal,
    visibleOf: visibleConnections(context),
    isChanged: isDecidedByOther,
  });
  const names = new Map<number, Set<string>>();
  const addName = (deviceID: number, { step, policyName }: Access) => {
    const { permission } = step === roleMappingStep ? roleMapping : accessPolicy;
    if (policyName === null || !allows(rights, permission, 'view')) return;
    names.set(deviceID, (names.get(deviceID) ?? new Set()).add(policyName));
  };
  for (const { deviceID, before, after } of compared.changed) {
    addName(deviceID, before);
    addName(deviceID, after);
  }
  return new Map([...names].map(([id, policyNames]) => [id, [...policyNames].sort()]));
}
