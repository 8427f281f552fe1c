/** Kinds of uplinks, by their code in `connectionState`. */
export const uplink = { learned: 8, threshold: 9, byHand: 10, accessPoint: 11 } as const;
export type Uplink = (typeof uplink)[keyof typeof uplink];

/** A port, as far as it decides whether it is an uplink. */
export interface PortFacts {
  uplink: Uplink | null;
  /** An administrator said that it never is one by itself. */
  uplinkDisabled: boolean;
  isUp: boolean;
  /** Number of MAC addresses learned there. */
  learned: number;
  /** A modelled device is behind it, by its address or by what it says of itself. */
  hasDevice: boolean;
  hasAccessPoint: boolean;
}

/**
 * Whether a port is an uplink after a reading of the forwarding table. What was learnt stays until the link goes down: a quiet
 * device behind it must not make every address of a floor appear there for one reading. Only an access point that is gone is.
 */
export function uplinkAfter(port: PortFacts, uplinkCount: number): Uplink | null {
  if (port.uplink === uplink.byHand) return uplink.byHand;
  if (port.uplinkDisabled || !port.isUp) return null;
  if (port.hasAccessPoint) return uplink.accessPoint;
  if (port.hasDevice) return uplink.learned;
  if (port.uplink === uplink.learned || port.uplink === uplink.threshold) return port.uplink;
  return port.learned > uplinkCount ? uplink.threshold : null;
}
