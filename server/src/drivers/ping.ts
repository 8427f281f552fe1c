import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Failure, remoteTimeout } from '../kernel/failure.ts';
import type { OutboundGuard } from '../protocols/outbound/outbound.ts';
import type { Driver } from './driver.ts';
import type { DriverName } from './names.ts';

/** Pings devices by ICMP echo. */
export interface Pinger {
  /** Returns milliseconds until the reply; null for devices that did not reply or may not be probed. */
  ping(hosts: readonly string[]): Promise<Map<string, number | null>>;
  /**
   * The same, with a promise per device, because silence takes seconds and the others need not wait. Rejects for an
   * address that may not be probed.
   */
  each(hosts: readonly string[]): ReadonlyMap<string, Promise<number | null>>;
}

interface PingerOptions {
  outbound: OutboundGuard;
  timeoutMs?: number;
  retries?: number;
  program?: string;
}

/** Addresses per process: they are passed as arguments. */
const hostsPerBatch = 500;
const batchMsMax = 60_000;

/** Pings devices with fping, many at once. */
export function fpingPinger({ outbound, timeoutMs = 1_000, retries = 2, program = 'fping' }: PingerOptions): Pinger {
  const options = ['-a', '-e', '-B', '1', '-t', String(timeoutMs), '-r', String(retries), '--'];

  async function pingAll(
    hosts: readonly string[],
    tell: (host: string, ms: number) => void,
    refuse: (host: string, why: Failure) => void,
  ): Promise<void> {
    const hostsAt = new Map<string, string[]>();
    for (const host of hosts) {
      const address = await permitted(outbound, host);
      if (address instanceof Failure) refuse(host, address);
      else hostsAt.set(address, [...(hostsAt.get(address) ?? []), host]);
    }
    const addresses = [...hostsAt.keys()];
    for (let start = 0; start < addresses.length; start += hostsPerBatch)
      await run(program, [...options, ...addresses.slice(start, start + hostsPerBatch)], (address, ms) => {
        for (const host of hostsAt.get(address) ?? []) tell(host, ms);
      });
  }

  function each(hosts: readonly string[]): Map<string, Promise<number | null>> {
    const waiting = new Map([...new Set(hosts)].map((host) => [host, Promise.withResolvers<number | null>()]));
    pingAll(
      [...waiting.keys()],
      (host, ms) => waiting.get(host)!.resolve(ms),
      (host, why) => waiting.get(host)!.reject(why),
    ).then(
      () => waiting.forEach(({ resolve }) => void resolve(null)),
      (error) => waiting.forEach(({ reject }) => void reject(error)),
    );
    return new Map([...waiting].map(([host, { promise }]) => [host, promise]));
  }

  return {
    each,
    ping: async (hosts) =>
      new Map(
        await Promise.all([...each(hosts)].map(async ([host, answer]) => [host, await answer.catch(silent)] as const)),
      ),
  };
}

/** An address that may not be probed counts as silent. */
const silent = (error: unknown): null => {
  if (error instanceof Failure) return null;
  throw error;
};

async function permitted(outbound: OutboundGuard, host: string): Promise<string | Failure> {
  try {
    return (await outbound.resolve(host)).address;
  } catch (error) {
    // An address that may not be probed must not fail the others.
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Reads a line of a reply: `10.0.0.1 (0.42 ms)`. */
export function readTime(line: string): [string, number] | undefined {
  const [, address, ms] = /^(\S+) \(([\d.]+) ms\)$/.exec(line) ?? [];
  return address === undefined ? undefined : [address, Number(ms)];
}

/** fping exits with 1 if an address is silent and with 2 if one is not found: both are results. */
async function run(
  program: string,
  args: readonly string[],
  tell: (address: string, ms: number) => void,
): Promise<void> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: batchMsMax,
    env: { PATH: process.env.PATH },
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const time = readTime(line);
    if (time) tell(...time);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === null || code > 2) throw new Error(`${program} ended with code ${code}`);
}

/** Driver for a device that is only pinged, or that only sends RADIUS requests. */
export const pingedDriver = (name: Extract<DriverName, 'ping' | 'radius-only'>, pinger: Pinger): Driver => ({
  name,
  async alive({ host }) {
    const answered = await pinger.each([host]).get(host);
    if ((answered ?? null) === null) throw remoteTimeout(`The device ${host} does not respond to ping.`);
    return { uptimeTicks: null };
  },
});
