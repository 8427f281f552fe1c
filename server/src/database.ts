import type { directoryAgentConfig } from './agent/directory-agent-config/directory-agent-config.ts';
import type { container } from './device/container/container.ts';
import type { discoveryRun } from './device/discovery/discovery.ts';
import type { l3Scan } from './device/l3-scan/l3-scan.ts';
import type { deviceProperties } from './device/network-device/device-properties.ts';
import type { networkDevice } from './device/network-device/network-device.ts';
import type { port } from './device/port/port.ts';
import type { portChange } from './device/port-change/port-change.ts';
import type { ssid, ssidConfig } from './device/ssid/ssid.ts';
import type { adapter } from './host/adapter/adapter.ts';
import type { deviceProfilingRule } from './host/device-profiling-rule/device-profiling-rule.ts';
import type { host } from './host/host/host.ts';
import type { aaaServer } from './integration/aaa-server/aaa-server.ts';
import type { mdmServer } from './integration/mdm-server/mdm-server.ts';
import type { proxySettings } from './integration/proxy-settings/proxy-settings.ts';
import type { RowOf } from './kernel/declare.ts';
import type { KeptEvent } from './kernel/embedded-event.ts';
import type { event } from './logging/event/event.ts';
import type { eventThreshold } from './logging/event-threshold/event-threshold.ts';
import type { eventTypes } from './logging/event-types/event-types.ts';
import type { deviceType } from './network/device-type/device-type.ts';
import type { macExclusion } from './network/mac-exclusion/mac-exclusion.ts';
import type { networkAddress } from './network/network-address/network-address.ts';
import type { networkAddressGroup } from './network/network-address-group/network-address-group.ts';
import type { role } from './policy/role/role.ts';
import type { backgroundTask } from './system/background-task/background-task.ts';
import type { group } from './system/group/group.ts';
import type { adminProfile } from './user/admin-profile/admin-profile.ts';
import type { adminProfileMapping } from './user/admin-profile-mapping/admin-profile-mapping.ts';
import type { userAccount } from './user/user-account/user-account.ts';

/** The tables as actions read them, one line each. */
export interface Database {
  aaa_server: RowOf<typeof aaaServer>;
  mdm_server: RowOf<typeof mdmServer>;
  proxy_settings: RowOf<typeof proxySettings>;
  directory_agent_config: RowOf<typeof directoryAgentConfig>;
  device_type: RowOf<typeof deviceType>;
  mac_exclusion: RowOf<typeof macExclusion>;
  network_address: RowOf<typeof networkAddress>;
  network_address_group: RowOf<typeof networkAddressGroup>;
  ssid: RowOf<typeof ssid>;
  ssid_config: RowOf<typeof ssidConfig>;
  container: RowOf<typeof container> & { parent_id: number | null };
  network_device: RowOf<typeof networkDevice>;
  device_properties: RowOf<typeof deviceProperties>;
  port: RowOf<typeof port>;
  discovery_run: RowOf<typeof discoveryRun>;
  l3_scan: RowOf<typeof l3Scan>;
  port_change: RowOf<typeof portChange>;
  adapter: RowOf<typeof adapter>;
  host: RowOf<typeof host>;
  device_profiling_rule: RowOf<typeof deviceProfilingRule>;
  role: RowOf<typeof role>;
  event: RowOf<typeof event>;
  event_type: RowOf<typeof eventTypes>;
  event_threshold: RowOf<typeof eventThreshold>;
  admin_profile: RowOf<typeof adminProfile>;
  admin_profile_mapping: RowOf<typeof adminProfileMapping>;
  user_account: RowOf<typeof userAccount>;
  background_task: RowOf<typeof backgroundTask>;
  group: RowOf<typeof group>;
  /** Rows of each log by the first day of their slice. */
  log_slice_count: { log: string; day: string; rows: number };
  /** The newest event of each name for elements whose record embeds it. */
  latest_event: { element_type: number; element_id: number; name: string; event: KeptEvent };
}
