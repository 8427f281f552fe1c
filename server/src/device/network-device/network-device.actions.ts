import { action, type Context } from '../../context.ts';
import { inputShape } from '../../kernel/declare.ts';
import { forbidden, rejected } from '../../kernel/failure.ts';
import type { Answer, Call } from '../../kernel/operation.ts';
import { allows } from '../../kernel/permissions.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import type { ObjectShape } from '../../kernel/shape.ts';
import {
  type CliPasswords,
  type CliShown,
  credentialShapes,
  protocolAtFirst,
  storedCredentials,
} from './credentials.ts';
import { enterTopology } from './host-in-topology.ts';
import { l3PollingList } from './l3-polling.ts';
import { moveDevices } from './move.ts';
import { networkDevice } from './network-device.ts';
import { probeIfWanted } from './probe.ts';
import { resyncDevices } from './resync.ts';

const { cliPasswords: _, ...ownProperties } = inputShape(networkDevice).properties;

/** A device as it is sent: all that can be read, and the credentials. */
const deviceInput: ObjectShape = {
  kind: 'object',
  name: 'NetworkDeviceInput',
  properties: { ...ownProperties, ...credentialShapes },
};

/** What the service alone decides, whatever was sent back of it. */
const decidedHere = ['protocol', 'cliCredentials'];

type Kind = 'snmp' | 'pingable';

/** What is stored of what was sent. A pingable says what it is, because nothing else could. */
async function toStore(
  kind: Kind,
  sent: Readonly<RecordValue>,
  before: RecordValue | undefined,
  { tx }: Context,
): Promise<RecordValue> {
  const passwords = before ? await tx.records.secret(networkDevice, Number(before.id), 'cliPasswords') : '';
  const { fields, derived } = storedCredentials(sent, {
    cli: (before?.cliCredentials ?? null) as CliShown | null,
    passwords: passwords ? (JSON.parse(passwords) as CliPasswords) : {},
  });
  for (const name of decidedHere) delete fields[name];
  if (kind === 'pingable' && sent.deviceType !== undefined && sent.deviceTypeOverride === undefined)
    fields.deviceTypeOverride = sent.deviceType;
  if (!before) derived.protocol ??= kind === 'pingable' ? 'PING' : protocolAtFirst(sent);
  return { ...fields, ...derived };
}

const isPinged = ({ protocol }: RecordValue): boolean => protocol === 'PING';

/** A device is changed by the operation of its kind, so that nobody gives a camera a community by mistake. */
function refuseOtherKind(kind: Kind, before: RecordValue): void {
  if (isPinged(before) !== (kind === 'pingable'))
    throw rejected(
      `${before.name} is ${isPinged(before) ? 'only pinged' : 'managed'}; change it by POST /device/${isPinged(before) ? 'pingable' : 'snmp'}/${before.id}.`,
    );
}

async function save(kind: Kind, call: Call, context: Context, id: number | undefined): Promise<Answer> {
  const { records } = context.tx;
  const sent = call.body as RecordValue;
  const expected = { version: call.ifMatch, byHeader: call.ifMatch !== undefined };
  const before = id === undefined ? undefined : await records.fetch(networkDevice, id);
  if (before) refuseOtherKind(kind, before);
  const stored = await toStore(kind, sent, before, context);
  const saved =
    id === undefined
      ? await records.create(networkDevice, stored)
      : await records.update(networkDevice, id, stored, expected);
  if (kind === 'pingable' && sent.physicalAddress) await enterTopologyOf(context, saved.id);
  return {
    httpCode: saved.created ? 201 : 200,
    version: saved.version,
    ...(saved.created && { location: `/api/v2/device/${saved.id}` }),
    ...(call.dryRun && { results: [await records.fetch(networkDevice, saved.id)] }),
  };
}

async function enterTopologyOf({ tx }: Context, id: number): Promise<void> {
  const { physicalAddress, containerID } = (await tx.records.fetch(networkDevice, id))!;
  await enterTopology(tx, String(physicalAddress), Number(containerID));
}

/** The device that the body names, if there is one. */
async function namedDevice(call: Call, { tx }: Context): Promise<number | undefined> {
  const id = Number((call.body as RecordValue).id ?? 0);
  const isThere = id !== 0 && (await tx.records.exists(networkDevice, id));
  const verb = isThere ? 'modify' : 'add';
  if (!allows(call.caller.rights, networkDevice.permission, verb)) throw forbidden(networkDevice.permission, verb);
  return isThere ? id : undefined;
}

const errors = ['not-found', 'stale', 'duplicate', 'rejected'] as const;

const probing = {
  query: {
    validate: { shape: { kind: 'flag', doc: 'Ask the device first, and store nothing unless it answers.' } },
  },
  asksFirst: probeIfWanted,
} as const;

const errorsOf = { snmp: [...errors, 'remote-failed', 'remote-timeout'], pingable: errors } as const;

const saving = (kind: Kind, what: string, example: RecordValue) => [
  action(networkDevice, {
    name: `create-${kind}`,
    method: 'POST',
    path: `/${kind}`,
    verb: 'save',
    doc: `Model ${what}, or update the one with the identity sent`,
    body: deviceInput,
    success: 201,
    saves: true,
    errors: errorsOf[kind],
    ...(kind === 'snmp' && probing),
    example,
    run: async (call, context) => save(kind, call, context, await namedDevice(call, context)),
  }),
  action(networkDevice, {
    name: `update-${kind}`,
    method: 'POST',
    path: `/${kind}/{id}`,
    doc: `Update ${what}; absent fields keep their value`,
    body: deviceInput,
    saves: true,
    errors: errorsOf[kind],
    ...(kind === 'snmp' && probing),
    example: { description: 'Second floor, north' },
    run: (call, context) => save(kind, call, context, call.id),
  }),
];

export const networkDeviceActions = [
  ...saving('snmp', 'a device that is managed', {
    name: 'sw-north-2',
    ipAddress: '198.51.100.12',
    containerID: 1,
    snmpProtocol: 'V2C',
    snmpSecurityStrings: ['a-community'],
  }),
  ...saving('pingable', 'a device that is only pinged', {
    name: 'ups-north',
    ipAddress: '198.51.100.13',
    containerID: 1,
    deviceType: 'ups',
  }),
  moveDevices,
  l3PollingList,
  resyncDevices,
];
