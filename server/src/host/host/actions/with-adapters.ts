import { action, type Context, type RecordValue } from '../../../context.ts';
import { inputShape, shapesOf } from '../../../kernel/declare/declaration.ts';
import type { Answer, Call } from '../../../kernel/declare/operation.ts';
import { extended } from '../../../kernel/declare/shapes.ts';
import type { ValueOf } from '../../../kernel/declare/value-of.ts';
import { duplicate, invalidField, notFound, rejected } from '../../../kernel/failure.ts';
import { adapter } from '../../adapter/adapter.ts';
import { adapterShape } from '../adapter-objects.ts';
import { host, hostTypes } from '../host.ts';

const adaptersMax = 1_000;

const sentAdapter = extended(adapterShape, {
  name: 'AdapterSent',
  properties: shapesOf(adapter.fields, ['physicalAddress']),
  required: ['physicalAddress'],
});

const body = extended(inputShape(host), {
  name: 'HostWithAdapters',
  required: ['adapterObjects'],
  properties: {
    adapterObjects: {
      kind: 'list',
      item: sentAdapter,
      min: 1,
      max: adaptersMax,
      doc: 'All adapters of the host: those not listed are deleted; adapters of rogues are moved to this host.',
    },
  },
});

type HostSent = ValueOf<typeof body>;
type AdapterSent = ValueOf<typeof sentAdapter>;

interface Holder {
  id: number;
  mac: string;
  hostID: number;
  type: number;
}

/** Returns the fields to write. The id and the host are left out: the MAC address identifies the adapter, and the request its host. */
const writableFieldsOf = ({ id: _, hostID: __, ...writableFields }: AdapterSent) => writableFields;

/**
 * Replaces the adapters of a host: creates new ones, moves those of rogues, and deletes those that are not listed. The address of a hidden
 * adapter is reported as a duplicate, whatever host has it.
 */
async function setAdapters({ tx }: Context, hostID: number, requestedAdapters: readonly AdapterSent[]): Promise<void> {
  const macs = requestedAdapters.map(({ physicalAddress }) => physicalAddress);
  if (new Set(macs).size < macs.length) throw invalidField('adapterObjects', 'contains a MAC address twice');
  const { rows } = await tx.client.query<Holder>(
    `select a.id, a.physical_address as mac, a.host_id as "hostID", h.type from ${tx.visible(adapter)} a join ${tx.visible(host)} h on h.id = a.host_id
     where a.physical_address = any($1::text[]) or a.host_id = $2 or a.id = any($3::bigint[]) order by a.id`,
    [macs, hostID, requestedAdapters.flatMap(({ id }) => (id ? [id] : []))],
  );
  const holders = new Map(rows.map((row) => [row.mac, row]));
  refuseConflictingIds(hostID, requestedAdapters, rows);
  const before = rows.filter((row) => row.hostID === hostID).map(({ mac }) => mac);
  // One version and one audit row for the complete list. If this request has created or changed the host, it has them already.
  if (new Set([...before, ...macs]).size > Math.min(before.length, macs.length))
    await tx.records.touch(host, hostID, [{ field: 'adapters', before: before.join(', '), after: macs.join(', ') }]);
  for (const requestedAdapter of requestedAdapters)
    await setAdapter(tx, hostID, writableFieldsOf(requestedAdapter), holders.get(requestedAdapter.physicalAddress));
  const removedIds = rows.filter((row) => row.hostID === hostID && !macs.includes(row.mac)).map(({ id }) => id);
  if (removedIds.length > 0) await tx.records.remove(adapter, removedIds);
}

/** Throws if an id belongs to an adapter with another MAC address, or if a hostID is neither this host nor the current one. */
function refuseConflictingIds(
  hostID: number,
  requestedAdapters: readonly AdapterSent[],
  holders: readonly Holder[],
): void {
  for (const [index, { id, hostID: requestedHostID, physicalAddress }] of requestedAdapters.entries()) {
    const byId = holders.find((holder) => holder.id === id);
    if (byId && byId.mac !== physicalAddress)
      throw rejected(
        `adapterObjects/${index}/physicalAddress: adapter ${byId.id} has ${byId.mac}, which cannot be changed; leave its id out to add an adapter.`,
        `/adapterObjects/${index}/physicalAddress`,
      );
    const holder = holders.find(({ mac }) => mac === physicalAddress);
    if (requestedHostID && requestedHostID !== hostID && requestedHostID !== holder?.hostID)
      throw rejected(
        `adapterObjects/${index}/hostID: the adapters of this request become those of host ${hostID}; leave the field out.`,
        `/adapterObjects/${index}/hostID`,
      );
  }
}

async function setAdapter(
  tx: Context['tx'],
  hostID: number,
  fields: RecordValue,
  holder: Holder | undefined,
): Promise<void> {
  if (!holder) {
    await tx.records.create(adapter, { ...fields, hostID });
    return;
  }
  if (holder.hostID !== hostID && holder.type !== hostTypes.rogue)
    throw duplicate(`${holder.mac} belongs to the registered host ${holder.hostID}; remove it there first.`);
  await tx.records.update(adapter, holder.id, { ...fields, hostID });
}

async function responseAfterSave(
  call: Call<HostSent>,
  context: Context,
  id: number,
  created: boolean,
): Promise<Answer> {
  await setAdapters(context, id, call.body.adapterObjects);
  const record = (await context.tx.records.fetch(host, id))!;
  return {
    httpCode: created ? 201 : 200,
    version: record.version,
    ...(created && { location: `/api/v2${host.path}/${id}` }),
    ...(call.dryRun && { results: [record] }),
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
    const { id } = await context.tx.records.create(host, call.body);
    return responseAfterSave(call, context, id, true);
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
    await records.update(host, call.id, call.body, expected);
    return responseAfterSave(call, context, call.id, false);
  },
});

export const withAdapters = [create, update];
