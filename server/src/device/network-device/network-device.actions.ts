import { action, type Context, type RecordValue } from '../../context.ts';
import type { Answer, Call } from '../../kernel/declare/operation.ts';
import { allows } from '../../kernel/declare/permissions.ts';
import { forbidden, invalid, rejected } from '../../kernel/failure.ts';
import { refuseUnusable } from '../../protocols/outbound/probe-guard.ts';
import { l3PollingList } from './actions/l3-polling.ts';
import { moveDevices } from './actions/move.ts';
import { resyncDevices } from './actions/resync.ts';
import { protocolAtFirst, storedCredentials } from './credentials.ts';
import { type Device, type DeviceInput, deviceInput } from './device-input.ts';
import { enterTopology } from './host-in-topology.ts';
import { networkDevice } from './network-device.ts';
import { probeIfWanted } from './probe.ts';

/** Fields that the service alone sets; values in a request are ignored. */
const decidedHere = ['protocol', 'cliCredentials'];

type Kind = 'snmp' | 'pingable';

/**
 * Converts a request to the fields to store. For a pingable the request defines the device type, because it cannot be
 * detected.
 */
function toStore(kind: Kind, sentFields: Readonly<DeviceInput>, before: Device | undefined): RecordValue {
  const { fields, derived } = storedCredentials(sentFields, before?.cliCredentials ?? null);
  for (const name of decidedHere) delete fields[name];
  if (kind === 'pingable' && sentFields.deviceType !== undefined && sentFields.deviceTypeOverride === undefined)
    fields.deviceTypeOverride = sentFields.deviceType;
  if (!before) derived.protocol ??= kind === 'pingable' ? 'PING' : protocolAtFirst(sentFields);
  return { ...fields, ...derived };
}

const isPinged = ({ protocol }: Device): boolean => protocol === 'PING';

/**
 * A device can only be changed by the operation of its kind, so that no SNMP community is set for a pingable by
 * mistake.
 */
function refuseOtherKind(kind: Kind, before: Device): void {
  if (isPinged(before) !== (kind === 'pingable'))
    throw rejected(
      `${before.name} is ${isPinged(before) ? 'only pinged' : 'managed'}; change it by POST /device/${isPinged(before) ? 'pingable' : 'snmp'}/${before.id}.`,
    );
}

/** A pingable requires an address and a device type; neither can be detected later. */
function refuseUnpingable(sentFields: Readonly<DeviceInput>, isNew: boolean): void {
  const missing = (['ipAddress', 'deviceType'] as const).filter(
    (name) => sentFields[name] === null || (isNew && sentFields[name] === undefined),
  );
  if (missing.length > 0)
    throw invalid(
      missing.map((name) => ({ pointer: `/${name}`, message: `${name}: required for a pingable device.` })),
    );
  if (sentFields.ipAddress) refuseUnusable(sentFields.ipAddress);
}

/** The address of a polled device must be permitted for probes. An unchanged stored device may be sent back. */
function refuseStray(stored: RecordValue, before: RecordValue | undefined, { protocols }: Context): void {
  const deciding = ['ipAddress', 'contactPollingEnabled'] as const;
  if (before && deciding.every((name) => stored[name] === undefined || stored[name] === before[name])) return;
  const { ipAddress, contactPollingEnabled } = { contactPollingEnabled: true, ...before, ...stored } as RecordValue;
  if (typeof ipAddress === 'string' && contactPollingEnabled === true) protocols.probes.refuse(ipAddress);
}

async function save(kind: Kind, call: Call<DeviceInput>, context: Context, id: number | undefined): Promise<Answer> {
  const { records } = context.tx;
  const requestBody = call.body;
  const expected = { version: call.ifMatch, byHeader: call.ifMatch !== undefined };
  const before = id === undefined ? undefined : await records.fetch(networkDevice, id);
  if (before) refuseOtherKind(kind, before);
  if (kind === 'pingable') refuseUnpingable(requestBody, id === undefined);
  const stored = toStore(kind, requestBody, before);
  refuseStray(stored, before, context);
  const saved =
    id === undefined
      ? await records.create(networkDevice, stored)
      : await records.update(networkDevice, id, stored, expected);
  if (kind === 'pingable' && requestBody.physicalAddress) await enterTopologyOf(context, saved.id);
  return {
    httpCode: saved.created ? 201 : 200,
    version: saved.version,
    ...(saved.created && { location: `/api/v2/device/${saved.id}` }),
    ...(call.dryRun && { results: [await records.fetch(networkDevice, saved.id)] }),
  };
}

async function enterTopologyOf({ tx }: Context, id: number): Promise<void> {
  const { physicalAddress, containerID } = (await tx.records.fetch(networkDevice, id))!;
  await enterTopology(tx, String(physicalAddress), containerID);
}

/** Finds the device that the body refers to, if any. */
async function namedDevice(call: Call<DeviceInput>, { tx }: Context): Promise<number | undefined> {
  const id = call.body.id ?? 0;
  const isThere = id !== 0 && (await tx.records.exists(networkDevice, id));
  const verb = isThere ? 'modify' : 'add';
  if (!allows(call.caller.rights, networkDevice.permission, verb)) throw forbidden(networkDevice.permission, verb);
  return isThere ? id : undefined;
}

const errors = ['not-found', 'stale', 'duplicate', 'rejected'] as const;

const probing = {
  query: {
    validate: {
      shape: {
        kind: 'flag',
        doc: 'Contact the device first, and store nothing unless it responds.',
        help: 'Yes: the device is contacted first, and saved only if it responds.',
      },
    },
  },
  precheck: probeIfWanted,
} as const;

const errorsOf = { snmp: [...errors, 'remote-failed', 'remote-timeout'], pingable: errors } as const;

/** The request for a pingable defines the device type, because it cannot be detected. */
const pingableInput: typeof deviceInput = {
  ...deviceInput,
  name: 'PingableDeviceInput',
  properties: {
    ...deviceInput.properties,
    deviceType: { ...networkDevice.fields.deviceType.shape, doc: 'Tag of what answers there; required on create.' },
  },
};

const bodyOf = { snmp: deviceInput, pingable: pingableInput } as const;

const saving = (kind: Kind, what: string, example: RecordValue) => [
  action(networkDevice, {
    name: `create-${kind}`,
    method: 'POST',
    path: `/${kind}`,
    verb: 'save',
    doc: `Add ${what}, or update the one with the given identity`,
    body: bodyOf[kind],
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
    body: bodyOf[kind],
    saves: true,
    errors: errorsOf[kind],
    ...(kind === 'snmp' && probing),
    example: { description: 'Second floor, north' },
    run: (call, context) => save(kind, call, context, call.id),
  }),
];

export const networkDeviceActions = [
  ...saving('snmp', 'a managed device', {
    name: 'sw-north-2',
    ipAddress: '198.51.100.12',
    containerID: 1,
    snmpProtocol: 'V2C',
    snmpSecurityStrings: ['a-community'],
  }),
  ...saving('pingable', 'a pingable device', {
    name: 'ups-north',
    ipAddress: '198.51.100.13',
    containerID: 1,
    deviceType: 'ups',
  }),
  moveDevices,
  l3PollingList,
  resyncDevices,
];
