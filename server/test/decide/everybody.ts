import type { Service } from '../../src/node/start-service.ts';
import { type CompiledSet, decideAccess, type Topology } from '../../src/policy/decide/decide.service.ts';
import { decisionContext, type Facts, openConnection } from '../../src/policy/snapshot/snapshot.service.ts';

/** The access of a connection, as a dry run answers it. */
export interface Access {
  outcome: string;
  accessState: string | null;
  policyName: string | null;
  value: { accessType: string; accessValue: string } | null;
}

/** What everybody who is connected gets now, by MAC address. */
export async function decideEverybody({ policies }: Service, atMs = Date.now()): Promise<Map<string, Access>> {
  return decideConnected(await policies.latest(), policies.connected(), atMs);
}

/** What connections get by a policy set and the places where they are. */
export async function decideConnected(
  { set, topology }: { set: CompiledSet; topology: Topology },
  connected: AsyncIterable<readonly Facts[]> | Iterable<readonly Facts[]>,
  atMs: number,
): Promise<Map<string, Access>> {
  const found = new Map<string, Access>();
  for await (const batch of connected)
    for (const facts of batch) {
      const context = decisionContext(facts, openConnection(topology, facts)!, atMs);
      const { outcome, accessState, policyName, value } = decideAccess(set, context);
      const given = value && { accessType: value.accessType, accessValue: value.accessValue };
      found.set(facts.adapter.mac, { outcome, accessState, policyName, value: given });
    }
  return found;
}

/** An access without the name of the policy that grants it: another policy with the same result changes nothing. */
const resultOf = (access: Access | undefined): string => JSON.stringify({ ...access, policyName: null });

/** Returns the MAC addresses of the connections whose access differs. */
export const movedBetween = (before: ReadonlyMap<string, Access>, after: ReadonlyMap<string, Access>): string[] =>
  [...before.keys()].filter((mac) => resultOf(before.get(mac)) !== resultOf(after.get(mac)));

/** A connection as a dry run lists it. */
export interface ChangeRow {
  mac: string;
  before: Access;
  after: Access;
}

/** How the list of a dry run differs from what the write has done; nothing, when it is right. */
export function differences(
  listed: readonly ChangeRow[],
  before: ReadonlyMap<string, Access>,
  after: ReadonlyMap<string, Access>,
): string[] {
  const moved = movedBetween(before, after);
  const rows = new Map(listed.map((row) => [row.mac, row]));
  const found = listed.length === rows.size ? [] : ['a connection is listed twice'];
  for (const mac of moved) if (!rows.has(mac)) found.push(`${mac} was moved and is not listed`);
  for (const [mac, row] of rows) {
    const wanted = { before: before.get(mac), after: after.get(mac) };
    const given = { before: row.before, after: row.after };
    if (JSON.stringify(given) !== JSON.stringify(wanted))
      found.push(`${mac}: listed ${JSON.stringify(given)}, and is ${JSON.stringify(wanted)}`);
    else if (resultOf(wanted.before) === resultOf(wanted.after)) found.push(`${mac} is listed and was not moved`);
  }
  return found;
}
