import { execFile } from 'node:child_process';
import { Failure, remoteTimeout } from '../../kernel/failure.ts';
import type { OutboundGuard } from '../outbound/outbound.ts';
import type { Driver, DriverName } from './driver.ts';

/** Whether devices answer ICMP echo. */
export interface Pinger {
  /** Milliseconds until each answered; null for those that did not, and those the outbound guard refuses. */
  ping(hosts: readonly string[]): Promise<Map<string, number | null>>;
}

interface PingerOptions {
  outbound: OutboundGuard;
  timeoutMs?: number;
  retries?: number;
  program?: string;
}

/** Addresses for one process: the list goes as arguments. */
const hostsPerBatch = 500;
const outputBytesMax = 1024 * 1024;
const batchMsMax = 60_000;

/** Pings many devices at once with fping. */
export function fpingPinger({ outbound, timeoutMs = 1_000, retries = 2, program = 'fping' }: PingerOptions): Pinger {
  return {
    async ping(hosts) {
      const addressOf = new Map<string, string>();
      for (const host of new Set(hosts)) {
        const address = await permitted(outbound, host);
        if (address !== null) addressOf.set(host, address);
      }
      const times = new Map<string, number>();
      const addresses = [...new Set(addressOf.values())];
      for (let from = 0; from < addresses.length; from += hostsPerBatch) {
        const options = ['-a', '-e', '-B', '1', '-t', String(timeoutMs), '-r', String(retries), '--'];
        const output = await run(program, [...options, ...addresses.slice(from, from + hostsPerBatch)]);
        for (const [address, ms] of readTimes(output)) times.set(address, ms);
      }
      return new Map(hosts.map((host) => [host, times.get(addressOf.get(host) ?? '') ?? null]));
    },
  };
}

async function permitted(outbound: OutboundGuard, host: string): Promise<string | null> {
  try {
    return (await outbound.resolve(host)).address;
  } catch (error) {
    // One that may not be asked must not keep the others from being asked.
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** Lines such as `10.0.0.1 (0.42 ms)`, for those that answered only. */
export function readTimes(output: string): [string, number][] {
  return [...output.matchAll(/^(\S+) \(([\d.]+) ms\)$/gm)].map(([, address, ms]) => [address!, Number(ms)]);
}

/** fping ends with 1 when somebody is silent and with 2 when an address is not found: both are answers. */
function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: batchMsMax, maxBuffer: outputBytesMax }, (error, stdout) => {
      if (!error || error.code === 1 || error.code === 2) resolve(stdout);
      else reject(new Error(`${program} failed`, { cause: error }));
    });
  });
}

/** A device that is only pinged, or that speaks RADIUS to us and nothing else. */
export const pingedDriver = (name: Extract<DriverName, 'ping' | 'radius-only'>, pinger: Pinger): Driver => ({
  name,
  async alive({ host }) {
    const times = await pinger.ping([host]);
    if ((times.get(host) ?? null) === null) throw remoteTimeout(`The device ${host} does not answer to ping.`);
    return { uptimeTicks: null };
  },
});
