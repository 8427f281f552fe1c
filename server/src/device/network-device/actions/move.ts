import { action, type Context, idListShape, readIdList } from '../../../context.ts';
import { allows } from '../../../kernel/declare/permissions.ts';
import type { ObjectShape } from '../../../kernel/declare/shape.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import { forbidden, notFound } from '../../../kernel/failure.ts';
import { movedPolicies } from '../../../policy/what-if/what-if.service.ts';
import { group } from '../../../system/group/group.ts';
import { container } from '../../container/container.ts';
import { deviceElementType, networkDevice } from '../network-device.ts';

const moved = {
  kind: 'object',
  name: 'DeviceMove',
  properties: {
    id: shapes.id,
    name: { kind: 'text', max: 128 },
    from: { kind: 'text', max: 128, doc: 'Container it is in.' },
    to: { kind: 'text', max: 128, doc: 'Target container.' },
    roleChange: {
      kind: 'text',
      max: 300,
      nullable: true,
      doc: 'Role before and after, if it changes with the container.',
    },
    groupChange: { kind: 'text', max: 120, nullable: true, doc: 'Device group it joins.' },
    policiesAffected: {
      kind: 'list',
      item: { kind: 'text', max: 120 },
      max: 1_000,
      doc: 'Access policies and role mappings that lose or gain a connection to it.',
    },
  },
} as const satisfies ObjectShape;

interface Move {
  id: number;
  name: string;
  from: string;
  to: string;
  role: string | null;
  newRole: string | null;
  group: string | null;
}

/**
 * A device whose role is that of its container gets the role of the new container; one with a role of its own keeps it.
 */
const movesSql = ({ visible }: Context) => `select r.id, r.name, f.name as "from", t.name as "to", dr.name as role,
  case when r.role_id is not distinct from f.role_id then tr.name else dr.name end as "newRole",
  (select g.name from ${visible(group)} g where g.id = t.group_id and not exists (
    select from group_member m where m.group_id = g.id and m.element_type = ${deviceElementType} and m.member_id = r.id)) as "group"
from ${visible(networkDevice)} r
join ${visible(container)} f on f.id = r.container_id
join ${visible(container)} t on t.id = $2
left join role dr on dr.id = r.role_id
left join role tr on tr.id = t.role_id
where r.id = any($1::bigint[])`;

async function movesOf(context: Context, ids: readonly number[], containerID: number): Promise<Move[]> {
  const visibleDevices = await context.query(`select r.id from ${context.visible(container)} r where r.id = $1`, [
    containerID,
  ]);
  if (visibleDevices.length === 0) throw notFound(container.title, containerID);
  const rows = await context.query<Move>(`${movesSql(context)} order by r.id`, [ids, containerID]);
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined) throw notFound(networkDevice.title, unknown);
  return rows;
}

const asAnswer = ({ role, newRole, group, ...move }: Move, policies: Awaited<ReturnType<typeof movedPolicies>>) => ({
  ...move,
  roleChange: role === newRole ? null : `${role ?? 'none'} → ${newRole ?? 'none'}`,
  groupChange: group,
  policiesAffected: policies.get(move.id) ?? [],
});

/** Shows what a move to another container would change; with `commit`, moves. */
export const moveDevices = action(networkDevice, {
  name: 'move',
  method: 'GET',
  path: '/move',
  verb: 'view',
  writes: true,
  doc: 'Move devices to another container; returns a preview unless commit is true',
  query: {
    id: { shape: idListShape('The devices.'), required: true },
    containerID: { shape: { ...shapes.id, doc: 'Target container.' }, required: true },
    commit: { shape: { kind: 'flag', doc: 'Carry out the move; needs the right to modify.' } },
  },
  result: moved,
  errors: ['not-found', 'rejected'],
  async run(call, context) {
    const { id, containerID, commit } = call.query;
    const ids = readIdList(id, 'id');
    const moves = await movesOf(context, ids, containerID);
    const { tx } = context;
    if (commit && !allows(call.caller.rights, networkDevice.permission, 'modify'))
      throw forbidden(networkDevice.permission, 'modify');
    // A preview moves the devices, reads the result and rolls back.
    await tx.client.query('savepoint before_move');
    for (const move of moves) await tx.records.update(networkDevice, move.id, { containerID });
    const policies = await movedPolicies(
      context,
      { rights: call.caller.rights, nowMs: call.nowMs, signal: call.signal },
      ids,
    );
    if (!commit) await tx.client.query('rollback to savepoint before_move');
    return moves.map((move) => asAnswer(move, policies));
  },
});
