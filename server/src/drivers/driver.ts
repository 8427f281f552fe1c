import type { SnmpCredential } from '../protocols/snmp/snmp.ts';
import type { SshAccess } from '../protocols/ssh/ssh.ts';
import type { DriverName } from './names.ts';

/** A device with the data that a driver needs. */
export interface DeviceAccess {
  /** Identifies the device: writes to one device are serialised. */
  key: string;
  host: string;
  snmp?: SnmpAccess | undefined;
  ssh?: SshAccess | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Throws if another node may write to the device by now: a running operation must stop, or it would undo the other
   * node's changes.
   */
  beforeSend?: (() => void) | undefined;
}

/**
 * Returns access that a caller's timeout does not cancel: a port that is half moved is worse than a client that waits.
 */
export const untilTheEnd = (device: DeviceAccess): DeviceAccess => ({ ...device, signal: undefined });

export interface SnmpAccess {
  port: number;
  credential: SnmpCredential;
  /** A separate community for writing, if required. */
  writeCredential?: SnmpCredential | undefined;
  timeoutMs: number;
  retries: number;
}

export interface DeviceIdentity {
  driver: DriverName;
  sysObjectId: string;
  sysDescr: string;
  sysName: string;
  contact: string;
  location: string;
  services: number;
  uptimeTicks: number;
  vendor: string | null;
  model: string | null;
  firmware: string | null;
  serialNumber: string | null;
  /** MAC of the bridge or of the LLDP chassis. */
  chassisMac: string | null;
  /** Engine id of version 3, in hexadecimal; traps are matched by it. */
  engineId: string | null;
  mibs: string[];
}

export interface DeviceInterface {
  /** Identifies the port of a device: ifIndex as text, or `ssid:` and the name. */
  portId: string;
  /** Null if it is not an interface in SNMP. */
  ifIndex: number | null;
  /** Number in the bridge tables; null if it is not a bridge port. */
  bridgePort: number | null;
  /** ifName, or ifDescr if there is none. */
  name: string;
  description: string;
  alias: string;
  kind: 'physical' | 'aggregate' | 'virtual' | 'ssid';
  speedBps: number;
  mac: string | null;
  /** IF-MIB: 1 up, 2 down, 3 testing. */
  adminStatus: number;
  /** IF-MIB: 1 up … 7 lowerLayerDown. */
  operStatus: number;
  /** VLAN of untagged frames; null if there is none. */
  vlan: number | null;
  /** ifIndex of the aggregate that it is a member of. */
  aggregateIfIndex: number | null;
  ip: string | null;
  /** Security mode of a wireless network, if reported. */
  security?: 'OPEN' | 'PSK' | 'ENTERPRISE' | 'UNKNOWN';
}

export interface DeviceVlan {
  id: number;
  name: string;
}

export interface MacEntry {
  mac: string;
  /** Null if the device does not report VLANs. */
  vlan: number | null;
  /** As in `DeviceInterface`. */
  portId: string;
  /** `learned`: a dynamic entry of a host; `other`: addresses of the device itself and static entries. */
  status: 'learned' | 'other';
}

export interface ArpEntry {
  ip: string;
  mac: string;
  /** Null if the device reports no number. */
  ifIndex: number | null;
}

export interface Neighbour {
  protocol: 'lldp' | 'cdp';
  /** Null if the device does not report the interface. */
  ifIndex: number | null;
  chassisId: string;
  portId: string;
  systemName: string;
  description: string;
  managementAddresses: string[];
  capabilities: ('bridge' | 'router' | 'accessPoint' | 'phone')[];
}

/** Evidence that a device routes and therefore has an ARP table. */
export interface RoutingFacts {
  isForwarding: boolean;
  /** sysServices has the bit for layer 3. */
  hasLayer3: boolean;
  /** Networks of the device's addresses, as address/prefix. */
  subnets: string[];
  /** ARP entries, except those on the management interface. */
  arpEntries: number;
  routes: number;
}

export interface DesiredVlan {
  ifIndex: number;
  vlan: number;
}

/** Result of one port; a failure contains the error of the device and does not stop the others. */
export interface VlanOutcome extends DesiredVlan {
  /** VLAN before the change. */
  from: number | null;
  /** VLAN read back after the change. */
  current: number | null;
  /** False also if nothing had to be written. */
  isWritten: boolean;
  error: string | null;
}

/** The operations on one kind of device. An absent method is not supported. */
export interface Driver {
  readonly name: DriverName;
  /** Checks that the device replies. Returns its uptime in hundredths of a second, if reported. */
  alive(device: DeviceAccess): Promise<{ uptimeTicks: number | null }>;
  identify?(device: DeviceAccess): Promise<DeviceIdentity>;
  readInterfaces?(device: DeviceAccess): Promise<DeviceInterface[]>;
  readVlans?(device: DeviceAccess): Promise<DeviceVlan[]>;
  readMacTable?(device: DeviceAccess): Promise<MacEntry[]>;
  readArpTable?(device: DeviceAccess): Promise<ArpEntry[]>;
  readNeighbours?(device: DeviceAccess): Promise<Neighbour[]>;
  readRouting?(device: DeviceAccess): Promise<RoutingFacts>;
  /** Reads, writes the differences and reads back; never creates a VLAN on the device. */
  writeVlan?(device: DeviceAccess, desiredStates: readonly DesiredVlan[]): Promise<VlanOutcome[]>;
  /** Reads, then writes; returns the interfaces that were in the other state. */
  setAdminStatus?(device: DeviceAccess, ifIndexes: readonly number[], isUp: boolean): Promise<number[]>;
  /** Disables the port and enables it again, so that hosts request a new address. */
  bounce?(device: DeviceAccess, ifIndexes: readonly number[], downMs: number): Promise<void>;
  /** Disconnects one host, which will log in again. Returns false if it was not connected. */
  disconnectHost?(device: DeviceAccess, mac: string): Promise<boolean>;
}
