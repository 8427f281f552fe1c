import { action, type Context } from '../../context.ts';
import { forbidden, notFound } from '../../kernel/failure.ts';
import { listedIds, listedIdsShape } from '../../kernel/listed-ids.ts';
import { allows } from '../../kernel/permissions.ts';
import type { ObjectShape } from '../../kernel/shape.ts';
import { integerMax } from '../../kernel/shape.ts';
import { container } from '../container/container.ts';
import { deviceMoved } from '../device-event-types.ts';
import { joinGroupOfContainer } from './group-of-container.ts';
import { deviceElementType, networkDevice } from './network-device.ts';

const moved: ObjectShape = {
  kind: 'object',
  name: 'DeviceMove',
  properties: {
    id: { kind: 'integer', min: 1, max: integerMax },
    name: { kind: 'text', max: 128 },
    from: { kind: 'text', max: 128, doc: 'Container it is in.' },
    to: { kind: 'text', max: 128, doc: 'Container it comes to.' },
    roleChange: {
      kind: 'text',
      max: 300,
      nullable: true,
      doc: 'Its role before and after, where it follows the container.',
    },
    groupChange: { kind: 'text', max: 120, nullable: true, doc: 'Device group that it joins.' },
    policiesAffected: {
      kind: 'list',
      item: { kind: 'text', max: 120 },
      max: 1_000,
      doc: 'Policies that look at where it is.',
    },
  },
};

interface Move {
  id: number;
  name: string;
  from: string;
  to: string;
  role: string | null;
  newRole: string | null;
  group: string | null;
}

/** A device whose role is that of its container follows the container; one with a role of its own keeps it. */
const movesSql = `select r.id, r.name, f.name as "from", t.name as "to", dr.name as role,
  case when r.role_id is not distinct from f.role_id then tr.name else dr.name end as "newRole",
  (select g.name from "group" g where g.id = t.group_id and not exists (
    select from group_member m where m.group_id = g.id and m.element_type = ${deviceElementType} and m.member_id = r.id)) as "group"
from network_device r
join container f on f.id = r.container_id
join container t on t.id = $2
left join role dr on dr.id = r.role_id
left join role tr on tr.id = t.role_id
where r.id = any($1::bigint[])`;

async function movesOf(context: Context, ids: readonly number[], containerID: number): Promise<Move[]> {
  const found = await context.query(`select r.id from container r where r.id = $1${context.andSeen(container)}`, [
    containerID,
  ]);
  if (found.length === 0) throw notFound(container.title, containerID);
  const rows = await context.query<Move>(`${movesSql}${context.andSeen(networkDevice)} order by r.id`, [
    ids,
    containerID,
  ]);
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined) throw notFound(networkDevice.title, unknown);
  return rows;
}

const asAnswer = ({ role, newRole, group, ...move }: Move) => ({
  ...move,
  roleChange: role === newRole ? null : `${role ?? 'none'} → ${newRole ?? 'none'}`,
  groupChange: group,
  policiesAffected: [],
});

/** Shows what a move to another container would do; with `commit`, does it. */
export const moveDevices = action(networkDevice, {
  name: 'move',
  method: 'GET',
  path: '/move',
  verb: 'view',
  writes: true,
  doc: 'Move devices to another container: a preview, unless commit is true',
  query: {
    id: { shape: listedIdsShape('The devices.'), required: true },
    containerID: { shape: { kind: 'integer', min: 1, max: integerMax, doc: 'Where they come to.' }, required: true },
    commit: { shape: { kind: 'flag', doc: 'Do it; needs the right to modify.' } },
  },
  result: moved,
  errors: ['not-found', 'rejected'],
  async run(call, context) {
    const { id, containerID, commit } = call.query as { id: string; containerID: number; commit?: boolean };
    const moves = await movesOf(context, listedIds(id, 'id'), containerID);
    if (!commit) return moves.map(asAnswer);
    if (!allows(call.caller.rights, networkDevice.permission, 'modify'))
      throw forbidden(networkDevice.permission, 'modify');
    for (const move of moves) await commitMove(context, move, containerID);
    return moves.map(asAnswer);
  },
});

async function commitMove(context: Context, { id, name, from, to, newRole }: Move, containerID: number): Promise<void> {
  const { tx } = context;
  const { changed } = await tx.records.update(networkDevice, id, { containerID, role: newRole });
  if (!changed) return;
  await joinGroupOfContainer(context, id, containerID);
  await tx.emit({ type: deviceMoved, element: { id, name }, attributes: { from, to } });
}
