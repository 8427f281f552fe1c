import { isSamePorts, type PortList, withoutPorts, withPorts } from './port-list.ts';

/** The port lists of a VLAN: the ports that send its frames, and those that send them untagged. */
export interface VlanLists {
  egress: PortList;
  untagged: PortList;
}

/** Returns the lists with these ports as untagged members; null if nothing changes. */
export function joinedBy(
  { egress, untagged }: VlanLists,
  ports: readonly number[],
  lengthMin: number,
): VlanLists | null {
  const after = { egress: withPorts(egress, ports, lengthMin), untagged: withPorts(untagged, ports, lengthMin) };
  return isSamePorts(after.egress, egress) && isSamePorts(after.untagged, untagged) ? null : after;
}

/** Returns the lists without these ports; null if none of them is a member. */
export function leftBy({ egress, untagged }: VlanLists, ports: readonly number[], lengthMin: number): VlanLists | null {
  const after = {
    egress: withPorts(withoutPorts(egress, ports), [], lengthMin),
    untagged: withPorts(withoutPorts(untagged, ports), [], lengthMin),
  };
  return isSamePorts(after.egress, egress) && isSamePorts(after.untagged, untagged) ? null : after;
}
