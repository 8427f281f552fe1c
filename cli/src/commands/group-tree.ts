import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import type { Arguments } from '../args.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection } from '../connection.ts';
import { line } from '../output.ts';
import { counted, escapeUnsafe, grouped } from '../text.ts';
import { drawTree, type TreeNode } from '../tree.ts';
import { UsageError } from '../usage-error.ts';

const types = ['HOST', 'ADAPTER', 'DEVICE', 'PORT', 'USER', 'ADMINISTRATOR'];
const groupsMax = 10_000;

interface Group {
  dbid: number;
  name: string;
  type: string;
  memberCount: number;
  parentIDs: number[];
}

export const groupTree: Command = {
  name: 'group tree',
  positionals: [],
  doc: 'Show the group hierarchy with direct member counts',
  about: [
    `A group with several parents is expanded below the first and only named below the others. At most ${grouped(groupsMax)} groups are shown.`,
  ],
  options: {
    type: { value: 'TYPE', completes: types, doc: `Only groups of this type: ${types.join(', ')}` },
    below: { value: 'ID', doc: 'Only this group and its descendants' },
    url: { value: 'URL', doc: 'URL of the service' },
    token: { value: 'TOKEN', doc: 'API token' },
  },
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env));
    const below = args.number('below');
    if (below !== undefined && args.has('type')) throw new UsageError('Use either --below or --type, not both.');
    const { groups, more: hasMore } =
      below === undefined ? await listGroups(client, typeFrom(args)) : await groupWithDescendants(client, below);
    for (const type of types) {
      const ofType = groups.filter((group) => group.type === type);
      if (ofType.length === 0) continue;
      await line(screen.out, screen.out.style('bold', type));
      for (const drawn of drawTree(ofType.map(nodeOf))) await line(screen.out, drawn);
    }
    const rest = hasMore ? '; more exist; use --type or --below to narrow the tree' : '';
    await line(screen.err, screen.err.style('dim', `${counted(groups.length, 'group')}${rest}.`));
  },
};

const nodeOf = ({ dbid, name, memberCount, parentIDs }: Group): TreeNode => ({
  id: dbid,
  parents: parentIDs,
  text: `${escapeUnsafe(name)}  #${dbid}, ${counted(memberCount, 'member')}`,
});

function typeFrom(args: Arguments): string | undefined {
  const type = args.text('type')?.toUpperCase();
  if (type !== undefined && !types.includes(type)) throw new UsageError(`--type takes one of ${types.join(', ')}.`);
  return type;
}

async function listGroups(client: Client, type: string | undefined): Promise<{ groups: Group[]; more: boolean }> {
  const groups: Group[] = [];
  const query = { ...(type && { filter: [`type==${type}`] }), sortKey: 'name', count: 1_000 };
  for await (const group of client.walk<Group>(operations['group.list'], { query })) {
    if (groups.length === groupsMax) return { groups, more: true };
    groups.push(group);
  }
  return { groups, more: false };
}

async function groupWithDescendants(client: Client, id: number): Promise<{ groups: Group[]; more: boolean }> {
  const path = { id };
  const { results: root } = await client.call<Group>(operations['group.fetch'], { path });
  const { results } = await client.call<Group>(operations['group.descendants'], { path });
  const groups = [...root, ...results];
  return { groups: groups.slice(0, groupsMax), more: groups.length > groupsMax };
}
