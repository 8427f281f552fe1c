import { action, type Context } from '../../context.ts';
import { inputShape } from '../../kernel/declare.ts';
import { duplicate, invalid, notFound } from '../../kernel/failure.ts';
import type { Answer, Call } from '../../kernel/operation.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import type { ListShape, ObjectShape } from '../../kernel/shape.ts';
import { adapter } from '../adapter/adapter.ts';
import { host, hostTypes } from './host.ts';

const adaptersMax = 1_000;
const own = inputShape(host).properties;
const item = (own.adapterObjects as ListShape).item as ObjectShape;

const body: ObjectShape = {
  kind: 'object',
  name: 'HostWithAdapters',
  required: ['adapterObjects'],
  properties: {
    ...own,
    adapterObjects: {
      kind: 'list',
      item: { ...item, name: 'AdapterSent', required: ['physicalAddress'] },
      min: 1,
      max: adaptersMax,
      doc: 'All adapters of the host: those that are not here are deleted; addresses of rogues are taken over.',
    },
  },
};

interface Holder {
  id: number;
  mac: string;
  hostID: number;
  type: number;
}

/** What a client says of an adapter: which one it is shows its address, whose it is the host. */
const saidOf = ({ id: _, hostID: __, ...said }: RecordValue): RecordValue => said;

/** Makes these the adapters of a host: new ones are made, and rogues give theirs up. */
async function setAdapters({ tx }: Context, hostID: number, wanted: readonly RecordValue[]): Promise<void> {
  const macs = wanted.map(({ physicalAddress }) => String(physicalAddress));
  if (new Set(macs).size < macs.length)
    throw invalid([{ pointer: '/adapterObjects', message: 'adapterObjects: names an address twice.' }]);
  const { rows } = await tx.client.query<Holder>(
    `select a.id, a.physical_address as mac, a.host_id as "hostID", h.type from adapter a join host h on h.id = a.host_id
     where a.physical_address = any($1::text[]) or a.host_id = $2 order by a.id`,
    [macs, hostID],
  );
  const known = new Map(rows.map((row) => [row.mac, row]));
  for (const said of wanted) await setAdapter(tx, hostID, saidOf(said), known.get(String(said.physicalAddress)));
  const left = rows.filter((row) => row.hostID === hostID && !macs.includes(row.mac)).map(({ id }) => id);
  if (left.length > 0) await tx.records.remove(adapter, left);
}

async function setAdapter(
  tx: Context['tx'],
  hostID: number,
  said: RecordValue,
  holder: Holder | undefined,
): Promise<void> {
  if (!holder) {
    await tx.records.create(adapter, { ...said, hostID });
    return;
  }
  if (holder.hostID !== hostID && holder.type !== hostTypes.rogue)
    throw duplicate(`${holder.mac} belongs to the registered host ${holder.hostID}; take it from there first.`);
  await tx.records.update(adapter, holder.id, { ...said, hostID });
}

async function saved(call: Call, context: Context, id: number, created: boolean, version: number): Promise<Answer> {
  const { adapterObjects } = call.body as { adapterObjects: RecordValue[] };
  await setAdapters(context, id, adapterObjects);
  return {
    httpCode: created ? 201 : 200,
    version,
    ...(created && { location: `/api/v2${host.path}/${id}` }),
    ...(call.dryRun && { results: [await context.tx.records.fetch(host, id)] }),
  };
}

const errors = ['stale', 'duplicate', 'rejected', 'not-found'] as const;
const example = {
  hostName: 'ward-3-cart',
  deviceType: { tag: 'windows' },
  adapterObjects: [
    { physicalAddress: '00:50:C2:FE:00:01', mediaType: 'WIRED' },
    { physicalAddress: '00:50:C2:FE:00:02', mediaType: 'WIRELESS' },
  ],
};

const create = action(host, {
  name: 'create-with-adapters',
  method: 'POST',
  path: '/with-adapters',
  verb: 'add',
  doc: 'Create a Host and its adapters together',
  body,
  success: 201,
  saves: true,
  errors,
  example,
  async run(call, context) {
    const { id, version } = await context.tx.records.create(host, call.body as RecordValue);
    return saved(call, context, id, true, version);
  },
});

const update = action(host, {
  name: 'update-with-adapters',
  method: 'POST',
  path: '/with-adapters/{id}',
  doc: 'Update a Host and all of its adapters together',
  body,
  saves: true,
  errors,
  example: { adapterObjects: [{ physicalAddress: '00:50:C2:FE:00:03', description: 'Replaced dock' }] },
  async run(call, context) {
    const { records } = context.tx;
    if (!(await records.exists(host, call.id))) throw notFound(host.title, call.id);
    const expected = { version: call.ifMatch, byHeader: call.ifMatch !== undefined };
    const { version } = await records.update(host, call.id, call.body as RecordValue, expected);
    return saved(call, context, call.id, false, version);
  },
});

export const withAdapters = [create, update];
