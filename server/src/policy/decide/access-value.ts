import type { DecidedValue, NamedElement } from './decision.ts';
import type { ConnectionFacts } from './facts.ts';
import type { AccessValue, LogicalNetwork, LogicalNetworkConfiguration } from './policy-set.ts';

/** The value of a logical network at a place. */
export interface Resolution {
  enforcement: LogicalNetworkConfiguration['accessEnforcement'];
  value: DecidedValue;
  firewallTagIDs: readonly number[];
}

type ElementType = LogicalNetworkConfiguration['elementType'];

export const decidedValue = (
  { accessType, accessValue, radiusAttrGroupID, cliApply, cliUndo }: AccessValue,
  source: DecidedValue['source'],
  element: NamedElement | null = null,
): DecidedValue => ({ accessType, accessValue, radiusAttrGroupID, cliApply, cliUndo, source, element });

/** Configured values of logical networks, by element. */
export class AccessValues {
  readonly #rows: Readonly<Record<ElementType, Map<string, LogicalNetworkConfiguration>>> = {
    PORT: new Map(),
    SSID: new Map(),
    DEVICE: new Map(),
    CONTAINER: new Map(),
  };

  constructor(rows: readonly LogicalNetworkConfiguration[]) {
    for (const row of rows) this.#rows[row.elementType].set(`${row.logicalNetworkID} ${row.elementID}`, row);
  }

  /** Returns the first value found on: port, SSID, device, containers upwards, default of the network; null if there is none. */
  resolve(network: LogicalNetwork, { port, device, containers }: ConnectionFacts): Resolution | null {
    const { id } = network;
    if (port) {
      const ofPort = this.#at(id, 'PORT', port, 'port');
      if (ofPort) return ofPort;
      const ofSsid = port.ssid === null ? null : this.#at(id, 'SSID', { id: port.id, name: port.ssid }, 'port');
      if (ofSsid) return ofSsid;
    }
    const ofDevice = this.#at(id, 'DEVICE', device, 'device');
    if (ofDevice) return ofDevice;
    for (const container of containers) {
      const ofContainer = this.#at(id, 'CONTAINER', container, 'container');
      if (ofContainer) return ofContainer;
    }
    if (!network.defaultValue) return null;
    return { enforcement: 'ENFORCE', value: decidedValue(network.defaultValue, 'DEFAULT'), firewallTagIDs: [] };
  }

  #at(
    networkID: number,
    source: ElementType,
    { id, name }: { id: number; name: string },
    kind: NamedElement['kind'],
  ): Resolution | null {
    const row = this.#rows[source].get(`${networkID} ${id}`);
    if (!row) return null;
    return {
      enforcement: row.accessEnforcement,
      value: decidedValue(row, source, { kind, id, name }),
      firewallTagIDs: row.firewallTagIDs,
    };
  }
}
