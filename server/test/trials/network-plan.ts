import type { Switches, SwitchSpec } from '@portreeve/testbed/snmp-switches.ts';
import type { SnmpCredential } from '../../src/protocols/snmp/snmp.ts';
import type { UsmUser } from '../../src/protocols/snmp/usm.ts';
import { inParallel } from './snmp-walk.ts';

/** A switch of the planned network. */
export interface PlannedSwitch {
  name: string;
  address: string;
  spec: SwitchSpec;
  isCore: boolean;
  /** Ports with a host each. */
  hostPorts: number[];
  credential: SnmpCredential;
}

/** Where a host is connected. */
export interface Place {
  device: string;
  port: string;
}

const accessPerCore = 24;
const hostlessPorts = 4;
const callsAtOnce = 64;

export const user: UsmUser = {
  userName: 'op',
  auth: { protocol: 'SHA256', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
};

/** The front ports of an access switch without a host: one leads to the core, one is free. */
export const uplinkPort = (ports: number): number => ports - 3;
export const freePort = (ports: number): number => ports - 2;

/**
 * Plans a network of floors: a core, and access switches below it; every second one uses SNMPv3, every eighth is a
 * Cisco.
 */
export function planNetwork(count: number, ports: number): PlannedSwitch[] {
  const addressOf = (index: number) => `127.40.${Math.floor(index / 250) + 1}.${(index % 250) + 1}`;
  const nameOf = (index: number) => `sw-${String(index).padStart(4, '0')}`;
  const coreOf = (index: number) => index - (index % (accessPerCore + 1));
  const neighbour = (port: number, index: number) => ({
    port,
    sysName: nameOf(index),
    chassis: '02:BB:00:00:00:00',
    portId: 'uplink',
    managementAddress: addressOf(index),
  });
  return Array.from({ length: count }, (_, at): PlannedSwitch => {
    const isCore = coreOf(at) === at;
    const below = Array.from({ length: Math.min(accessPerCore, count - at - 1) }, (_, n) => at + 1 + n);
    const common = { address: addressOf(at), sysName: nameOf(at), users: [user] };
    const spec: SwitchSpec = isCore
      ? {
          ...common,
          ports: Math.max(ports, accessPerCore + hostlessPorts),
          hostOnEachPort: false,
          forwards: true,
          neighbours: below.map((lower) => neighbour(lower - at, lower)),
        }
      : {
          ...common,
          ports,
          kind: at % 8 === 3 ? 'cisco' : 'qbridge',
          neighbours: [neighbour(uplinkPort(ports), coreOf(at))],
        };
    return {
      name: nameOf(at),
      address: addressOf(at),
      spec,
      isCore,
      hostPorts: isCore ? [] : Array.from({ length: ports - hostlessPorts }, (_, n) => n + 1),
      credential: at % 2 === 1 ? { version: 'v3', user } : { version: 'v2c', community: 'public' },
    };
  });
}

/** Where each host is according to the simulators, and the networks of the addresses that cores have. */
export class Truth {
  readonly places = new Map<string, Place>();
  readonly #plan: readonly PlannedSwitch[];
  readonly #ports: number;

  constructor(plan: readonly PlannedSwitch[], ports: number) {
    this.#plan = plan;
    this.#ports = ports;
  }

  /** Returns the MAC address that a simulated switch assigns to the host on a port. */
  macOf({ address }: PlannedSwitch, port: number): string {
    const [high, low] = address.split('.').slice(2).map(Number) as [number, number];
    return [2, 0, high, low, 0, port].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
  }

  portName({ spec }: PlannedSwitch, port: number): string {
    return spec.kind === 'cisco' ? `Gi1/0/${port}` : `1/${port}`;
  }

  put(mac: string, target: PlannedSwitch, port: number): void {
    this.places.set(mac, { device: target.name, port: this.portName(target, port) });
  }

  /**
   * Adds forwarding entries of uplinks as in a real network: the core learns every host of a floor on the port to its
   * switch, and a switch learns those of its neighbour on the port to the core. The core has the IP addresses of all.
   */
  async furnish(switches: Switches): Promise<{ hosts: number; learnedOnUplinks: number; arpEntries: number }> {
    const calls: (() => Promise<unknown>)[] = [];
    let core = this.#plan[0]!;
    let corePort = 0;
    let [learnedOnUplinks, arpEntries] = [0, 0];
    for (const [index, planned] of this.#plan.entries()) {
      if (planned.isCore) {
        core = planned;
        corePort = 0;
        continue;
      }
      corePort += 1;
      const [floor, doorway] = [core, corePort];
      const nextSwitch = this.#plan[index + 1];
      for (const port of planned.hostPorts) {
        const mac = this.macOf(planned, port);
        this.put(mac, planned, port);
        const [high, low] = planned.address.split('.').slice(2);
        calls.push(() => switches.plug(floor.address, doorway, mac.toLowerCase(), 1));
        calls.push(() => switches.setArp(floor.address, `10.${high}.${low}.${port}`, mac.toLowerCase(), 1));
        learnedOnUplinks += 1;
        arpEntries += 1;
        if (!nextSwitch || nextSwitch.isCore) continue;
        const across = this.macOf(nextSwitch, port).toLowerCase();
        calls.push(() => switches.plug(planned.address, uplinkPort(this.#ports), across, 1));
        learnedOnUplinks += 1;
      }
    }
    await inParallel(calls, callsAtOnce, async (call) => void (await call()));
    return { hosts: this.places.size, learnedOnUplinks, arpEntries };
  }
}
