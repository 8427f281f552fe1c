/** Kinds of uplinks, by their code in `connectionState`. */
export const uplink = { learned: 8, threshold: 9, byHand: 10, accessPoint: 11 } as const;
export type Uplink = (typeof uplink)[keyof typeof uplink];

/** The data of a port that decides whether it is an uplink. */
export interface PortFacts {
  uplink: Uplink | null;
  /** An administrator has disabled automatic uplink detection for the port. */
  uplinkDisabled: boolean;
  isUp: boolean;
  /** Number of MAC addresses learned on the port. */
  learned: number;
  /** A modelled device is behind the port, by its MAC address or as LLDP or CDP neighbour. */
  hasDevice: boolean;
  hasAccessPoint: boolean;
}

/**
 * Decides whether a port is an uplink after a forwarding table was read. A learned uplink stays until the link goes
 * down, because a device behind it may be silent during one poll and all its hosts would appear on the port. An access
 * point uplink ends as soon as the access point is gone.
 */
export function uplinkAfter(port: PortFacts, uplinkCount: number): Uplink | null {
  if (port.uplink === uplink.byHand) return uplink.byHand;
  if (port.uplinkDisabled || !port.isUp) return null;
  if (port.hasAccessPoint) return uplink.accessPoint;
  if (port.hasDevice) return uplink.learned;
  if (port.uplink === uplink.learned || port.uplink === uplink.threshold) return port.uplink;
  return port.learned > uplinkCount ? uplink.threshold : null;
}
