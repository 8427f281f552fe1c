import { action, type Context, distinctIds, everyRow, type RecordValue } from '../../../context.ts';
import { networkDevice } from '../../../device/network-device/network-device.ts';
import type { Call } from '../../../kernel/declare/operation.ts';
import { allows } from '../../../kernel/declare/permissions.ts';
import type { ObjectShape, Shape } from '../../../kernel/declare/shape.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import type { ValueOf } from '../../../kernel/declare/value-of.ts';
import { Failure, forbidden, invalid, invalidField, notFound, rejected } from '../../../kernel/failure.ts';
import { editableGroups, join } from '../../../system/group/group.service.ts';
import { group } from '../../../system/group/group.ts';
import { adapter, isRecentSql } from '../../adapter/adapter.ts';
import { addRisk, changeHealth, hasRisk, removeRisks } from '../health.ts';
import { deviceRegistered, userLoggedOff, userLoggedOn } from '../host.events.ts';
import { host, hostTypes } from '../host.ts';
import { nameOf } from '../saved-host.ts';
import { identifyingFieldOf } from './find-hosts.ts';

const everyAdapter = everyRow(adapter, 'isVisible then checks that the caller sees the adapter and its host');

const { id } = shapes;
const ids = { kind: 'list', item: id, min: 1, max: 5_000, doc: 'The hosts.' } as const satisfies Shape;
const words = (max: number, doc: string) => ({ kind: 'text', max, doc }) as const satisfies Shape;

/** Returns the requested hosts in the order of their ids, so that two requests for the same hosts cannot deadlock. */
const idsOf = ({ body }: Call<{ id: number[] }>): number[] => distinctIds(body.id).toSorted((a, b) => a - b);

const setRole = action(host, {
  name: 'set-role',
  method: 'POST',
  path: '/set-role',
  doc: 'Assign a fixed role to hosts, or clear it',
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
        doc: 'The role; null: the role is derived again from groups and other sources.',
        help: 'Role for the hosts. Empty: the role comes from groups and other sources again.',
      },
    },
  },
  example: { id: [1], role: 'NAC-Default' },
  errors: ['not-found', 'rejected'],
  async run(call, { tx }) {
    const { role } = call.body;
    for (const hostID of idsOf(call)) await tx.records.update(host, hostID, { role: role ?? '' });
    return {};
  },
});

const dayMs = 86_400_000;

const expirationShape = {
  kind: 'object',
  name: 'HostsExpiration',
  required: ['id'],
  properties: {
    id: ids,
    setExpiration: { kind: 'flag', doc: 'Set the expiration date.', help: 'Yes: change the expiration date.' },
    expireDays: {
      kind: 'integer',
      min: 0,
      max: 36_500,
      nullable: true,
      doc: 'Days from now; 0 or null: never.',
      help: 'Days from now. Empty or 0: never.',
    },
    expireDateMS: {
      kind: 'integer',
      min: 0,
      max: 253_402_300_799_999,
      nullable: true,
      doc: 'Expiration date in milliseconds since 1970.',
    },
    setInactivity: {
      kind: 'flag',
      doc: 'Set the allowed days of absence.',
      help: 'Yes: change the allowed days of absence.',
    },
    inactiveDays: {
      kind: 'integer',
      min: 0,
      max: 36_500,
      nullable: true,
      doc: 'Days of absence; 0 or null: unlimited.',
      help: 'Days without connection after which the hosts are deleted. Empty or 0: no limit.',
    },
  },
} as const satisfies ObjectShape;

const setExpiration = action(host, {
  name: 'set-expiration',
  method: 'POST',
  path: '/set-expiration',
  doc: 'Set or clear the expiration of hosts',
  body: expirationShape,
  example: { id: [1], setExpiration: true, expireDays: 30 },
  errors: ['not-found'],
  async run(call, { tx }) {
    const change = expirationOf(call.body, call.nowMs);
    for (const hostID of idsOf(call)) await tx.records.update(host, hostID, change);
    return {};
  },
});

type Expiration = Omit<ValueOf<typeof expirationShape>, 'id'>;

/** Returns the changes that a request makes to the expiration of a host. */
export function expirationOf(request: Expiration, nowMs: number): RecordValue {
  const { setExpiration: setsDate, expireDays, expireDateMS, setInactivity, inactiveDays } = request;
  if (!setsDate && !setInactivity) throw invalid('Nothing to set; send setExpiration, setInactivity or both.');
  if (expireDays && expireDateMS) throw invalid('Send either expireDays or expireDateMS.');
  const dateMs = expireDateMS || (expireDays ? nowMs + expireDays * dayMs : 0);
  return {
    ...(setsDate && { expirationDate: dateMs ? new Date(dateMs).toISOString() : null }),
    ...(setInactivity && { inactiveDays: inactiveDays || null }),
  };
}

const setHealth = action(host, {
  name: 'set-health',
  method: 'POST',
  path: '/{id}/set-health',
  doc: 'Mark a host at risk, or clear causes of its risk',
  saves: true,
  body: {
    kind: 'object',
    name: 'HostHealth',
    required: ['health'],
    properties: {
      health: {
        kind: 'choice',
        values: ['SAFE', 'AT_RISK'],
        doc: 'SAFE clears a cause; others may remain.',
        help: 'Safe: one cause of the risk is removed; other causes can remain.',
      },
      scanID: {
        ...id,
        doc: 'SAFE: clear the cause set by this scan, instead of the one set by an administrator.',
        help: 'With Safe: remove the cause of this scan instead of the one set by an administrator.',
      },
      all: { kind: 'flag', doc: 'SAFE: clear all causes.', help: 'With Safe: yes removes all causes.' },
      reason: words(2_000, 'Reason, stored in the history.'),
    },
  },
  example: { health: 'AT_RISK', reason: 'Reported stolen' },
  errors: ['not-found', 'rejected'],
  async run({ id: hostID, body, dryRun }, { tx }) {
    const { health, scanID, all, reason = '' } = body;
    refuseUnused(health, scanID, all);
    const record = await tx.records.fetch(host, hostID);
    if (!record) throw notFound(host.title, hostID);
    const element = { id: hostID, name: nameOf(record, hostID) };
    const cause =
      scanID === undefined
        ? ({ source: 'ADMIN', sourceID: 0 } as const)
        : ({ source: 'SCAN', sourceID: scanID } as const);
    if (scanID !== undefined && !(await hasRisk(tx, hostID, cause)))
      throw rejected(`scanID: scan ${scanID} has set no cause of risk on this host.`, '/scanID');
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
    return responseFor(dryRun, { tx }, hostID);
  },
});

/** Returns the changed host for a dry run, and an empty response otherwise. */
const responseFor = async (dryRun: boolean, { tx }: Pick<Context, 'tx'>, hostID: number) =>
  dryRun ? { results: [await tx.records.fetch(host, hostID)] } : {};

/** Throws if the request contains a parameter that would have no effect. */
function refuseUnused(health: string, scanID: number | undefined, all: boolean | undefined): void {
  const unused = (field: string, why: string) => invalid([{ pointer: `/${field}`, message: `${field}: ${why}` }]);
  if (health === 'AT_RISK' && scanID !== undefined)
    throw unused('scanID', 'only with health SAFE; a scan reports its own risks.');
  if (health === 'AT_RISK' && all) throw unused('all', 'only with health SAFE.');
  if (all && scanID !== undefined) throw unused('scanID', 'send either scanID or all.');
}

/** The adapter that was last seen with an IP address. */
interface Holder {
  id: number;
  hostID: number;
  mac: string;
  isFresh: boolean;
}

/** Returns the host with an IP address. Throws without `force` if the address was last seen too long ago, because another host may have it now. */
async function hostAt({ tx }: Context, ip: string, force: boolean): Promise<number> {
  const { rows } = await tx.client.query<Holder>(
    `select a.id, a.host_id as "hostID", m.mac, ${isRecentSql('m')} as "isFresh" from ip_mac m join ${everyAdapter} a on a.physical_address = m.mac
     where m.ip = $1 order by m.last_seen desc, m.mac limit 1`,
    [ip],
  );
  const [holder] = rows;
  if (!holder || !(await isVisible(tx, holder)))
    throw new Failure('not-found', `There is no Host with the IP address ${ip}.`);
  if (!holder.isFresh && !force)
    throw rejected(
      `ip: ${ip} was last seen with ${holder.mac} too long ago to identify the host; use its MAC address, or send force=true.`,
      '/ip',
    );
  return holder.hostID;
}

/**
 * True if the caller sees the adapter and its host: a visible host does not make its adapters visible. Checked after the search, because
 * an adapter that had the IP address earlier must not take the place of a hidden one.
 */
const isVisible = async ({ records }: Context['tx'], { id, hostID }: Pick<Holder, 'id' | 'hostID'>): Promise<boolean> =>
  (await records.exists(adapter, id)) && (await records.exists(host, hostID));

/** Returns the host with a MAC address, or undefined if the caller does not see one. */
async function hostOf({ tx }: Context, mac: string): Promise<number | undefined> {
  const { rows } = await tx.client.query<Pick<Holder, 'id' | 'hostID'>>(
    `select a.id, a.host_id as "hostID" from ${everyAdapter} a where a.physical_address = $1`,
    [mac],
  );
  const [holder] = rows;
  return holder && (await isVisible(tx, holder)) ? holder.hostID : undefined;
}

const hostNotFound = (mac: string) => new Failure('not-found', `There is no Host with the MAC address ${mac}.`);

const macBody = (name: string) =>
  ({
    kind: 'object',
    name,
    required: ['mac'],
    properties: { mac: { kind: 'mac', doc: 'MAC address of one of its adapters, in any notation.' } },
  }) as const satisfies ObjectShape;

const ipBody = (name: string) =>
  ({
    kind: 'object',
    name,
    required: ['ip'],
    properties: { ip: { kind: 'address', doc: 'Its current address.' } },
  }) as const satisfies ObjectShape;

const forceParameter = {
  force: {
    shape: {
      kind: 'flag',
      doc: 'Also if the address was last seen too long ago.',
      help: 'Yes: accept the address even if it was observed long ago.',
    },
  },
} as const;

const switchActions = (enabled: boolean) => {
  const [word, Word] = enabled ? ['enable', 'Enable'] : ['disable', 'Disable'];
  const byIp = action(host, {
    name: `${word}-by-ip`,
    method: 'POST',
    path: `/${word}-by-ip`,
    doc: `${Word} the host that currently has an IP address`,
    query: forceParameter,
    body: ipBody(`${Word}ByIp`),
    example: { ip: '192.0.2.10' },
    saves: true,
    errors: ['not-found', 'rejected'],
    async run({ body, query, dryRun }, context) {
      const hostID = await hostAt(context, body.ip, query.force === true);
      await context.tx.records.setEnabled(host, [hostID], enabled);
      return responseFor(dryRun, context, hostID);
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
            doc: 'If no host has it: create a disabled rogue, so that it gets no access when it connects.',
            help: 'Yes: if no host has this address, create a disabled rogue host, which gets no access when it connects.',
          } as const,
        },
      },
    }),
    body: macBody(`${Word}ByMac`),
    example: { mac: '00:50:C2:FF:00:01' },
    saves: true,
    errors: ['not-found', 'rejected'],
    async run(call, context) {
      const { mac } = call.body;
      const hostID =
        (await hostOf(context, mac)) ?? (call.query.create === true ? await newRogueOf(call, context, mac) : undefined);
      if (hostID === undefined) throw hostNotFound(mac);
      await context.tx.records.setEnabled(host, [hostID], enabled);
      return responseFor(call.dryRun, context, hostID);
    },
  });
  return [byIp, byMac];
};

/** Creates a rogue for an unknown MAC address, and returns the id of its host. */
async function newRogueOf({ caller }: Call, { tx }: Context, mac: string): Promise<number> {
  if (!allows(caller.rights, host.permission, 'add')) throw forbidden(host.permission, 'add');
  const { id: adapterID } = await tx.records.create(adapter, { physicalAddress: mac });
  const { rows } = await tx.client.query<{ hostID: number }>(
    `select host_id as "hostID" from ${everyAdapter} where id = $1`,
    [adapterID],
  );
  return rows[0]!.hostID;
}

const registrationShape = {
  kind: 'object',
  name: 'DeviceRegistration',
  required: ['id', 'deviceType'],
  properties: {
    id: ids,
    deviceType: words(40, 'Tag of the device type.'),
    role: { kind: 'text', min: 1, max: 128, doc: 'Role to assign.' },
    name: {
      kind: 'text',
      min: 1,
      max: 128,
      doc: 'Name; only for one host.',
      help: 'Name of the host. Only if one host is selected.',
    },
    registerAs: {
      kind: 'choice',
      values: ['HOST', 'TOPOLOGY', 'BOTH'],
      doc: 'HOST (default): as a host; TOPOLOGY: as a pingable device; BOTH.',
      help: 'Host: register as a host. Topology: add as a pingable device. Both: do both. Default: host.',
    },
    containerID: { ...id, doc: 'Container of the pingable device.' },
    groupIDs: {
      kind: 'list',
      item: id,
      max: 100,
      doc: 'Host groups that they join.',
      help: 'Host groups to which the hosts are added.',
    },
  },
} as const satisfies ObjectShape;

const registerAsDevice = action(host, {
  name: 'register-as-device',
  method: 'POST',
  path: '/register-as-device',
  doc: 'Register hosts as devices, optionally in the topology',
  body: registrationShape,
  example: { id: [1], deviceType: 'printer', role: 'NAC-Default' },
  errors: ['not-found', 'rejected', 'duplicate', 'protected'],
  async run(call, context) {
    const request = call.body;
    const inTopology = request.registerAs === 'TOPOLOGY' || request.registerAs === 'BOTH';
    const hostIDs = idsOf(call);
    if (inTopology && request.containerID === undefined)
      throw invalidField('containerID', 'required to add a device to the topology');
    if (inTopology && !allows(call.caller.rights, networkDevice.permission, 'add'))
      throw forbidden(networkDevice.permission, 'add');
    if (request.groupIDs?.length && !allows(call.caller.rights, group.permission, 'modify'))
      throw forbidden(group.permission, 'modify');
    if (request.name !== undefined && hostIDs.length > 1) throw invalidField('name', 'allowed for one host only');
    for (const hostID of hostIDs) await registerOne(context, hostID, request, inTopology);
    if (request.groupIDs?.length) {
      const groups = await editableGroups(context.tx, distinctIds(request.groupIDs));
      if (groups[0]!.type !== 'HOST') throw rejected('groupIDs: every group must be a host group.', '/groupIDs');
      await join(context, groups, hostIDs);
    }
    return {};
  },
});

type Registration = ValueOf<typeof registrationShape>;

async function registerOne({ tx }: Context, id: number, request: Registration, inTopology: boolean): Promise<void> {
  const { deviceType, role, name, containerID } = request;
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
    if (request.registerAs === 'TOPOLOGY') await tx.records.update(host, id, { type: hostTypes.topology, containerID });
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
  doc: 'Report that a user logged on to or logged off from a host',
  query: forceParameter,
  body: {
    kind: 'object',
    name: 'LoggedOnUser',
    required: ['userID', 'action'],
    properties: {
      hostID: {
        ...id,
        doc: 'The host; or send mac or ip instead.',
        help: 'Host, or enter a MAC or IP address instead.',
      },
      mac: { kind: 'mac' },
      ip: { kind: 'address' },
      userID: { kind: 'text', min: 1, max: 120, doc: 'Name of the user.' },
      action: { kind: 'choice', values: ['LOGON', 'LOGOFF'] },
    },
  },
  example: { mac: '00:50:C2:FF:00:01', userID: 'a.turing', action: 'LOGON' },
  saves: true,
  errors: ['not-found', 'rejected'],
  async run(call, context) {
    const { body } = call;
    const identifyingField = identifyingFieldOf(body, 'hostID', 'mac', 'ip');
    const hostID =
      identifyingField === 'hostID'
        ? body.hostID!
        : identifyingField === 'ip'
          ? await hostAt(context, body.ip!, call.query.force === true)
          : await hostOf(context, body.mac!);
    if (hostID === undefined) throw hostNotFound(body.mac!);
    const { tx } = context;
    const record = await tx.records.fetch(host, hostID);
    if (!record) throw notFound(host.title, hostID);
    const isOn = body.action === 'LOGON';
    // Another user has logged on since, so this logoff changes nothing.
    if (!isOn && String(record.loggedOnUserID ?? '').toLowerCase() !== body.userID.toLowerCase())
      return responseFor(call.dryRun, context, hostID);
    const changed = await tx.records.observe(host, hostID, { loggedOnUserID: isOn ? body.userID : null });
    if (changed)
      await tx.emit({
        type: isOn ? userLoggedOn : userLoggedOff,
        element: { id: hostID, name: nameOf(record, hostID) },
        userName: body.userID,
        attributes: { who: body.userID },
      });
    return responseFor(call.dryRun, context, hostID);
  },
});

export const changeHosts = [
  setRole,
  setExpiration,
  setHealth,
  ...switchActions(true),
  ...switchActions(false),
  registerAsDevice,
  setLoggedOnUser,
];
