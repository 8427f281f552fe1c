import { type Context, everyRow, type RecordValue, type SaveStep } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { refreshStatesOfHosts } from '../../device/port/port.service.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import { deviceTypeNamed, type TypeShown } from '../../network/device-type/device-type.service.ts';
import { hostRoleChanged } from '../../policy/role/role.events.ts';
import { assignHostRoles, claimRole } from '../../policy/role/role.service.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { adapter } from '../adapter/adapter.ts';
import {
  allowedHostsExceeded,
  hostDeregistered,
  hostDisabled,
  hostEnabled,
  hostExpirationChanged,
  hostRegistered,
} from './host.events.ts';
import { host, hostTypeLabels, hostTypes } from './host.ts';

const everyAdapter = everyRow(adapter, 'any device places a host in the topology, and all hosts of an owner count');
const everyDevice = everyRow(
  networkDevice,
  'any device places a host in the topology, and all hosts of an owner count',
);
const everyHost = everyRow(host, 'any device places a host in the topology, and all hosts of an owner count');
const everyUser = everyRow(userAccount, 'any device places a host in the topology, and all hosts of an owner count');

const phone = 'ip-phone';

/** Sets the fields of a host that follow from the request: device type, type, registration, source of the role, owner, source of the expiration. */
export async function completeHost({ id, before, after, sent: requestBody }: SaveStep, { tx }: Context): Promise<void> {
  if (requestBody.deviceType !== undefined)
    after.deviceType = await deviceTypeNamed(tx, requestBody.deviceType as Partial<TypeShown>, 'deviceType');
  else after.deviceType ??= await deviceTypeNamed(tx, { tag: 'unknown' }, 'deviceType');
  after.type = typeOf(before, after, requestBody);
  if (after.type === hostTypes.topology && before?.type !== hostTypes.topology) await refuseWithoutDevice(tx, id);
  if (!before && !after.hostName && after.type !== hostTypes.rogue && requestBody.adapterObjects === undefined)
    throw invalid([{ pointer: '/hostName', message: 'hostName: a registered host without adapters needs a name.' }]);
  const isRegistered = after.type !== hostTypes.rogue;
  // The adapters are saved after the host, but the first events need its MAC address.
  if (!before) after.primaryMac = firstMac(requestBody);
  if (!before) after.creationTime = new Date().toISOString();
  if (isRegistered !== (before !== undefined && before.type !== hostTypes.rogue)) {
    after.registeredAt = isRegistered ? new Date().toISOString() : null;
    after.registeredBy = isRegistered ? tx.origin.user : null;
  }
  // A complete record that is sent back contains roleSource, and does not fix the role. A role without roleSource does.
  if (requestBody.role !== undefined && (after.role !== before?.role || requestBody.roleSource === undefined))
    claimRole(after);
  if (requestBody.owner !== undefined) after.ownerID = await ownerOf(tx, before, requestBody);
  if (after.expirationDate !== (before?.expirationDate ?? null))
    after.expirationSource = after.expirationDate === null ? null : 'MANUAL';
}

const firstMac = ({ adapterObjects }: Readonly<RecordValue>): string | null =>
  (adapterObjects as { physicalAddress: string }[] | undefined)?.[0]?.physicalAddress ?? null;

async function isHidden({ client, visible }: Context['tx'], account: number): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${visible(userAccount)} u where u.id = $1`, [account]);
  return rowCount === 0;
}

/** Returns the account of the requested owner: by name, by id, or by both if they agree. A value that equals the stored one is ignored. */
async function ownerOf(
  tx: Context['tx'],
  before: RecordValue | undefined,
  { owner, ownerID }: Readonly<RecordValue>,
): Promise<number | null> {
  const [was, wasID] = [before?.owner ?? null, before?.ownerID ?? null];
  // Callers who do not see the owner receive null. If they send it back, the owner stays.
  if (!owner && wasID !== null && (ownerID ?? wasID) === wasID && (await isHidden(tx, Number(wasID))))
    return Number(wasID);
  const isNamed = owner !== was && String(owner ?? '').toLowerCase() !== String(was ?? '').toLowerCase();
  const isNumbered = ownerID !== undefined && (ownerID || null) !== wasID;
  const numberedAccount = (isNumbered ? ownerID || null : wasID) as number | null;
  if (!isNamed) {
    if (isNumbered && owner === '') throw rejected('owner: is empty, and ownerID is not; send only one.', '/owner');
    return numberedAccount;
  }
  const namedAccount = owner ? await accountNamed(tx, String(owner)) : null;
  if (isNumbered && namedAccount !== numberedAccount)
    throw rejected('owner: is not the account of ownerID; send only one of them.', '/owner');
  return namedAccount;
}

async function accountNamed(tx: Context['tx'], name: string): Promise<number> {
  const { rows } = await tx.client.query<{ id: number }>(
    `select u.id from ${tx.visible(userAccount)} u where lower(u.user_id) = lower($1::text)`,
    [name],
  );
  if (!rows[0]) throw rejected(`owner: there is no account ${JSON.stringify(name)}.`, '/owner');
  return rows[0].id;
}

/** Returns the type of a host: phone exactly if the device type is a phone, otherwise the requested one. A phone with a new device type becomes a device. */
function typeOf(before: RecordValue | undefined, after: RecordValue, requestBody: Readonly<RecordValue>): number {
  const was = before?.type as number | undefined;
  const isPhone = (after.deviceType as TypeShown).tag === phone;
  const requestedType = Number(after.type);
  if (isPhone) {
    if (requestBody.type === hostTypes.rogue && was === hostTypes.phone)
      throw rejected(`type: its device type is ${phone}; set another device type to make it a rogue.`, '/type');
    return hostTypes.phone;
  }
  if (requestedType === hostTypes.phone)
    return was === hostTypes.phone && (requestBody.type === undefined || requestBody.type === was)
      ? hostTypes.device
      : rejectType(`type: phones have the device type ${phone}; set deviceType instead.`);
  return requestedType;
}

/** Throws if no device in the topology has the MAC address of an adapter of the host. */
async function refuseWithoutDevice({ client }: Context['tx'], id: number): Promise<void> {
  const { rowCount } = await client.query(
    `select from ${everyAdapter} a join ${everyDevice} d on d.physical_address = a.physical_address where a.host_id = $1 limit 1`,
    [id],
  );
  if (rowCount === 0)
    rejectType('type: no device has the MAC address of this host; use POST /host/register-as-device to create one.');
}

function rejectType(message: string): never {
  throw rejected(message, '/type');
}

export const nameOf = (record: RecordValue, id: number): string =>
  String(record.hostName || record.primaryMac || `host ${id}`);

/** Emits the events of a saved host, and updates everything that depends on it. */
export async function followHost({ id, before, after, sent: requestBody }: SaveStep, { tx }: Context): Promise<void> {
  const element = { id, name: nameOf(after, id) };
  const [was, is] = [before?.type ?? hostTypes.rogue, after.type];
  if (was === hostTypes.rogue && is !== hostTypes.rogue)
    await tx.emit({ type: hostRegistered, element, attributes: { label: hostTypeLabels[Number(is) - 1]! } });
  if (was !== hostTypes.rogue && is === hostTypes.rogue) await tx.emit({ type: hostDeregistered, element });
  if (before && before.enabled !== after.enabled)
    await tx.emit({ type: after.enabled ? hostEnabled : hostDisabled, element });
  if (before && (before.expirationDate !== after.expirationDate || before.inactiveDays !== after.inactiveDays))
    await tx.emit({ type: hostExpirationChanged, element, attributes: { when: expirationText(after) } });
  if (requestBody.role === '') await assignHostRoles(tx, [id]);
  else if (before && before.role !== after.role)
    await tx.emit({
      type: hostRoleChanged,
      element,
      attributes: { old: String(before.role), new: await roleOf(tx, id), source: String(after.roleSource) },
    });
  if (after.ownerID && after.ownerID !== before?.ownerID) await emitTooMany(tx, element, Number(after.ownerID));
  if (before && (was !== is || before.enabled !== after.enabled)) await refreshStatesOfHosts(tx.client, [id]);
}

/** Returns the stored name of the role, which may differ in upper and lower case from the requested one. */
async function roleOf({ client }: Context['tx'], id: number): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select o.name from ${everyHost} h join role o on o.id = h.role_id where h.id = $1`,
    [id],
  );
  return rows[0]!.name;
}

const expirationText = ({ expirationDate, inactiveDays }: RecordValue): string =>
  [expirationDate ? `at ${expirationDate}` : '', inactiveDays ? `after ${inactiveDays} days of absence` : '']
    .filter(Boolean)
    .join(' or ') || 'never';

/** Emits an event if a user owns more hosts than allowed. Administrators may exceed the limit. */
async function emitTooMany(tx: Context['tx'], element: { id: number; name: string }, ownerID: number): Promise<void> {
  const { rows } = await tx.client.query<{ owner: string; count: number; allowed: number }>(
    `select u.user_id as owner, (select count(*) from ${everyHost} h where h.owner_id = u.id and h.type <> ${hostTypes.rogue})::integer as count,
       d.allowed_hosts as allowed
     from ${everyUser} u, device_properties d where u.id = $1`,
    [ownerID],
  );
  const { owner, count, allowed } = rows[0]!;
  if (count > allowed)
    await tx.emit({ type: allowedHostsExceeded, element, userName: owner, attributes: { owner, count, allowed } });
}
