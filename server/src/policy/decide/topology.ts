import { SharedRows } from './shared-rows.ts';

/** Ids in ascending order. Equal lists of one topology are the same object, so that values derived from a list can be cached by it. */
export type GroupList = readonly number[];

export interface ContainerNode {
  readonly id: number;
  readonly name: string;
  readonly parentID: number | null;
}

export interface DeviceNode {
  readonly id: number;
  readonly name: string;
  readonly containerID: number;
  readonly isManaged: boolean;
  readonly sendDefaultVlan: boolean;
  /** True if the device sends a RADIUS request for each connection and applies the reply; other devices are configured by SNMP or CLI. */
  readonly isRadiusClient: boolean;
  readonly deviceType: string | null;
  readonly model: string | null;
  /** Groups that it is a direct member of. */
  readonly groups: GroupList;
}

/** A port, SSID or VPN entry of a device. */
export interface PortNode {
  readonly id: number;
  readonly deviceID: number;
  readonly name: string;
  /** Broadcast name; null: the port is not an SSID. */
  readonly ssid: string | null;
  readonly isUplink: boolean;
  /** Empty: none. */
  readonly defaultVlan: string;
  /** Groups that it is a direct member of. */
  readonly groups: GroupList;
}

/** Containers from the nearest to the outermost. */
export type ContainerChain = readonly ContainerNode[];

/** A place with the data that decisions read. */
export interface Place {
  containers: ContainerChain;
  device: DeviceNode;
  /** Null: the port is unknown, or not in the topology yet. */
  port: PortNode | null;
}

/** Greater than any permitted nesting; ends a chain even if the stored rows form a cycle. */
const depthMax = 64;

/**
 * Containers, devices and ports of the cell in memory. Rows are replaced and never modified, so a place that was returned never changes.
 * A topology created from another one starts with its rows and shares them; the other one can then no longer be changed.
 */
export class Topology {
  readonly #containers: SharedRows<ContainerNode>;
  readonly #devices: SharedRows<DeviceNode>;
  readonly #ports: SharedRows<PortNode>;
  readonly #lists: Map<string, GroupList>;
  /** Shared with the previous topology until a container changes. */
  #chains: Map<number, ContainerChain>;

  constructor(before?: Topology) {
    this.#containers = new SharedRows(before ? before.#containers : undefined);
    this.#devices = new SharedRows(before ? before.#devices : undefined);
    this.#ports = new SharedRows(before ? before.#ports : undefined);
    this.#lists = before ? before.#lists : new Map();
    this.#chains = before ? before.#chains : new Map();
  }

  container(id: number): ContainerNode | null {
    return this.#containers.get(id) ?? null;
  }

  device(id: number): DeviceNode | null {
    return this.#devices.get(id) ?? null;
  }

  port(id: number): PortNode | null {
    return this.#ports.get(id) ?? null;
  }

  setContainer(row: ContainerNode): void {
    this.#containers.set(row.id, row);
    this.#chains = new Map();
  }

  setDevice(row: DeviceNode): void {
    this.#devices.set(row.id, { ...row, groups: this.#shared(row.groups) });
  }

  setPort(row: PortNode): void {
    this.#ports.set(row.id, { ...row, groups: this.#shared(row.groups) });
  }

  removeContainer(id: number): void {
    this.#containers.delete(id);
    this.#chains = new Map();
  }

  removeDevice(id: number): void {
    this.#devices.delete(id);
  }

  removePort(id: number): void {
    this.#ports.delete(id);
  }

  get size(): { containers: number; devices: number; ports: number } {
    return { containers: this.#containers.size, devices: this.#devices.size, ports: this.#ports.size };
  }

  /** Returns the place of a port; null if the port or its device is not in the topology. */
  placeOfPort(portID: number): Place | null {
    const port = this.port(portID);
    return port ? this.placeOfDevice(port.deviceID, port) : null;
  }

  placeOfDevice(deviceID: number, port: PortNode | null = null): Place | null {
    const device = this.device(deviceID);
    return device ? { containers: this.chain(device.containerID), device, port } : null;
  }

  /** Returns a container and its ancestors, nearest first: the same object until a container changes. */
  chain(containerID: number): ContainerChain {
    const cachedChain = this.#chains.get(containerID);
    if (cachedChain) return cachedChain;
    const nodes: ContainerNode[] = [];
    for (let id: number | null = containerID; id !== null && nodes.length < depthMax; ) {
      const node = this.container(id);
      if (!node) break;
      nodes.push(node);
      id = node.parentID;
    }
    this.#chains.set(containerID, nodes);
    return nodes;
  }

  #shared(groups: GroupList): GroupList {
    const sorted = [...new Set(groups)].sort((a, b) => a - b);
    const key = sorted.join();
    const sharedList = this.#lists.get(key);
    if (sharedList) return sharedList;
    this.#lists.set(key, sorted);
    return sorted;
  }
}
