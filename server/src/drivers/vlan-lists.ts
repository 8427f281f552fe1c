import { isSamePorts, type PortList, withoutPorts, withPorts } from './port-list.ts';

/** The two lists of a VLAN: which bridge ports send its frames, and which of them without a tag. */
export interface VlanLists {
  egress: PortList;
  untagged: PortList;
}

/** The lists with these ports as untagged members; null when they are that already. */
export function joinedBy(
  { egress, untagged }: VlanLists,
  ports: readonly number[],
  lengthMin: number,
): VlanLists | null {
  const after = { egress: withPorts(egress, ports, lengthMin), untagged: withPorts(untagged, ports, lengthMin) };
  return isSamePorts(after.egress, egress) && isSamePorts(after.untagged, untagged) ? null : after;
}

/** The lists without these ports; null when none of them is in it. */
export function leftBy({ egress, untagged }: VlanLists, ports: readonly number[], lengthMin: number): VlanLists | null {
  const after = {
    egress: withPorts(withoutPorts(egress, ports), [], lengthMin),
    untagged: withPorts(withoutPorts(untagged, ports), [], lengthMin),
  };
  return isSamePorts(after.egress, egress) && isSamePorts(after.untagged, untagged) ? null : after;
}
