import { action, type Context } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { Failure, forbidden, invalid, notFound, rejected } from '../../kernel/failure.ts';
import type { Call } from '../../kernel/operation.ts';
import { allows } from '../../kernel/permissions.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import { distinctIds } from '../../kernel/runtime.ts';
import { integerMax, type ObjectShape, type Shape } from '../../kernel/shape.ts';
import { editableGroups, join } from '../../system/group/membership.ts';
import { adapter } from '../adapter/adapter.ts';
import { fresh } from '../adapter/where.ts';
import { deviceRegistered, userLoggedOff, userLoggedOn } from '../host-event-types.ts';
import { namedOnce } from './find-hosts.ts';
import { addRisk, changeHealth, removeRisks } from './health.ts';
import { host, hostTypes } from './host.ts';
import { nameOf } from './saved-host.ts';

const id: Shape = { kind: 'integer', min: 1, max: integerMax };
const ids: Shape = { kind: 'list', item: id, min: 1, max: 5_000, doc: 'The hosts.' };
const words = (max: number, doc: string): Shape => ({ kind: 'text', max, doc });

/** The hosts that a body names, in the order of their ids: two who change the same do not wait for each other. */
const idsOf = ({ body }: Call): number[] => distinctIds((body as { id: number[] }).id).toSorted((a, b) => a - b);

const setRole = action(host, {
  name: 'set-role',
  method: 'POST',
  path: '/set-role',
  doc: 'Give hosts a role that stays until it is cleared, or clear it',
  body: {
    kind: 'object',
    name: 'HostsRole',
    required: ['id', 'role'],
    properties: {
      id: ids,
      role: {
        kind: 'text',
        min: 1,
        max: 128,
        nullable: true,
        doc: 'The role; null: what else gives one decides again.',
      },
    },
  },
  example: { id: [1], role: 'NAC-Default' },
  errors: ['not-found', 'rejected'],
  async run(call, { tx }) {
    const { role } = call.body as { role: string | null };
    for (const each of idsOf(call)) await tx.records.update(host, each, { role: role ?? '' });
    return {};
  },
});

const dayMs = 86_400_000;

const setExpiration = action(host, {
  name: 'set-expiration',
  method: 'POST',
  path: '/set-expiration',
  doc: 'Set or clear when hosts leave the database, by a date and by how long they are away',
  body: {
    kind: 'object',
    name: 'HostsExpiration',
    required: ['id'],
    properties: {
      id: ids,
      setExpiration: { kind: 'flag', doc: 'Set the date.' },
      expireDays: { kind: 'integer', min: 0, max: 36_500, nullable: true, doc: 'Days from now; 0 or null: never.' },
      expireDateMS: {
        kind: 'integer',
        min: 0,
        max: 253_402_300_799_999,
        nullable: true,
        doc: 'The date, in milliseconds since 1970.',
      },
      setInactivity: { kind: 'flag', doc: 'Set how long they may be away.' },
      inactiveDays: { kind: 'integer', min: 0, max: 36_500, nullable: true, doc: 'Days; 0 or null: for ever.' },
    },
  },
  example: { id: [1], setExpiration: true, expireDays: 30 },
  errors: ['not-found'],
  async run(call, { tx }) {
    const change = expirationOf(call.body as Expiration, call.nowMs);
    for (const each of idsOf(call)) await tx.records.update(host, each, change);
    return {};
  },
});

interface Expiration {
  setExpiration?: boolean;
  expireDays?: number | null;
  expireDateMS?: number | null;
  setInactivity?: boolean;
  inactiveDays?: number | null;
}

/** What a request makes of the dates of a host. */
export function expirationOf(sent: Expiration, nowMs: number): RecordValue {
  const { setExpiration: sets, expireDays, expireDateMS, setInactivity, inactiveDays } = sent;
  if (!sets && !setInactivity) throw invalid('Say what to set: setExpiration, setInactivity or both.');
  if (expireDays && expireDateMS) throw invalid('Send either expireDays or expireDateMS.');
  const dateMs = expireDateMS || (expireDays ? nowMs + expireDays * dayMs : 0);
  return {
    ...(sets && { expirationDate: dateMs ? new Date(dateMs).toISOString() : null }),
    ...(setInactivity && { inactiveDays: inactiveDays || null }),
  };
}

const setHealth = action(host, {
  name: 'set-health',
  method: 'POST',
  path: '/{id}/set-health',
  doc: 'Put a host at risk, or take away why it is',
  body: {
    kind: 'object',
    name: 'HostHealth',
    required: ['health'],
    properties: {
      health: { kind: 'choice', values: ['SAFE', 'AT_RISK'], doc: 'SAFE takes a cause away; others may stay.' },
      scanID: { ...id, doc: 'SAFE: the cause of this scan, instead of that of an administrator.' },
      all: { kind: 'flag', doc: 'SAFE: every cause.' },
      reason: words(2_000, 'Why; goes into the history.'),
    },
  },
  example: { health: 'AT_RISK', reason: 'Reported stolen' },
  errors: ['not-found'],
  async run({ id: hostID, body }, { tx }) {
    const {
      health,
      scanID,
      all,
      reason = '',
    } = body as { health: string; scanID?: number; all?: boolean; reason?: string };
    const record = await tx.records.fetch(host, hostID);
    if (!record) throw notFound(host.title, hostID);
    const element = { id: hostID, name: nameOf(record, hostID) };
    const cause =
      scanID === undefined
        ? ({ source: 'ADMIN', sourceID: 0 } as const)
        : ({ source: 'SCAN', sourceID: scanID } as const);
    const why = { source: 'ADMIN', sourceName: tx.origin.user, reason } as const;
    const { before, after } = await changeHealth(tx, element, why, () =>
      health === 'AT_RISK'
        ? addRisk(tx, hostID, { source: 'ADMIN', sourceID: 0, reason })
        : removeRisks(tx, hostID, all ? 'all' : cause),
    );
    await tx.engine.sinks.audit(tx.client, tx.origin, [
      {
        action: 'EXECUTE',
        table: 'host',
        recordId: hostID,
        recordName: element.name,
        eventTag: 'HOST_MODIFIED',
        summary: `health: ${health}${reason && `, ${reason}`}`.slice(0, 400),
        changes: [{ field: 'health', before, after }],
      },
    ]);
    return {};
  },
});

/** The adapter that has an IP address now. */
interface Holder {
  hostID: number;
  mac: string;
  isFresh: boolean;
}

/** The host behind an IP address; what was seen too long ago may be another machine by now, and is refused. */
async function hostAt({ tx }: Context, ip: string, force: boolean): Promise<number> {
  const { rows } = await tx.client.query<Holder>(
    `select a.host_id as "hostID", m.mac, ${fresh('m')} as "isFresh" from ip_mac m join adapter a on a.physical_address = m.mac
     where m.ip = $1 order by m.last_seen desc, m.mac limit 1`,
    [ip],
  );
  const [holder] = rows;
  if (!holder || !(await tx.records.exists(host, holder.hostID)))
    throw new Failure('not-found', `There is no Host with the address ${ip}.`);
  if (!holder.isFresh && !force)
    throw rejected(
      `ip: ${ip} was seen last with ${holder.mac} too long ago to be sure that it still is that host; look it up, or send force=true.`,
      '/ip',
    );
  return holder.hostID;
}

/** The host behind a MAC address. */
async function hostOf({ tx }: Context, mac: string): Promise<number | undefined> {
  const { rows } = await tx.client.query<{ hostID: number }>(
    'select a.host_id as "hostID" from adapter a where a.physical_address = $1',
    [mac],
  );
  const [found] = rows;
  return found && (await tx.records.exists(host, found.hostID)) ? found.hostID : undefined;
}

const noHostWith = (mac: string) => new Failure('not-found', `There is no Host with the MAC address ${mac}.`);

const macBody = (name: string): ObjectShape => ({
  kind: 'object',
  name,
  required: ['mac'],
  properties: { mac: { kind: 'mac', doc: 'MAC address of one of its adapters, in any notation.' } },
});

const ipBody = (name: string): ObjectShape => ({
  kind: 'object',
  name,
  required: ['ip'],
  properties: { ip: { kind: 'address', doc: 'Its current address.' } },
});

const forceParameter = {
  force: { shape: { kind: 'flag', doc: 'Also when the address was seen too long ago.' } },
} as const;

const switching = (enabled: boolean) => {
  const [word, Word] = enabled ? ['enable', 'Enable'] : ['disable', 'Disable'];
  const byIp = action(host, {
    name: `${word}-by-ip`,
    method: 'POST',
    path: `/${word}-by-ip`,
    doc: `${Word} the host that has an IP address now`,
    query: forceParameter,
    body: ipBody(`${Word}ByIp`),
    example: { ip: '192.0.2.10' },
    errors: ['not-found', 'rejected'],
    async run({ body, query }, context) {
      const hostID = await hostAt(context, (body as { ip: string }).ip, query.force === true);
      await context.tx.records.setEnabled(host, [hostID], enabled);
      return {};
    },
  });
  const byMac = action(host, {
    name: `${word}-by-mac`,
    method: 'POST',
    path: `/${word}-by-mac`,
    doc: `${Word} the host that has a MAC address`,
    ...(!enabled && {
      query: {
        create: {
          shape: {
            kind: 'flag',
            doc: 'Nobody has it: make a disabled rogue, so that it is kept out when it comes.',
          } as const,
        },
      },
    }),
    body: macBody(`${Word}ByMac`),
    example: { mac: '00:50:C2:FF:00:01' },
    errors: ['not-found', 'rejected'],
    async run(call, context) {
      const { mac } = call.body as { mac: string };
      const hostID =
        (await hostOf(context, mac)) ?? (call.query.create === true ? await newRogueOf(call, context, mac) : undefined);
      if (hostID === undefined) throw noHostWith(mac);
      await context.tx.records.setEnabled(host, [hostID], enabled);
      return {};
    },
  });
  return [byIp, byMac];
};

/** A rogue around an address that nobody has met. */
async function newRogueOf({ caller }: Call, { tx }: Context, mac: string): Promise<number> {
  if (!allows(caller.rights, host.permission, 'add')) throw forbidden(host.permission, 'add');
  const { id: adapterID } = await tx.records.create(adapter, { physicalAddress: mac });
  const { rows } = await tx.client.query<{ hostID: number }>('select host_id as "hostID" from adapter where id = $1', [
    adapterID,
  ]);
  return rows[0]!.hostID;
}

const registerAsDevice = action(host, {
  name: 'register-as-device',
  method: 'POST',
  path: '/register-as-device',
  doc: 'Register hosts as devices, and put them into the topology if that is asked for',
  body: {
    kind: 'object',
    name: 'DeviceRegistration',
    required: ['id', 'deviceType'],
    properties: {
      id: ids,
      deviceType: words(40, 'Tag of the device type.'),
      role: { kind: 'text', min: 1, max: 128, doc: 'Role that they get.' },
      name: { kind: 'text', min: 1, max: 128, doc: 'Name; only for one host.' },
      registerAs: {
        kind: 'choice',
        values: ['HOST', 'TOPOLOGY', 'BOTH'],
        doc: 'HOST: as a host, unless said otherwise; TOPOLOGY: as a device that is pinged; BOTH.',
      },
      containerID: { ...id, doc: 'Where the pinged device lies.' },
      groupIDs: { kind: 'list', item: id, max: 100, doc: 'Host groups that they join.' },
    },
  },
  example: { id: [1], deviceType: 'printer', role: 'NAC-Default' },
  errors: ['not-found', 'rejected', 'duplicate', 'protected'],
  async run(call, context) {
    const sent = call.body as Registration;
    const inTopology = sent.registerAs === 'TOPOLOGY' || sent.registerAs === 'BOTH';
    const wanted = idsOf(call);
    if (inTopology && sent.containerID === undefined)
      throw invalid([{ pointer: '/containerID', message: 'containerID: say where the device lies.' }]);
    if (inTopology && !allows(call.caller.rights, networkDevice.permission, 'add'))
      throw forbidden(networkDevice.permission, 'add');
    if (sent.name !== undefined && wanted.length > 1)
      throw invalid([{ pointer: '/name', message: 'name: several hosts cannot have the same.' }]);
    for (const each of wanted) await registerOne(context, each, sent, inTopology);
    if (sent.groupIDs?.length) {
      const groups = await editableGroups(context.tx, distinctIds(sent.groupIDs));
      if (groups[0]!.type !== 'HOST') throw rejected('groupIDs: these are no host groups.', '/groupIDs');
      await join(context, groups, wanted);
    }
    return {};
  },
});

interface Registration {
  deviceType: string;
  role?: string;
  name?: string;
  registerAs?: 'HOST' | 'TOPOLOGY' | 'BOTH';
  containerID?: number;
  groupIDs?: number[];
}

async function registerOne({ tx }: Context, id: number, sent: Registration, inTopology: boolean): Promise<void> {
  const { deviceType, role, name, containerID } = sent;
  await tx.records.update(host, id, {
    type: hostTypes.device,
    deviceType: { tag: deviceType },
    ...(role !== undefined && { role }),
    ...(name !== undefined && { hostName: name }),
  });
  const record = (await tx.records.fetch(host, id))!;
  if (inTopology) {
    await tx.records.create(networkDevice, {
      name: nameOf(record, id),
      ipAddress: record.ip,
      physicalAddress: record.primaryMac,
      containerID,
      deviceTypeOverride: deviceType,
      protocol: 'PING',
    });
    if (sent.registerAs === 'TOPOLOGY') await tx.records.update(host, id, { type: hostTypes.topology, containerID });
  }
  await tx.emit({
    type: deviceRegistered,
    element: { id, name: nameOf(record, id) },
    attributes: { type: deviceType },
  });
}

const setLoggedOnUser = action(host, {
  name: 'set-logged-on-user',
  method: 'POST',
  path: '/set-logged-on-user',
  doc: 'Say that a user logged on to a host, or off',
  query: forceParameter,
  body: {
    kind: 'object',
    name: 'LoggedOnUser',
    required: ['userID', 'action'],
    properties: {
      hostID: { ...id, doc: 'The host; or say its mac or ip.' },
      mac: { kind: 'mac' },
      ip: { kind: 'address' },
      userID: { kind: 'text', min: 1, max: 120, doc: 'Name of the user.' },
      action: { kind: 'choice', values: ['LOGON', 'LOGOFF'] },
    },
  },
  example: { mac: '00:50:C2:FF:00:01', userID: 'a.turing', action: 'LOGON' },
  errors: ['not-found', 'rejected'],
  async run(call, context) {
    const body = call.body as { hostID?: number; mac?: string; ip?: string; userID: string; action: string };
    const by = namedOnce(body, 'hostID', 'mac', 'ip');
    const hostID =
      by === 'hostID'
        ? body.hostID!
        : by === 'ip'
          ? await hostAt(context, body.ip!, call.query.force === true)
          : await hostOf(context, body.mac!);
    if (hostID === undefined) throw noHostWith(body.mac!);
    const { tx } = context;
    const record = await tx.records.fetch(host, hostID);
    if (!record) throw notFound(host.title, hostID);
    const isOn = body.action === 'LOGON';
    // Who logs off after somebody else came is gone already.
    if (!isOn && String(record.loggedOnUserID ?? '').toLowerCase() !== body.userID.toLowerCase()) return {};
    const changed = await tx.records.observe(host, hostID, { loggedOnUserID: isOn ? body.userID : null });
    if (changed)
      await tx.emit({
        type: isOn ? userLoggedOn : userLoggedOff,
        element: { id: hostID, name: nameOf(record, hostID) },
        userName: body.userID,
        attributes: { who: body.userID },
      });
    return {};
  },
});

export const changeHosts = [
  setRole,
  setExpiration,
  setHealth,
  ...switching(true),
  ...switching(false),
  registerAsDevice,
  setLoggedOnUser,
];
