import type { RoutingFacts } from '../../drivers/driver.ts';

/** Evidence that a device routes. */
export interface Evidence {
  ipForwarding: boolean;
  sysServicesL3: boolean;
  subnets: number;
  arpEntries: number;
  routes: number;
}

/** Score from which reading the ARP table of a device is recommended. */
export const recommendedFrom = 60;

export const evidenceOf = ({ isForwarding, hasLayer3, subnets, arpEntries, routes }: RoutingFacts): Evidence => ({
  ipForwarding: isForwarding,
  sysServicesL3: hasLayer3,
  subnets: subnets.length,
  arpEntries,
  routes,
});

/** Returns how likely a device routes, from 0 to 100. */
export function scoreOf({ ipForwarding, sysServicesL3, subnets, arpEntries, routes }: Evidence): number {
  return (
    (ipForwarding ? 40 : 0) +
    (sysServicesL3 ? 15 : 0) +
    (subnets >= 2 ? 20 : 0) +
    (arpEntries >= 5 ? 15 : 0) +
    (routes > 3 ? 10 : 0)
  );
}
