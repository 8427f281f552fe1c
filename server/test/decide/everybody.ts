import type { Service } from '../../src/node/start-service.ts';
import { type CompiledSet, decideAccess, type Topology } from '../../src/policy/decide/decide.service.ts';
import { decisionContext, type Facts, openConnection } from '../../src/policy/snapshot/snapshot.service.ts';

/** The access of a connection, as a dry run returns it. */
export interface Access {
  outcome: string;
  accessState: string | null;
  policyName: string | null;
  value: { accessType: string; accessValue: string } | null;
}

/** Returns the current access of every connection, by MAC address. */
export async function decideEverybody({ policies }: Service, atMs = Date.now()): Promise<Map<string, Access>> {
  return decideConnected(await policies.latest(), policies.connected(), atMs);
}

/** Returns the access of connections by a policy set and a topology. */
export async function decideConnected(
  { set, topology }: { set: CompiledSet; topology: Topology },
  connected: AsyncIterable<readonly Facts[]> | Iterable<readonly Facts[]>,
  atMs: number,
): Promise<Map<string, Access>> {
  const accessByMac = new Map<string, Access>();
  for await (const batch of connected)
    for (const facts of batch) {
      const context = decisionContext(facts, openConnection(topology, facts)!, atMs);
      const { outcome, accessState, policyName, value } = decideAccess(set, context);
      const grantedValue = value && { accessType: value.accessType, accessValue: value.accessValue };
      accessByMac.set(facts.adapter.mac, { outcome, accessState, policyName, value: grantedValue });
    }
  return accessByMac;
}

/** The access without the name of the policy: another policy with the same result is no change. */
const resultOf = (access: Access | undefined): string => JSON.stringify({ ...access, policyName: null });

/** Returns the MAC addresses of the connections whose access differs. */
export const movedBetween = (before: ReadonlyMap<string, Access>, after: ReadonlyMap<string, Access>): string[] =>
  [...before.keys()].filter((mac) => resultOf(before.get(mac)) !== resultOf(after.get(mac)));

/** A connection in the result of a dry run. */
export interface ChangeRow {
  mac: string;
  before: Access;
  after: Access;
}

/** Returns the differences between the result of a dry run and the effect of the write. */
export function differences(
  listed: readonly ChangeRow[],
  before: ReadonlyMap<string, Access>,
  after: ReadonlyMap<string, Access>,
): string[] {
  const moved = movedBetween(before, after);
  const rows = new Map(listed.map((row) => [row.mac, row]));
  const deviations = listed.length === rows.size ? [] : ['a connection is listed twice'];
  for (const mac of moved) if (!rows.has(mac)) deviations.push(`${mac} was moved and is not listed`);
  for (const [mac, row] of rows) {
    const expected = { before: before.get(mac), after: after.get(mac) };
    const actual = { before: row.before, after: row.after };
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      deviations.push(`${mac}: listed ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
    else if (resultOf(expected.before) === resultOf(expected.after))
      deviations.push(`${mac} is listed and was not moved`);
  }
  return deviations;
}
