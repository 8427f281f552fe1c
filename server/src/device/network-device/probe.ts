import { type Context, type RecordValue, requireBoundSecretsOf } from '../../context.ts';
import type { Call } from '../../kernel/declare/operation.ts';
import { invalid, notFound, remoteFailed, remoteTimeout } from '../../kernel/failure.ts';
import type { SnmpTarget } from '../../protocols/snmp/snmp.ts';
import { missingForSnmp, protocolAtFirst, storedCredentials } from './credentials.ts';
import type { Device, DeviceInput } from './device-input.ts';
import { networkDevice } from './network-device.ts';
import { isBySnmp, type SnmpSecret, type SnmpSettings, snmpCredentials } from './snmp-credentials.ts';

/** Limit for the probe of one device. */
const probeMsMax = 5_000;
const tries = 2;

/** With `validate`, reads the device's sysObjectID with the credentials of the request, before anything is stored. */
export async function probeIfWanted(call: Call<DeviceInput>, context: Context): Promise<void> {
  if (call.query.validate !== true) return;
  context.admitTest();
  const requestBody = call.body;
  const before = await storedDevice(call, context);
  const { fields, derived } = storedCredentials(requestBody, before?.cliCredentials ?? null);
  const device: RecordValue = {
    protocol: protocolAtFirst(requestBody),
    ipAddress: null,
    ...before,
    ...fields,
    ...derived,
  };
  if (!isBySnmp(device as unknown as SnmpSettings)) return;
  const isSent = (name: string) => typeof fields[name] === 'string';
  const faults = missingForSnmp(device, (name) =>
    isSent(name) ? fields[name] !== '' : (before as RecordValue | undefined)?.[`${name}Set`] === true,
  );
  if (faults.length > 0) throw invalid(faults);
  // The probe sends the stored secrets, so the check runs before it and not only before the update.
  if (before) await requireBoundSecretsOf(networkDevice, { before, after: device, sent: fields }, context);
  const secretOf = async (field: SnmpSecret) =>
    isSent(field) ? String(fields[field]) : context.secretOf(networkDevice, before!.id, field, before!.version);
  await probe(device, secretOf, context);
}

async function storedDevice({ id, body }: Call<DeviceInput>, { list }: Context): Promise<Device | undefined> {
  const deviceId = id || (body.id ?? 0);
  if (deviceId === 0) return undefined;
  const { records } = await list(networkDevice, { filter: [`id==${deviceId}`], start: 0, count: 1 });
  if (!records[0] && id) throw notFound(networkDevice.title, id);
  return records[0];
}

async function probe(
  device: RecordValue,
  secretOf: (field: SnmpSecret) => Promise<string>,
  { protocols }: Context,
): Promise<void> {
  const credentials = await snmpCredentials(device as unknown as SnmpSettings, secretOf);
  const signal = AbortSignal.timeout(probeMsMax);
  const timeoutMs = Math.floor(probeMsMax / (credentials.length * tries + 1));
  const common = { host: String(device.ipAddress), port: Number(device.snmpPort ?? 161), timeoutMs, signal };
  const targets = credentials.map((credential): SnmpTarget => ({ ...common, credential, retries: tries - 1 }));
  try {
    const result = await protocols.snmp.probe(targets);
    if (result.kind === 'silent') throw remoteTimeout(result.detail);
    if (result.kind === 'refused') throw remoteFailed(result.detail);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw remoteTimeout(`The device ${common.host} did not respond within ${probeMsMax / 1_000} seconds.`, error);
  }
}
