import type { Context } from '../../context.ts';
import { refreshStatesOfHosts } from '../../device/port/connection-states.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import type { SaveStep } from '../../kernel/write/engine.ts';
import { deviceTypeNamed, type TypeShown } from '../../network/device-type/named-type.ts';
import { assignHostRoles, claimRole, hostRoleChanged } from '../../policy/role/assign-roles.ts';
import {
  allowedHostsExceeded,
  hostDeregistered,
  hostDisabled,
  hostEnabled,
  hostExpirationChanged,
  hostRegistered,
} from '../host-event-types.ts';
import { hostTypeLabels, hostTypes } from './host.ts';

const phone = 'ip-phone';

/** What is known of a host by what was sent of it. */
export async function completeHost({ id, before, after, sent }: SaveStep, { tx }: Context): Promise<void> {
  if (sent.deviceType !== undefined)
    after.deviceType = await deviceTypeNamed(tx, sent.deviceType as Partial<TypeShown>, 'deviceType');
  else after.deviceType ??= await deviceTypeNamed(tx, { tag: 'unknown' }, 'deviceType');
  after.type = typeOf(before, after, sent);
  if (after.type === hostTypes.topology && before?.type !== hostTypes.topology) await refuseWithoutDevice(tx, id);
  if (!before && !after.hostName && after.type !== hostTypes.rogue && sent.adapterObjects === undefined)
    throw invalid([{ pointer: '/hostName', message: 'hostName: a registered host without adapters needs a name.' }]);
  const isRegistered = after.type !== hostTypes.rogue;
  if (!before) after.creationTime = new Date().toISOString();
  if (isRegistered !== (before !== undefined && before.type !== hostTypes.rogue)) {
    after.registeredAt = isRegistered ? new Date().toISOString() : null;
    after.registeredBy = isRegistered ? tx.origin.user : null;
  }
  if (sent.role !== undefined && after.role !== before?.role) claimRole(after);
  if (after.expirationDate !== (before?.expirationDate ?? null))
    after.expirationSource = after.expirationDate === null ? null : 'MANUAL';
}

/** The type follows the device type where that is a phone, and the topology knows who is in it; the rest is a person's word. */
function typeOf(before: RecordValue | undefined, after: RecordValue, sent: Readonly<RecordValue>): number {
  const was = before?.type as number | undefined;
  const isPhone = (after.deviceType as TypeShown).tag === phone;
  const wanted = Number(after.type);
  if (isPhone) {
    if (sent.type === hostTypes.rogue && was === hostTypes.phone)
      throw rejected(`type: its device type is ${phone}; give it another one to make it a rogue.`, '/type');
    return hostTypes.phone;
  }
  if (wanted === hostTypes.phone)
    return was === hostTypes.phone && (sent.type === undefined || sent.type === was)
      ? hostTypes.device
      : refused(`type: a phone is what has the device type ${phone}; set that.`);
  return wanted;
}

/** Who is in the topology has a device there, by the address of an adapter. */
async function refuseWithoutDevice({ client }: Context['tx'], id: number): Promise<void> {
  const { rowCount } = await client.query(
    'select from adapter a join network_device d on d.physical_address = a.physical_address where a.host_id = $1 limit 1',
    [id],
  );
  if (rowCount === 0)
    refused('type: no device has the address of this host; use POST /host/register-as-device to make one.');
}

function refused(message: string): never {
  throw rejected(message, '/type');
}

export const nameOf = (record: RecordValue, id: number): string =>
  String(record.hostName || record.primaryMac || `host ${id}`);

/** Tells what became of a host, and has everything follow it that does. */
export async function followHost({ id, before, after, sent }: SaveStep, { tx }: Context): Promise<void> {
  const element = { id, name: nameOf(after, id) };
  const [was, is] = [before?.type ?? hostTypes.rogue, after.type];
  if (was === hostTypes.rogue && is !== hostTypes.rogue)
    await tx.emit({ type: hostRegistered, element, attributes: { label: hostTypeLabels[Number(is) - 1]! } });
  if (was !== hostTypes.rogue && is === hostTypes.rogue) await tx.emit({ type: hostDeregistered, element });
  if (before && before.enabled !== after.enabled)
    await tx.emit({ type: after.enabled ? hostEnabled : hostDisabled, element });
  if (before && (before.expirationDate !== after.expirationDate || before.inactiveDays !== after.inactiveDays))
    await tx.emit({ type: hostExpirationChanged, element, attributes: { when: leavesWhen(after) } });
  if (sent.role === '') await assignHostRoles(tx, [id]);
  else if (before && before.role !== after.role)
    await tx.emit({
      type: hostRoleChanged,
      element,
      attributes: { old: String(before.role), new: String(after.role), source: String(after.roleSource) },
    });
  if (after.ownerID && after.ownerID !== before?.ownerID) await tellTooMany(tx, element, Number(after.ownerID));
  if (before && (was !== is || before.enabled !== after.enabled)) await refreshStatesOfHosts(tx.client, [id]);
}

const leavesWhen = ({ expirationDate, inactiveDays }: RecordValue): string =>
  [expirationDate ? `at ${expirationDate}` : '', inactiveDays ? `after ${inactiveDays} days away` : '']
    .filter(Boolean)
    .join(' or ') || 'never';

/** An administrator may give somebody more hosts than they may register themselves, and it is told. */
async function tellTooMany(tx: Context['tx'], element: { id: number; name: string }, ownerID: number): Promise<void> {
  const { rows } = await tx.client.query<{ owner: string; count: number; allowed: number }>(
    `select u.user_id as owner, (select count(*) from host h where h.owner_id = u.id and h.type <> ${hostTypes.rogue})::integer as count,
       d.allowed_hosts as allowed
     from user_account u, device_properties d where u.id = $1`,
    [ownerID],
  );
  const { owner, count, allowed } = rows[0]!;
  if (count > allowed)
    await tx.emit({ type: allowedHostsExceeded, element, userName: owner, attributes: { owner, count, allowed } });
}
