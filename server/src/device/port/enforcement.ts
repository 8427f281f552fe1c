import { action, type Context } from '../../context.ts';
import { elementCodes } from '../../kernel/element.ts';
import type { Call } from '../../kernel/operation.ts';
import { filterParameter, listQueryOf } from '../../kernel/patterns.ts';
import { allows } from '../../kernel/permissions.ts';
import { integerMax, type ObjectShape, type Shape } from '../../kernel/shape.ts';
import { instantSql } from '../../kernel/time.ts';
import { group } from '../../system/group/group.ts';
import { port } from './port.ts';

const id: Shape = { kind: 'integer', min: 1, max: integerMax };
const count: Shape = { kind: 'integer', min: 0, max: integerMax };
const groupsMax = 1_000;

const { name, enforcement, rank } = group.fields;

/** A port that takes part in isolating hosts. */
const enforcedPort: ObjectShape = {
  kind: 'object',
  name: 'EnforcedPort',
  properties: {
    portID: { ...id, doc: 'The port, by its dbid.' },
    name: port.fields.name.shape,
    deviceID: { ...id, doc: 'The device it belongs to.' },
    deviceName: port.fields.deviceName.shape,
    groups: {
      kind: 'list',
      max: groupsMax,
      doc: 'Enforcement groups that it is in, itself or by a nested group.',
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
      doc: 'States whose hosts it isolates, in the order they are looked at.',
    },
    hosts: { ...count, doc: 'Adapters that are connected.' },
    rogues: { ...count, doc: 'Those of them that nobody vouched for: all, as long as no hosts are kept.' },
    accessState: {
      kind: 'text',
      max: 40,
      nullable: true,
      doc: 'Access that was decided for what is connected; null: nothing decides access yet.',
    },
    desiredVlan: {
      kind: 'text',
      max: 64,
      nullable: true,
      doc: 'VLAN that was decided; null: nothing decides access yet.',
    },
    currentVlan: port.fields.currentVlan.shape,
    inSync: { kind: 'flag', doc: 'No other VLAN is wanted than the current one.' },
    lastChange: { kind: 'time', nullable: true, doc: 'When the service changed it last; null: never, or long ago.' },
  },
};

/** From the few groups to their ports, not from every port to its groups. */
const isEnforced = `r.id in (select m.member_id
  from "group" g
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
  lastChange: string | null;
}

/** What the page shows beside the ports themselves, in one statement. */
const factsSql = (seenGroups: string) => `select p.id as "portID", f.groups, f.enforced,
  (select count(*) from connection_active a where a.port_id = p.id) as hosts,
  (select ${instantSql('c.at')} from port_change c where c.port_id = p.id order by c.id desc limit 1) as "lastChange"
from unnest($1::bigint[]) p(id),
lateral (
  select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'name', e.name, 'enforcement', e.enforcement, 'rank', e.rank) order by e.rank, e.id)
      filter (where e.is_seen), '[]') as groups,
    coalesce(array_agg(e.enforcement order by e.rank), '{}') as enforced
  from (
    select r.id, r.name, r.enforcement, ${rank.sql} as rank, (true${seenGroups}) as is_seen
    from "group" r
    where r.type = 'PORT' and r.enforcement <> 'NONE' and exists (
      select from group_closure c
      join group_member m on m.group_id = c.descendant_id and m.element_type = ${elementCodes.PORT} and m.member_id = p.id
      where c.ancestor_id = r.id)
  ) e
) f`;

const enforcementList = action(port, {
  name: 'enforcement',
  method: 'GET',
  path: '/enforcement',
  doc: 'List the ports that take part in isolating hosts; filters and sort keys are those of ports',
  listed: true,
  counted: true,
  result: enforcedPort,
  errors: ['too-expensive'],
  async run(call, context) {
    const { records, ...page } = await enforcedPage(call, context);
    const ids = records.map(({ dbid }) => dbid);
    const rows = await context.query<Facts>(factsSql(context.andSeen(group)), [ids]);
    const facts = new Map(rows.map((row) => [row.portID, row]));
    const results = records.map(({ dbid, name, deviceID, deviceName, currentVlan }) => {
      const { portID, groups, enforced, hosts, lastChange } = facts.get(Number(dbid))!;
      return {
        portID,
        name,
        deviceID,
        deviceName,
        groups,
        enforced: [...new Set(enforced)],
        hosts,
        rogues: hosts,
        accessState: null,
        desiredVlan: null,
        currentVlan,
        inSync: true,
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
  doc: 'Count the ports that take part in isolating hosts',
  counted: true,
  query: { filter: filterParameter },
  result: enforcedPort,
  errors: ['too-expensive'],
  async run(call, context) {
    const { filtered, total } = await enforcedPage(call, context, 0);
    return { results: [], filtered, total };
  },
});

const managed: ObjectShape = {
  kind: 'object',
  name: 'PortManagement',
  properties: {
    enabled: { kind: 'flag', doc: 'The caller may change something of ports.' },
    canSetVlan: { kind: 'flag' },
    canSetAdminStatus: { kind: 'flag', doc: 'May put ports up and down.' },
    canRename: { kind: 'flag', doc: 'May change label, notes and default VLAN.' },
    licensed: { kind: 'flag', doc: 'Always: there are no licences.' },
    reason: { kind: 'text', max: 300, doc: 'Why not; empty: nothing is in the way.' },
  },
};

/** So that the console offers nothing that would be refused. */
const portManagement = action(port, {
  name: 'port-management',
  method: 'GET',
  path: '/feature/port-management',
  doc: 'Say what the caller may change of ports',
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
