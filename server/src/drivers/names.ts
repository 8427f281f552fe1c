/** The drivers of network devices; tags as the domain spells them. */
export const driverNames = ['qbridge', 'cisco-ios', 'hostapd', 'radius-only', 'linux-firewall', 'ping'] as const;
export type DriverName = (typeof driverNames)[number];
