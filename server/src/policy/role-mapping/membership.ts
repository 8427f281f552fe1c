import type { Context } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { allows, type Rights } from '../../kernel/declare/permissions.ts';
import { notFound } from '../../kernel/failure.ts';
import { LoopShare } from '../../kernel/values/loop-share.ts';
import { decideAccess } from '../decide/decide.service.ts';
import { decisionContext, openConnection } from '../snapshot/snapshot.service.ts';
import { roleMapping } from './role-mapping.ts';

/** Limit on the members in one response. */
const membersMax = 10_000;
const batchMax = 500;
const stepOfMappings = 6;

/** A connected adapter whose access a mapping decides. */
interface MappedAdapter {
  mappingID: number;
  adapterID: number;
  hostID: number;
  roleID: number | null;
  expectedValue: string | null;
  appliedValue: string | null;
}

/** Returns the visible connections that mappings currently decide. Hosts and places are shown to callers who may view them. */
export async function governedBy(context: Context, rights: Rights, mapping: number | undefined, atMs: number) {
  if (mapping !== undefined && !(await context.fetch(roleMapping, mapping))) throw notFound(roleMapping.title, mapping);
  const governed = await decideMembers(context, mapping, atMs);
  const roles = await context.db.selectFrom('role').select(['id', 'name']).execute();
  const roleNames = new Map(roles.map(({ id, name }) => [id, name]));
  const showsHosts = allows(rights, host.permission, 'view');
  const showsPlaces = allows(rights, networkDevice.permission, 'view');
  const members = [];
  for (let start = 0; start < governed.length; start += batchMax) {
    const batch = governed.slice(start, start + batchMax);
    const { records } = await context.list(adapter, {
      filter: [`id=in=(${batch.map(({ adapterID }) => adapterID).join(',')})`],
      start: 0,
      count: batchMax,
    });
    const shown = new Map(records.map((record) => [record.id, record]));
    const hostNames = await namesOf(context, batch);
    for (const { mappingID, adapterID, hostID, roleID, expectedValue, appliedValue } of batch) {
      const record = shown.get(adapterID);
      if (!record) continue;
      members.push({
        mappingID,
        elementType: 'HOST',
        elementID: showsHosts ? hostID : null,
        elementName: showsHosts ? hostNames.get(hostID) || record.physicalAddress : null,
        mac: showsHosts ? record.physicalAddress : null,
        location: showsPlaces ? record.location : null,
        role: (roleID !== null && roleNames.get(roleID)) || '',
        expectedValue,
        appliedValue,
        inForce: expectedValue === appliedValue,
      });
    }
  }
  return members;
}

async function namesOf({ db }: Context, governed: readonly MappedAdapter[]): Promise<ReadonlyMap<number, string>> {
  const hosts = await db
    .selectFrom('host')
    .select(['id', 'hostName'])
    .where('id', 'in', [...new Set(governed.map(({ hostID }) => hostID))])
    .execute();
  return new Map(hosts.map(({ id, hostName }) => [id, hostName ?? '']));
}

/** Decides every connection, and returns those that a mapping decides, up to the limit. */
async function decideMembers(
  { policies }: Context,
  mapping: number | undefined,
  atMs: number,
): Promise<MappedAdapter[]> {
  const { set, topology } = await policies.latest();
  const governed: MappedAdapter[] = [];
  const share = new LoopShare();
  for await (const batch of policies.connected()) {
    for (const facts of batch) {
      const connection = openConnection(topology, facts);
      if (!connection) continue;
      const { step, policyID, value } = decideAccess(set, decisionContext(facts, connection, atMs));
      if (step !== stepOfMappings || policyID === null || (mapping ?? policyID) !== policyID) continue;
      governed.push({
        mappingID: policyID,
        adapterID: facts.adapter.id!,
        hostID: facts.host.id,
        roleID: facts.loggedOnUser ? facts.loggedOnUser.roleID : facts.host.roleID,
        expectedValue: value?.accessValue ?? null,
        appliedValue: connection.vlan,
      });
      if (governed.length === membersMax) return governed;
      if (share.isUsedUp()) await share.pause();
    }
  }
  return governed;
}
