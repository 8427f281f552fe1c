import type { Context, WriteTx } from '../../context.ts';
import type { DeviceAccess, Driver } from '../../drivers/driver.ts';
import { isRefusal } from '../../drivers/snmp-writing.ts';
import type { AuditEntry, FieldChange } from '../../kernel/declare/audit-entry.ts';
import type { AuditSource } from '../../kernel/declare/caller.ts';
import { tableOf } from '../../kernel/declare/declaration.ts';
import { anyEvent, type EventEntry } from '../../kernel/declare/event-type.ts';
import { Failure, remoteFailed, remoteTimeout } from '../../kernel/failure.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { accessTo, type PolledDevice, polledDeviceSql, portStatus } from '../polling/polling.service.ts';
import { type DoneToPort, writePortChanges } from '../port-change/port-change.service.ts';
import { type DesiredPortState, nameOfPort, type TargetPort, vlanNumberOf } from './desired-port-state.ts';
import { withDeviceLease } from './device-lease.ts';
import { emitOfPorts } from './emit-of-ports.ts';
import { observePorts } from './observe-ports.ts';
import { portAdminStatusChanged, portVlanSet, portVlanSetFailed } from './port.events.ts';
import { port as portRecord } from './port.ts';

/** Characters of a failure in the summary of an audit row. */
const lineMax = 1_000;

/** The outcome of one change of one port; a port already in the requested VLAN has none. */
export interface PortOutcome {
  port: TargetPort;
  vlan?: { from: string | null; to: string };
  isUp?: boolean;
  /** The device's error message; null if successful. */
  error: string | null;
  isTimeout: boolean;
  durationMs: number;
}

/** The origin and time limits of a change. */
export interface PortChangeRequest {
  source: AuditSource;
  msMax: number;
  /** Timeouts and retries that replace the settings of the cell. */
  patience?: Partial<Pick<PolledDevice, 'snmpTimeout' | 'snmpRetries' | 'cliTimeout'>>;
}

/** Applies the desired port states to a device and stores the result of each. A refusal by one device does not affect others. */
export async function changePorts(
  context: Context,
  ports: readonly TargetPort[],
  desired: DesiredPortState,
  errand: PortChangeRequest,
): Promise<PortOutcome[]> {
  const outcomes = await emitDevice(context, ports, desired, errand);
  await context.write((tx) => writeDown(tx, outcomes, errand.source));
  return outcomes;
}

async function emitDevice(
  context: Context,
  ports: readonly TargetPort[],
  desired: DesiredPortState,
  { msMax, patience }: PortChangeRequest,
): Promise<PortOutcome[]> {
  const [{ deviceID }] = ports as [TargetPort];
  const [device] = await context.query<PolledDevice>(polledDeviceSql, [deviceID]);
  const secretOf = (field: string) => context.secretOf(networkDevice, deviceID, field, device!.version);
  const driver = context.protocols.drivers.of(device!.driver);
  const began = performance.now();
  try {
    const access = await accessTo({ ...device!, ...patience }, secretOf, AbortSignal.timeout(msMax));
    return await withDeviceLease(context, deviceID, msMax, (refuseAfterTurn) =>
      new DeviceConversation(driver, { ...access, beforeSend: refuseAfterTurn }, ports).run(desired),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed(ports, desired, error, performance.now() - began);
  }
}

/** Outcomes for a device that could not be contacted. */
const failed = (
  ports: readonly TargetPort[],
  desired: DesiredPortState,
  error: Failure,
  durationMs: number,
): PortOutcome[] => ports.map((port) => ({ port, ...desiredChange(port, desired), ...failureOf(error), durationMs }));

const desiredChange = (port: TargetPort, { vlan, isUp }: DesiredPortState): Pick<PortOutcome, 'vlan' | 'isUp'> =>
  vlan === undefined
    ? { isUp: isUp! }
    : { vlan: { from: port.currentVlan || null, to: String(vlanNumberOf(vlan, port.vlans)) } };

const failureOf = (error: Failure) => ({ error: error.message, isTimeout: error.word === 'remote-timeout' });

/** The writes of one change to one device. */
class DeviceConversation {
  readonly #driver: Driver;
  readonly #access: DeviceAccess;
  readonly #ports: readonly TargetPort[];

  constructor(driver: Driver, access: DeviceAccess, ports: readonly TargetPort[]) {
    this.#driver = driver;
    this.#access = access;
    this.#ports = ports;
  }

  /** The VLAN is set first, so that a port that is enabled comes up in the right one. */
  async run({ vlan, isUp }: DesiredPortState): Promise<PortOutcome[]> {
    const moved = vlan === undefined ? [] : await this.#intoVlan(vlan);
    const stuck = new Set(moved.filter(({ error }) => error !== null).map(({ port }) => port));
    const rest = this.#ports.filter((port) => !stuck.has(port));
    return isUp === undefined ? moved : [...moved, ...(await this.#put(rest, isUp))];
  }

  async #intoVlan(vlan: string): Promise<PortOutcome[]> {
    const began = performance.now();
    const desiredStates = this.#ports.map(({ ifIndex, vlans }) => ({
      ifIndex: ifIndex!,
      vlan: vlanNumberOf(vlan, vlans)!,
    }));
    try {
      const outcomes = await this.#driver.writeVlan!(this.#access, desiredStates);
      const durationMs = performance.now() - began;
      return outcomes.flatMap(({ from: previousVlan, isWritten, error, vlan: newVlan }, index) =>
        // A port that was already in the VLAN has no outcome.
        isWritten || error !== null
          ? [{ port: this.#ports[index]!, vlan: vlanText(previousVlan, newVlan), error, isTimeout: false, durationMs }]
          : [],
      );
    } catch (error) {
      return failed(this.#ports, { vlan }, this.#failureOf(error), performance.now() - began);
    }
  }

  async #put(ports: readonly TargetPort[], isUp: boolean): Promise<PortOutcome[]> {
    if (ports.length === 0) return [];
    const began = performance.now();
    const ifIndexes = ports.map(({ ifIndex }) => ifIndex!);
    try {
      const changed = await this.#driver.setAdminStatus!(this.#access, ifIndexes, isUp);
      const durationMs = performance.now() - began;
      // A port that was already in this state has no outcome.
      const writtenPorts = ports.filter(({ ifIndex }) => changed.includes(ifIndex!));
      return writtenPorts.map((port) => ({ port, isUp, error: null, isTimeout: false, durationMs }));
    } catch (error) {
      // One port that the device refuses makes the complete SET fail, so each port is then written separately.
      if (ports.length === 1 || !isRefusal(error))
        return failed(ports, { isUp }, this.#failureOf(error), performance.now() - began);
      const outcomes: PortOutcome[] = [];
      for (const port of ports) outcomes.push(...(await this.#put([port], isUp)));
      return outcomes;
    }
  }

  /**
   * Returns a timeout for a caller that waited too long; an error that the device did not cause is a bug and is thrown.
   */
  #failureOf(error: unknown): Failure {
    const { host, signal } = this.#access;
    if (error instanceof Failure) return error;
    if (signal?.aborted) return remoteTimeout(`The device ${host} did not respond in time.`, error);
    throw error;
  }
}

const vlanText = (previousVlan: number | null, newVlan: number) => ({
  from: previousVlan === null ? null : String(previousVlan),
  to: String(newVlan),
});

async function writeDown(tx: WriteTx, outcomes: readonly PortOutcome[], source: AuditSource): Promise<void> {
  const { client } = tx;
  const user = source.user;
  await writePortChanges(
    client,
    outcomes.map(
      ({ port, vlan, isUp, error, durationMs }): DoneToPort => ({
        portID: port.id,
        reason: 'MANUAL',
        method: 'SNMP',
        trigger: 'ADMIN',
        triggeredBy: user,
        ...(vlan && { vlan }),
        ...(isUp !== undefined && { isUp }),
        errorMessage: error,
        durationMs,
      }),
    ),
  );
  const done = outcomes.filter(({ error }) => error === null);
  await observePorts(client, done.flatMap(seenInVlan));
  await observePorts(client, done.flatMap(seenUp));
  await emitOfPorts(
    tx,
    outcomes.flatMap((outcome) => eventOf(outcome, user)),
  );
  const auditRows = [...Map.groupBy(outcomes, ({ port }) => port.id).values()].map((portOutcomes) =>
    auditEntryOf(portOutcomes, user),
  );
  if (auditRows.length > 0) await tx.engine.sinks.audit(client, source, auditRows);
}

/** Builds one audit row for all changes of a port on its device; failures are in the summary only. */
function auditEntryOf(outcomes: readonly PortOutcome[], user: string): AuditEntry {
  const [{ port }] = outcomes as [PortOutcome];
  const done = outcomes.filter(({ error }) => error === null);
  return {
    action: 'EXECUTE',
    table: tableOf(portRecord),
    recordId: port.id,
    recordName: nameOfPort(port),
    eventTag: outcomes.flatMap((outcome) => eventOf(outcome, user))[0]?.type.name ?? '',
    summary: outcomes.map(lineOf).join('\n'),
    changes: done.map(changeOf),
  };
}

const adminWords: Readonly<Record<number, string>> = { 1: 'up', 2: 'down', 3: 'testing' };

const changeOf = ({ port, vlan, isUp }: PortOutcome): FieldChange =>
  vlan
    ? { field: 'currentVlan', before: vlan.from, after: vlan.to }
    : { field: 'adminStatus', before: adminWords[port.ifadminStatus] ?? null, after: isUp ? 'up' : 'down' };

function lineOf(outcome: PortOutcome): string {
  const { field, before, after } = changeOf(outcome);
  const line = `${field}: ${before ?? 'unknown'} → ${after}`;
  return outcome.error === null ? line : `${line} failed: ${outcome.error}`.slice(0, lineMax);
}

const seenInVlan = ({ port: { deviceID, name }, vlan }: PortOutcome) =>
  vlan ? [{ deviceID, name, currentVlan: vlan.to }] : [];

const seenUp = ({ port: { deviceID, name, ifoperStatus }, isUp }: PortOutcome) => {
  if (isUp === undefined) return [];
  const ifadminStatus = isUp ? 1 : 2;
  return [{ deviceID, name, ifadminStatus, status: portStatus(ifadminStatus, ifoperStatus) }];
};

function eventOf({ port, vlan, isUp, error }: PortOutcome, user: string): EventEntry[] {
  const element = { id: port.id, name: nameOfPort(port) };
  const reported = <F extends string>(entry: EventEntry<F>) => [anyEvent(entry)];
  if (vlan && error !== null)
    return reported({
      type: portVlanSetFailed,
      element,
      userName: user,
      attributes: { to: vlan.to, why: error, by: user },
    });
  if (vlan)
    return reported({
      type: portVlanSet,
      element,
      userName: user,
      attributes: { from: vlan.from ?? 'none', to: vlan.to, by: user },
    });
  const isChanged = error === null && port.ifadminStatus !== (isUp ? 1 : 2);
  return isChanged
    ? reported({
        type: portAdminStatusChanged,
        element,
        userName: user,
        attributes: { state: isUp ? 'up' : 'down', by: user },
      })
    : [];
}

/** Throws if one of the changes failed. */
export function refuseFailed(outcomes: readonly PortOutcome[]): void {
  const wrong = outcomes.filter(({ error }) => error !== null);
  if (wrong.length === 0) return;
  const portsOf = Map.groupBy(wrong, ({ error }) => error!);
  const words = [...portsOf]
    .map(([error, failedOutcomes]) => `${failedOutcomes.map(({ port }) => nameOfPort(port)).join(', ')}: ${error}`)
    .join(' ');
  throw wrong.every(({ isTimeout }) => isTimeout) ? remoteTimeout(words) : remoteFailed(words);
}
