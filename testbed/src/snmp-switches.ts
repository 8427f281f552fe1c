import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type {
  HostBehind,
  Mood,
  NeighbourSpec,
  RecordedSet,
  SwitchSpec,
  TrapTarget,
  WriteFault,
} from './snmp-switches/state.ts';

export type { HostBehind, NeighbourSpec, RecordedSet, SwitchSpec, TrapTarget, WriteFault };

/** Functions that control the switches. `number` is the front port's; a change of a link or a MAC sends its trap. */
export interface SwitchControl {
  open(specs: readonly SwitchSpec[], udpPort: number): Promise<void>;
  /** Returns true if the notification that it causes was acknowledged, here and below; traps never are. */
  setLink(address: string, number: number, hasLink: boolean): Promise<boolean>;
  plug(address: string, number: number, mac: string, vlan?: number): Promise<boolean>;
  unplug(address: string, number: number, mac: string): Promise<boolean>;
  move(mac: string, from: { address: string; port: number }, to: { address: string; port: number }): Promise<boolean>;
  /** Returns the host that was on the port from the start. */
  hostMac(address: string, number: number): string;
  portOf(
    address: string,
    number: number,
  ): { name: string; ifIndex: number; bridgePort: number; pvid: number; adminUp: boolean; operUp: boolean };
  reboot(address: string, renumber: boolean): Promise<boolean>;
  setUptime(address: string, ticks: number): void;
  /** Without a MAC address the entry is deleted. */
  setArp(address: string, ip: string, mac: string | null, vlan: number): void;
  setNeighbours(address: string, neighbours: readonly NeighbourSpec[]): void;
  failWrites(address: string, fault: WriteFault | null): void;
  behave(address: string, mood: Mood): void;
  disturb(address: string, how: { delayMs?: number; loseEvery?: number }): void;
  /** Receives packets and does not reply. */
  pause(address: string): void;
  resume(address: string): void;
  /** Sends every notification to all targets, or to none. */
  sendTrapsTo(address: string, ...targets: TrapTarget[]): void;
  /** Returns the SETs received since the last call, in order. */
  takeSets(address: string): RecordedSet[];
  stats(): { switches: number; requests: number; rssBytes: number; cpuMs: number };
}

/** The same functions as asynchronous calls from another process. */
type Remote<T> = {
  [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

export interface Switches extends Omit<Remote<SwitchControl>, 'open'> {
  /** UDP port of every switch, at its own address. */
  port: number;
  stop(): Promise<void>;
}

const main = fileURLToPath(new URL('snmp-switches/main.ts', import.meta.url));
const portsFrom = 21_161;
const portsMax = 400;

/** Starts simulated switches as SNMP agents in a separate process, each at its own loopback address. */
export async function startSwitches(specs: readonly SwitchSpec[]): Promise<Switches> {
  const child = fork(main, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let isUp = true;
  child.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: string }) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error));
  });
  child.once('exit', (code) => {
    isUp = false;
    for (const { reject } of waiting.values()) reject(new Error(`the simulated switches have ended with code ${code}`));
    waiting.clear();
  });
  await once(child, 'message');

  const call = (method: string, args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      child.send({ id: lastId, method, args });
    });

  const stop = async () => {
    if (!isUp) return;
    child.disconnect();
    await once(child, 'exit');
  };

  try {
    const port = await openOnFreePort(specs, call);
    return new Proxy({ port, stop } as Switches, {
      get: (ownProperties, name) =>
        name in ownProperties || typeof name === 'symbol' || name === 'then'
          ? Reflect.get(ownProperties, name)
          : (...args: unknown[]) => call(name, args),
    });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** All switches use the same port number; another process may use it at one of the addresses. */
async function openOnFreePort(
  specs: readonly SwitchSpec[],
  call: (method: string, args: unknown[]) => Promise<unknown>,
): Promise<number> {
  for (let port = portsFrom; ; port += 1) {
    try {
      await call('open', [specs, port]);
      return port;
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('EADDRINUSE');
      if (!isTaken || port === portsFrom + portsMax) throw error;
    }
  }
}
