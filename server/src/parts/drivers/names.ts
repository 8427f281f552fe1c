/** What speaks to a kind of network device; tags as the domain spells them. */
export const driverNames = ['qbridge', 'cisco-ios', 'hostapd', 'radius-only', 'linux-firewall', 'ping'] as const;
export type DriverName = (typeof driverNames)[number];
