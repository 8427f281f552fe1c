import type { DeviceAccess, DeviceIdentity, Neighbour } from '../../drivers/driver.ts';
import type { Drivers } from '../../drivers/drivers.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Snmp } from '../../protocols/snmp/snmp.ts';
import type { Probe } from './run-credentials.ts';

/** The result of probing an address. */
export type Finding =
  | { kind: 'silent' }
  /** The address replies, but to none of the credentials. */
  | { kind: 'noSnmp'; detail: string; pings: boolean }
  | { kind: 'device'; way: Probe; identity: DeviceIdentity; neighbours: readonly Neighbour[]; detail: string | null }
  | { kind: 'failed'; detail: string };

export interface ProbeOptions {
  ways: readonly Probe[];
  timeoutMs: number;
  followsNeighbours: boolean;
  signal: AbortSignal;
}

/** Tries the credentials at one address until one works, then identifies the device. */
export async function probeAddress(
  { snmp, drivers }: { snmp: Snmp; drivers: Drivers },
  address: string,
  pings: boolean,
  options: ProbeOptions,
): Promise<Finding> {
  try {
    const { ways, timeoutMs, signal } = options;
    // An address that does not reply to ping is probably unused: one try per credential is enough.
    const retries = pings ? 1 : 0;
    const targets = ways.map(({ port, credential }) => ({
      host: address,
      port,
      credential,
      timeoutMs,
      retries,
      signal,
    }));
    const answer = await snmp.probe(targets);
    if (answer.kind !== 'answered')
      return pings || answer.kind === 'refused' ? { kind: 'noSnmp', detail: answer.detail, pings } : { kind: 'silent' };
    const way = ways[answer.at]!;
    const access: DeviceAccess = {
      key: `discovery ${address}`,
      host: address,
      snmp: { port: way.port, credential: way.credential, timeoutMs, retries: 2 },
      signal,
    };
    const identity = await drivers.of('qbridge').identify!(access);
    return { kind: 'device', way, identity, ...(await neighboursOf(drivers, access, identity, options)) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { kind: 'failed', detail: error.message };
  }
}

async function neighboursOf(
  drivers: Drivers,
  access: DeviceAccess,
  { driver }: DeviceIdentity,
  { followsNeighbours }: ProbeOptions,
): Promise<{ neighbours: readonly Neighbour[]; detail: string | null }> {
  if (!followsNeighbours) return { neighbours: [], detail: null };
  try {
    return { neighbours: (await drivers.of(driver).readNeighbours?.(access)) ?? [], detail: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A device without a readable neighbour table is still a device.
    return { neighbours: [], detail: `Its neighbours could not be read: ${error.message}` };
  }
}
