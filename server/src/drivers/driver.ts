import type { SnmpCredential } from '../protocols/snmp/snmp.ts';
import type { SshAccess } from '../protocols/ssh/ssh.ts';
import type { DriverName } from './names.ts';

/** A device as a driver needs to know it. */
export interface DeviceAccess {
  /** Identifies the device: writes to one device are serialised. */
  key: string;
  host: string;
  snmp?: SnmpAccess | undefined;
  ssh?: SshAccess | undefined;
  signal?: AbortSignal | undefined;
  /** Throws when somebody else may change the device: what was begun stops too, or it would undo the other's changes. */
  beforeSend?: (() => void) | undefined;
}

/** What was begun is not given up because somebody waits no longer: a port half moved is worse than a client that waits. */
export const untilTheEnd = (device: DeviceAccess): DeviceAccess => ({ ...device, signal: undefined });

export interface SnmpAccess {
  port: number;
  credential: SnmpCredential;
  /** Where writing needs another community. */
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
  /** Of version 3, in hex: traps are known by it. */
  engineId: string | null;
  mibs: string[];
}

export interface DeviceInterface {
  /** What a device and its port are known by: ifIndex as text, or `ssid:` and the name. */
  portId: string;
  /** Null for what is no interface of SNMP. */
  ifIndex: number | null;
  /** Number in the bridge's own tables; null for what is no bridge port. */
  bridgePort: number | null;
  /** ifName, or ifDescr where there is none. */
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
  /** VLAN of what arrives without a tag; null where there is none. */
  vlan: number | null;
  /** The aggregate it is a member of. */
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
  /** `learned`: a dynamic entry of a host; addresses of the device itself and static entries are `other`. */
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
  /** Null when the device does not say on which interface. */
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
  /** sysServices has the bit of layer 3. */
  hasLayer3: boolean;
  /** Networks of its own addresses, as address/prefix. */
  subnets: string[];
  /** Neighbours beyond those of the interface it is managed by. */
  arpEntries: number;
  routes: number;
}

export interface DesiredVlan {
  ifIndex: number;
  vlan: number;
}

/** Result of one port; a failure contains the error of the device and does not stop the others. */
export interface VlanOutcome extends DesiredVlan {
  /** As it was before. */
  from: number | null;
  /** As read back. */
  current: number | null;
  /** False also where nothing had to be written. */
  isWritten: boolean;
  error: string | null;
}

/** What can be done with a kind of device. A method that is absent is an ability it does not have. */
export interface Driver {
  readonly name: DriverName;
  /** Checks that it responds. Returns its uptime in hundredths of a second, if reported. */
  alive(device: DeviceAccess): Promise<{ uptimeTicks: number | null }>;
  identify?(device: DeviceAccess): Promise<DeviceIdentity>;
  readInterfaces?(device: DeviceAccess): Promise<DeviceInterface[]>;
  readVlans?(device: DeviceAccess): Promise<DeviceVlan[]>;
  readMacTable?(device: DeviceAccess): Promise<MacEntry[]>;
  readArpTable?(device: DeviceAccess): Promise<ArpEntry[]>;
  readNeighbours?(device: DeviceAccess): Promise<Neighbour[]>;
  readRouting?(device: DeviceAccess): Promise<RoutingFacts>;
  /** Reads before it writes, and reads back; a VLAN that the device does not have is never made. */
  writeVlan?(device: DeviceAccess, desiredStates: readonly DesiredVlan[]): Promise<VlanOutcome[]>;
  /** Reads before it writes; returns the interfaces that were in the other state. */
  setAdminStatus?(device: DeviceAccess, ifIndexes: readonly number[], isUp: boolean): Promise<number[]>;
  /** Sets the port down and up again, so that hosts request a new address. */
  bounce?(device: DeviceAccess, ifIndexes: readonly number[], downMs: number): Promise<void>;
  /** Sends one host away; it will sign in again. False when it was not there. */
  disconnectHost?(device: DeviceAccess, mac: string): Promise<boolean>;
}
