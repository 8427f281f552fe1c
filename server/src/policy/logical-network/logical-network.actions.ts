import { action, type Context } from '../../context.ts';
import { allows } from '../../kernel/declare/permissions.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { forbidden } from '../../kernel/failure.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';
import { role } from '../role/role.ts';
import { logicalNetwork } from './logical-network.ts';

/** Levels of access that most sites have. */
const catalogue = {
  Corporate: 'Computers of employees.',
  Contractors: 'Computers of contractors.',
  BYOD: 'Private devices of employees.',
  'Guest Internet': 'Internet access for guests.',
  Voice: 'IP phones.',
  Printers: 'Printers and copiers.',
  Cameras: 'Surveillance cameras.',
  'Building Systems': 'Heating, lighting, doors.',
  'Medical Devices': 'Medical devices.',
  Servers: 'Servers outside the data centre.',
} as const;
type Predefined = keyof typeof catalogue;
const names = Object.keys(catalogue) as Predefined[];

const idShape = (name: string) =>
  ({ kind: 'integer', min: 1, max: Number.MAX_SAFE_INTEGER, doc: `Id of the ${name}.` }) as const;

const addPredefined = action(logicalNetwork, {
  name: 'add-predefined-network-access',
  method: 'POST',
  path: '/add-predefined-network-access',
  verb: 'add',
  doc: 'Add missing predefined networks and their configurations',
  body: {
    kind: 'object',
    name: 'PredefinedNetworkAccess',
    properties: {
      names: {
        kind: 'list',
        item: { kind: 'choice', values: names },
        min: 1,
        max: names.length,
        doc: 'Names of the networks to add. Absent: all.',
      },
      createPolicies: {
        kind: 'flag',
        doc: 'True: also add a role of each name and a disabled access policy for it. Requires the right to add roles.',
      },
    },
  } as const satisfies ObjectShape,
  bodyOptional: true,
  result: {
    kind: 'object',
    name: 'AddedNetworkAccess',
    properties: {
      name: { kind: 'choice', values: names },
      logicalNetworkID: idShape('logical network'),
      accessConfigurationID: idShape('access configuration'),
      accessPolicyID: {
        ...idShape('access policy'),
        nullable: true,
        doc: 'Id of the access policy; null: createPolicies is off.',
      },
      added: { ...shapes.count, doc: 'Number of records that were added.' },
    },
  } as const satisfies ObjectShape,
  errors: ['rejected'],
  example: { names: ['Cameras', 'Printers'] },
  async run(call, context) {
    const { names: selectedNames = names, createPolicies = false } = call.body ?? {};
    if (createPolicies && !allows(call.caller.rights, role.permission, 'add')) throw forbidden(role.permission, 'add');
    const added = [];
    for (const name of new Set(selectedNames)) added.push(await addNetworkAccess(context, name, createPolicies));
    return added;
  },
});

const tables = {
  logical_network: logicalNetwork,
  access_configuration: accessConfiguration,
  role,
  access_policy: accessPolicy,
};

async function addNetworkAccess(context: Context, name: Predefined, createPolicies: boolean) {
  let added = 0;
  /** Returns the record of this name, and creates it if it does not exist. */
  const findOrCreate = async (table: keyof typeof tables, body: Record<string, unknown>): Promise<number> => {
    const storedID = await idOf(context, table, name);
    if (storedID !== undefined) return storedID;
    added++;
    return (await context.tx.records.create(tables[table], { name, ...body })).id;
  };
  const logicalNetworkID = await findOrCreate('logical_network', { description: catalogue[name] });
  const accessConfigurationID = await findOrCreate('access_configuration', {
    type: 'LOGICAL_NETWORK',
    logicalNetworkID,
  });
  let accessPolicyID: number | null = null;
  if (createPolicies) {
    await findOrCreate('role', {});
    const criteria = { who: { roles: [name] } };
    accessPolicyID = await findOrCreate('access_policy', { enabled: false, criteria, accessConfigurationID });
  }
  return { name, logicalNetworkID, accessConfigurationID, accessPolicyID, added };
}

/** Returns the id of the record of this name, in any case. */
async function idOf({ query }: Context, table: keyof typeof tables, name: string) {
  const [storedRecord] = await query<{ id: number }>(`select r.id from ${table} r where lower(r.name) = lower($1)`, [
    name,
  ]);
  return storedRecord?.id;
}

export const logicalNetworkActions = [addPredefined];
