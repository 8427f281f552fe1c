import { createHash } from 'node:crypto';
import type { ErrorWord } from '@portreeve/server/protocols/snmp/message.ts';
import type { UsmUser } from '@portreeve/server/protocols/snmp/usm.ts';

/** The properties of a switch; most have defaults. */
export interface SwitchSpec {
  /** Its own loopback address, such as 127.0.20.1. */
  address: string;
  /**
   * `cisco` has separate tables for each VLAN and vmVlan, `dot1d` is a bridge without VLANs, `router` has no bridge at
   * all.
   */
  kind?: 'qbridge' | 'cisco' | 'dot1d' | 'router';
  sysName?: string;
  ports?: number;
  /** Labels of the front ports, from the first on. */
  aliases?: readonly string[];
  vlans?: Readonly<Record<number, string>>;
  readCommunity?: string;
  writeCommunity?: string;
  users?: readonly UsmUser[];
  /** False: SNMPv1 and v2c get no reply. */
  communities?: boolean;
  /** One learned host on each front port except the last four. */
  hostOnEachPort?: boolean;
  forwards?: boolean;
  /** Networks of its VLAN interfaces, as address/prefix. */
  interfaces?: readonly { vlan: number; address: string; prefix: number }[];
  arpTable?: 'old' | 'new' | 'both';
  routes?: number;
  neighbours?: readonly NeighbourSpec[];
  serial?: string;
  /** Wireless networks, each on the radio of the front port with the same index. */
  ssids?: readonly string[];
}

export interface NeighbourSpec {
  port: number;
  sysName: string;
  /** MAC address of the neighbour's chassis. */
  chassis: string;
  portId: string;
  managementAddress: string;
  protocols?: readonly ('lldp' | 'cdp')[];
}

export interface TrapTarget {
  host: string;
  port: number;
  version: 'v1' | 'v2c' | 'v3';
  isInform?: boolean;
  community?: string;
  user?: UsmUser;
}

/** A SET with its result. */
export interface RecordedSet {
  source: string;
  securityName: string;
  varbinds: { oid: string; type: string; value: string | number | null }[];
  outcome: ErrorWord | 'silent';
}

export interface WriteFault {
  /** The error of the response; `silent`: not done, no response; `unanswered`: done, no response. */
  word: ErrorWord | 'silent' | 'unanswered';
  /** Only names below this one. */
  under?: string;
  /** How many writes succeed before the first failure. */
  skip?: number;
  /** How many writes fail; all, if absent. */
  times?: number;
}

export type Mood = 'honest' | 'loop' | 'endless' | 'strange-types' | 'strange-texts' | 'garbage';

export interface HostBehind {
  mac: string;
  /** On a trunk; otherwise the VLAN of the port. */
  vlan?: number;
  status?: 'learned' | 'self' | 'mgmt';
}

export interface Port {
  /** The number on the device; 0 for an interface without a socket. */
  number: number;
  kind: 'physical' | 'vlan' | 'aggregate' | 'loopback';
  name: string;
  description: string;
  alias: string;
  /** Before any renumbering. */
  ifIndexBase: number;
  /** 0 if it is not a bridge port. */
  bridgePort: number;
  mac: Buffer;
  adminUp: boolean;
  hasLink: boolean;
  pvid: number;
  hosts: HostBehind[];
  /** Number of the VLAN of a VLAN interface. */
  vlan: number;
  isMember: boolean;
}

export interface Vlan {
  id: number;
  name: string;
  fdbId: number;
  egress: Uint8Array;
  untagged: Uint8Array;
}

const defaultVlans = { 1: 'default', 10: 'office', 20: 'voice', 30: 'registration', 40: 'quarantine' };
const renumberStep = 500;
const setsMax = 10_000;

export const macBytes = (mac: string): Buffer => Buffer.from(mac.replaceAll(/[^0-9a-f]/gi, ''), 'hex');

/** The state of one simulated switch; its tables are computed on request. */
export class SwitchState {
  readonly spec: SwitchSpec;
  readonly kind: NonNullable<SwitchSpec['kind']>;
  readonly ports: Port[];
  readonly vlans: Map<number, Vlan>;
  readonly chassis: Buffer;
  readonly engineId: Buffer;
  readonly arp = new Map<string, { mac: string; vlan: number }>();
  neighbours: NeighbourSpec[];
  readonly listLength: number;
  engineBoots = 1;
  renumberings = 0;
  mood: Mood = 'honest';
  writeFault: WriteFault | null = null;
  isPaused = false;
  delayMs = 0;
  /** Every n-th packet is lost; 0 loses none. */
  loseEvery = 0;
  /** Each target gets every notification. */
  trapTargets: readonly TrapTarget[] = [];
  readonly sets: RecordedSet[] = [];
  requests = 0;
  /** Counts changes, so that tables computed before one are not used after it. */
  revision = 0;
  #bootMs = Date.now();
  #uptimeOffset = 0;

  constructor(spec: SwitchSpec) {
    this.spec = spec;
    this.kind = spec.kind ?? 'qbridge';
    const id = createHash('md5').update(spec.address).digest();
    this.chassis = Buffer.concat([Buffer.of(0x02, 0xaa), id.subarray(0, 3), Buffer.of(0)]);
    this.engineId = Buffer.concat([Buffer.from('80001f8804', 'hex'), id.subarray(0, 8)]);
    this.neighbours = [...(spec.neighbours ?? [])];
    const vlans = spec.vlans ?? defaultVlans;
    this.ports = this.#makePorts(Object.keys(vlans).map(Number), spec.ports ?? 48);
    this.listLength = Math.ceil(Math.max(8, ...this.ports.map(({ bridgePort }) => bridgePort)) / 8);
    this.vlans = new Map(
      Object.entries(vlans).map(([id, name], index) => [
        Number(id),
        // Not the VLAN number, so that code that confuses them fails.
        { id: Number(id), name, fdbId: 1_001 + index, egress: this.#emptyList(), untagged: this.#emptyList() },
      ]),
    );
    this.#fillLists();
  }

  get sysName(): string {
    return this.spec.sysName ?? `sw-${this.spec.address.replaceAll('.', '-')}`;
  }

  get uptimeTicks(): number {
    return (Math.floor((Date.now() - this.#bootMs) / 10) + this.#uptimeOffset) % 2 ** 32;
  }

  get engineTime(): number {
    return Math.floor((Date.now() - this.#bootMs) / 1_000);
  }

  set uptimeTicks(ticks: number) {
    this.#uptimeOffset = ticks - Math.floor((Date.now() - this.#bootMs) / 10);
  }

  #emptyList(): Uint8Array {
    return new Uint8Array(this.listLength);
  }

  #makePorts(vlanIds: readonly number[], count: number): Port[] {
    const prefix = this.kind === 'cisco' ? 'GigabitEthernet1/0/' : 'Gigabit port 1/';
    const short = this.kind === 'cisco' ? 'Gi1/0/' : '1/';
    const common = {
      alias: '',
      adminUp: true,
      hasLink: true,
      pvid: 1,
      vlan: 0,
      isMember: false,
      bridgePort: 0,
      number: 0,
    };
    const vlanPorts = vlanIds.map((vlan) => ({
      ...common,
      kind: 'vlan' as const,
      name: `Vlan${vlan}`,
      description: `Vlan${vlan}`,
      ifIndexBase: vlan,
      mac: this.chassis,
      hosts: [],
      vlan,
    }));
    const front = Array.from({ length: count }, (_, index): Port => {
      const number = index + 1;
      // The last two are members of the aggregate, which is the bridge port in their place.
      const isMember = count > 4 && number > count - 2;
      const hasHost = this.spec.hostOnEachPort !== false && number <= count - 4;
      return {
        ...common,
        kind: 'physical',
        number,
        name: `${short}${number}`,
        description: `${prefix}${number}`,
        alias: this.spec.aliases?.[index] ?? `desk ${number}`,
        ifIndexBase: 10_100 + number,
        // A gap after the 24th, as at the end of a module.
        bridgePort: this.kind === 'router' || isMember ? 0 : number <= 24 ? number : number + 8,
        mac: Buffer.from([...this.chassis.subarray(0, 5), number]),
        hasLink: hasHost || isMember,
        hosts: hasHost ? [{ mac: this.hostMac(number) }] : [],
        isMember,
      };
    });
    const aggregate: Port = {
      ...common,
      kind: 'aggregate',
      name: 'Po1',
      description: 'Port-channel1',
      ifIndexBase: 5_001,
      bridgePort: this.kind === 'router' || count <= 4 ? 0 : count + 21,
      mac: Buffer.from([...this.chassis.subarray(0, 5), 0xfe]),
      hosts: [],
    };
    const loopback: Port = {
      ...common,
      kind: 'loopback',
      name: 'Lo0',
      description: 'Loopback0',
      ifIndexBase: 14_501,
      mac: Buffer.alloc(0),
      hosts: [],
    };
    return [
      ...(this.kind === 'router' || this.kind === 'dot1d' ? [] : vlanPorts),
      ...(count > 4 ? [aggregate] : []),
      ...front,
      loopback,
    ];
  }

  /** Returns the host on a front port of a switch with `hostOnEachPort`. */
  hostMac(number: number): string {
    const [a, b] = this.spec.address.split('.').slice(2).map(Number);
    return Buffer.of(0x02, 0x00, a!, b!, 0, number)
      .toString('hex')
      .replaceAll(/(..)(?!$)/g, '$1:');
  }

  #fillLists(): void {
    for (const port of this.ports.filter(({ bridgePort }) => bridgePort > 0)) {
      const nativeVlan = this.vlans.get(port.pvid);
      for (const vlan of port.kind === 'aggregate' ? this.vlans.values() : nativeVlan ? [nativeVlan] : [])
        setBit(vlan.egress, port.bridgePort, true);
      if (nativeVlan) setBit(nativeVlan.untagged, port.bridgePort, true);
    }
  }

  ifIndex(port: Port): number {
    return port.ifIndexBase + (port.kind === 'physical' ? this.renumberings * renumberStep : 0);
  }

  operUp(port: Port): boolean {
    return port.adminUp && port.hasLink;
  }

  byNumber(number: number): Port {
    const port = this.ports.find((candidate) => candidate.number === number && candidate.kind === 'physical');
    if (!port) throw new Error(`${this.spec.address} has no port ${number}`);
    return port;
  }

  byName(name: string): Port {
    const port = this.ports.find((candidate) => candidate.name === name);
    if (!port) throw new Error(`${this.spec.address} has no port ${name}`);
    return port;
  }

  changed(): void {
    this.revision += 1;
  }

  /** Restarts: time runs from zero, link states stay, and interface numbers may change. */
  reboot(renumber: boolean): void {
    this.#bootMs = Date.now();
    this.#uptimeOffset = 0;
    this.engineBoots += 1;
    if (renumber) this.renumberings += 1;
    this.changed();
  }

  record(set: RecordedSet): void {
    this.sets.push(set);
    if (this.sets.length > setsMax) this.sets.shift();
  }
}

/** Sets a bit of a port list. RFC 4363: the first bridge port is the most significant bit of the first byte. */
export function setBit(list: Uint8Array, bridgePort: number, isSet: boolean): void {
  const byteIndex = (bridgePort - 1) >> 3;
  const mask = 0x80 >> ((bridgePort - 1) & 7);
  list[byteIndex] = isSet ? list[byteIndex]! | mask : list[byteIndex]! & ~mask;
}

export const hasBit = (list: Uint8Array, bridgePort: number): boolean =>
  ((list[(bridgePort - 1) >> 3] ?? 0) & (0x80 >> ((bridgePort - 1) & 7))) !== 0;
