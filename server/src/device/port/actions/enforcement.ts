import { action, type Context, everyRow, filterParameter, listQueryOf } from '../../../context.ts';
import { adapter } from '../../../host/adapter/adapter.ts';
import { host, hostTypes } from '../../../host/host/host.ts';
import { elementCodes } from '../../../kernel/declare/element-type.ts';
import type { Call } from '../../../kernel/declare/operation.ts';
import { allows } from '../../../kernel/declare/permissions.ts';
import type { ObjectShape } from '../../../kernel/declare/shape.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import { instantSql } from '../../../kernel/values/time.ts';
import type { Decision } from '../../../policy/decide/decide.service.ts';
import { decidePorts } from '../../../policy/snapshot/snapshot.service.ts';
import { group } from '../../../system/group/group.ts';
import { networkDevice } from '../../network-device/network-device.ts';
import { portChange } from '../../port-change/port-change.ts';
import { port } from '../port.ts';

const everyGroup = everyRow(group, 'a port takes part by any group, also by one that the caller does not see');

const everyAdapter = everyRow(adapter, 'a port counts all that is connected to it');
const everyHost = everyRow(host, 'a port counts all that is connected to it');

const { id, count } = shapes;
const groupsMax = 1_000;

const { name, enforcement, rank } = group.fields;

/** A port that takes part in the isolation of hosts. */
const enforcedPort = {
  kind: 'object',
  name: 'EnforcedPort',
  properties: {
    portID: { ...id, doc: 'dbid of the port.' },
    name: port.fields.name.shape,
    deviceID: { ...id, doc: 'The device it belongs to.' },
    deviceName: port.fields.deviceName.shape,
    groups: {
      kind: 'list',
      max: groupsMax,
      doc: 'Enforcement groups that contain it, directly or through a nested group.',
      item: {
        kind: 'object',
        name: 'EnforcementGroup',
        properties: { id, name: name.shape, enforcement: enforcement.shape, rank: rank.shape },
      },
    },
    enforced: {
      kind: 'list',
      item: { kind: 'text', max: 40 },
      max: 10,
      doc: 'Host states that it isolates, in the order of evaluation.',
    },
    hosts: { ...count, doc: 'Number of connected adapters.' },
    rogues: { ...count, doc: 'Number of connected adapters of rogue hosts.' },
    accessState: {
      kind: 'text',
      max: 40,
      nullable: true,
      doc: 'Decided state of the connected adapters, of several the most restrictive; null: no adapter is connected, or nothing is enforced.',
    },
    desiredVlan: {
      kind: 'text',
      max: 64,
      nullable: true,
      doc: 'VLAN that is decided now; null: none is.',
    },
    currentVlan: port.fields.currentVlan.shape,
    inSync: { kind: 'flag', doc: 'The current VLAN is the decided one, or none is decided.' },
    lastChange: {
      kind: 'time',
      nullable: true,
      doc: 'Last change by the service; null: never, or no longer in the log.',
    },
  },
} as const satisfies ObjectShape;

/** Starts with the enforcement groups, which are few, instead of checking every port. */
const isEnforced = `r.id in (select m.member_id
  from ${everyGroup} g
  join group_closure c on c.ancestor_id = g.id
  join group_member m on m.group_id = c.descendant_id and m.element_type = ${elementCodes.PORT}
  where g.type = 'PORT' and g.enforcement <> 'NONE')`;

const enforcedPage = (call: Call, { list }: Context, countMax?: number) =>
  list(port, { ...listQueryOf(call, () => isEnforced), ...(countMax !== undefined && { count: countMax }) });

interface Facts {
  portID: number;
  groups: { id: number; name: string; enforcement: string; rank: number }[];
  enforced: string[];
  hosts: number;
  rogues: number;
  vlans: { id: number; name: string }[];
  lastChange: string | null;
}

/** Loads additional values for a page of ports, in one statement. */
const factsSql = ({ visible, visibleRow }: Context) => `select p.id as "portID", f.groups, f.enforced,
  (select count(*) from connection_active a where a.port_id = p.id) as hosts,
  (select count(*) from connection_active c
   left join ${everyAdapter} a on a.physical_address = c.mac
   left join ${everyHost} h on h.id = a.host_id
   where c.port_id = p.id and coalesce(h.type, ${hostTypes.rogue}) = ${hostTypes.rogue}) as rogues,
  (select d.vlans from ${visible(networkDevice)} d join ${visible(port)} o on o.device_id = d.id where o.id = p.id) as vlans,
  (select ${instantSql('c.at')} from ${visible(portChange)} c where c.port_id = p.id order by c.id desc limit 1) as "lastChange"
from unnest($1::bigint[]) p(id),
lateral (
  select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'name', e.name, 'enforcement', e.enforcement, 'rank', e.rank) order by e.rank, e.id)
      filter (where e.is_seen), '[]') as groups,
    coalesce(array_agg(e.enforcement order by e.rank), '{}') as enforced
  from (
    select r.id, r.name, r.enforcement, ${rank.sql} as rank, (true${visibleRow(group)}) as is_seen
    from ${everyGroup} r
    where r.type = 'PORT' and r.enforcement <> 'NONE' and exists (
      select from group_closure c
      join group_member m on m.group_id = c.descendant_id and m.element_type = ${elementCodes.PORT} and m.member_id = p.id
      where c.ancestor_id = r.id)
  ) e
) f`;

/** Returns the VLAN that a decision sets; null if it sets none. */
function vlanOf(decision: Decision | undefined): string | null {
  const value = decision?.outcome === 'NOT_ENFORCED' ? null : decision?.value;
  return value?.accessType === 'VLAN_ID' || value?.accessType === 'VLAN_NAME' ? value.accessValue : null;
}

/** Policies may name a VLAN by its name, while ports report the id. */
const isSameVlan = (desired: string, current: string, vlans: Facts['vlans']): boolean =>
  desired === current || vlans.some(({ id: vlan, name: called }) => called === desired && String(vlan) === current);

const enforcementList = action(port, {
  name: 'enforcement',
  method: 'GET',
  path: '/enforcement',
  // Decisions wait for the policy snapshot, which is loaded through another database connection.
  transaction: false,
  doc: 'List the ports in enforcement groups; filters and sort keys are those of ports',
  listed: true,
  identity: 'portID',
  counted: true,
  result: enforcedPort,
  errors: ['too-expensive'],
  async run(call, context) {
    const { records, ...page } = await enforcedPage(call, context);
    const ids = records.map(({ dbid }) => dbid);
    const rows = await context.query<Facts>(factsSql(context), [ids]);
    const facts = new Map(rows.map((row) => [row.portID, row]));
    const occupied = rows.flatMap(({ portID, hosts }) => (hosts > 0 ? [portID] : []));
    const decisions = await decidePorts(context.policies, occupied, call.nowMs);
    const results = records.map(({ dbid, name, deviceID, deviceName, currentVlan }) => {
      const { portID, groups, enforced, hosts, rogues, vlans, lastChange } = facts.get(Number(dbid))!;
      const decision = decisions.get(portID);
      const desiredVlan = vlanOf(decision);
      return {
        portID,
        name,
        deviceID,
        deviceName,
        groups,
        enforced: [...new Set(enforced)],
        hosts,
        rogues,
        accessState: decision?.accessState ?? null,
        desiredVlan,
        currentVlan,
        inSync: desiredVlan === null || isSameVlan(desiredVlan, currentVlan, vlans),
        lastChange,
      };
    });
    return { results, ...page };
  },
});

const enforcementCount = action(port, {
  name: 'enforcement-count',
  method: 'GET',
  path: '/enforcement/count',
  doc: 'Count the ports in enforcement groups',
  counted: true,
  query: { filter: filterParameter },
  result: enforcedPort,
  errors: ['too-expensive'],
  async run(call, context) {
    const { filtered, total } = await enforcedPage(call, context, 0);
    return { results: [], filtered, total };
  },
});

const managed = {
  kind: 'object',
  name: 'PortManagement',
  properties: {
    enabled: { kind: 'flag', doc: 'The caller may change ports.' },
    canSetVlan: { kind: 'flag' },
    canSetAdminStatus: { kind: 'flag', doc: 'May set ports up and down.' },
    canRename: { kind: 'flag', doc: 'May change label, notes and default VLAN.' },
    licensed: { kind: 'flag', doc: 'Always true: there are no licences.' },
    reason: { kind: 'text', max: 300, doc: 'Why not; empty if allowed.' },
  },
} as const satisfies ObjectShape;

/** The console uses it to offer only what the caller may do. */
const portManagement = action(port, {
  name: 'port-management',
  method: 'GET',
  path: '/feature/port-management',
  doc: 'Read what the caller may change on ports',
  result: managed,
  async run({ caller }) {
    const mayChange = allows(caller.rights, port.permission, 'modify');
    return [
      {
        enabled: mayChange,
        canSetVlan: mayChange,
        canSetAdminStatus: mayChange,
        canRename: mayChange,
        licensed: true,
        reason: mayChange ? '' : `This needs the right to modify ${port.permission}, which you do not hold.`,
      },
    ];
  },
});

export const enforcementActions = [enforcementList, enforcementCount, portManagement];
