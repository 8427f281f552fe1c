import { directoryAgentConfigRules } from './agent/directory-agent-config/directory-agent-config.rules.ts';
import { directoryAgentConfig } from './agent/directory-agent-config/directory-agent-config.ts';
import { adminPrivilegeChanged } from './auth/auth-event-types.ts';
import { userAccountRules } from './auth/epoch.rules.ts';
import type { Context } from './context.ts';
import { containerRules } from './device/container/container.rules.ts';
import { contactEstablished, contactLost, container } from './device/container/container.ts';
import {
  deviceAuthenticationFailed,
  deviceColdStart,
  deviceHostKeyChanged,
  deviceMoved,
  deviceWarmStart,
  l2PollFailed,
  l3PollFailed,
  portAdminStatusChanged,
  portLinkDown,
  portLinkUp,
  portUplinkChanged,
  portVlanSet,
  portVlanSetFailed,
  trapFromUnknownDevice,
} from './device/device-event-types.ts';
import { discoveryActions } from './device/discovery/discovery.actions.ts';
import { discoveryRules } from './device/discovery/discovery.rules.ts';
import { discoveryCompleted, discoveryRun, discoveryStarted, discoveryStopped } from './device/discovery/discovery.ts';
import { l3ScanActions } from './device/l3-scan/l3-scan.actions.ts';
import { l3Scan, l3ScanCompleted } from './device/l3-scan/l3-scan.ts';
import { deviceProperties } from './device/network-device/device-properties.ts';
import { networkDeviceActions } from './device/network-device/network-device.actions.ts';
import { networkDeviceRules } from './device/network-device/network-device.rules.ts';
import { networkDevice } from './device/network-device/network-device.ts';
import { portActions } from './device/port/port.actions.ts';
import { port } from './device/port/port.ts';
import { portChange } from './device/port-change/port-change.ts';
import { ssidConfigActions } from './device/ssid/ssid.actions.ts';
import { ssid, ssidConfig, ssidDiscovered, ssidRemoved } from './device/ssid/ssid.ts';
import { adapterActions } from './host/adapter/adapter.actions.ts';
import { adapterRules } from './host/adapter/adapter.rules.ts';
import { adapter } from './host/adapter/adapter.ts';
import { deviceProfilingRuleRules } from './host/device-profiling-rule/device-profiling-rule.rules.ts';
import { deviceProfilingRule, profilingRuleInvalid } from './host/device-profiling-rule/device-profiling-rule.ts';
import { hostActions } from './host/host/host.actions.ts';
import { hostRules } from './host/host/host.rules.ts';
import { host } from './host/host/host.ts';
import { adapterEventTypes, hostEventTypes } from './host/host-event-types.ts';
import { aaaServerActions } from './integration/aaa-server/aaa-server.actions.ts';
import { aaaServerRules } from './integration/aaa-server/aaa-server.rules.ts';
import { aaaServer } from './integration/aaa-server/aaa-server.ts';
import { mdmServerActions } from './integration/mdm-server/mdm-server.actions.ts';
import { mdmServerRules } from './integration/mdm-server/mdm-server.rules.ts';
import { mdmServer, mdmTlsUnverified } from './integration/mdm-server/mdm-server.ts';
import { proxySettingsRules } from './integration/proxy-settings/proxy-settings.rules.ts';
import { proxySettings } from './integration/proxy-settings/proxy-settings.ts';
import { group as entry, type Group } from './kernel/action.ts';
import { auditRecord } from './logging/audit-log/audit-log.ts';
import { auditSealBroken } from './logging/audit-log/seal-audit.ts';
import { eventActions } from './logging/event/event.actions.ts';
import { eventRules } from './logging/event/event.rules.ts';
import { adminNote, event } from './logging/event/event.ts';
import { eventThresholdRules } from './logging/event-threshold/event-threshold.rules.ts';
import { eventThreshold } from './logging/event-threshold/event-threshold.ts';
import { thresholdEventTypes } from './logging/event-threshold/thresholds.ts';
import { eventTypesActions } from './logging/event-types/event-types.actions.ts';
import { eventTypesRules } from './logging/event-types/event-types.rules.ts';
import { eventTypes } from './logging/event-types/event-types.ts';
import { deviceTypeActions } from './network/device-type/device-type.actions.ts';
import { deviceTypeFiles } from './network/device-type/device-type.files.ts';
import { deviceTypeRules } from './network/device-type/device-type.rules.ts';
import { deviceType } from './network/device-type/device-type.ts';
import { macExclusionRules } from './network/mac-exclusion/mac-exclusion.rules.ts';
import { macExclusion } from './network/mac-exclusion/mac-exclusion.ts';
import { networkAddressRules } from './network/network-address/network-address.rules.ts';
import { networkAddress } from './network/network-address/network-address.ts';
import { networkAddressGroupRules } from './network/network-address-group/network-address-group.rules.ts';
import { networkAddressGroup } from './network/network-address-group/network-address-group.ts';
import { hostRoleChanged, userRoleChanged } from './policy/role/assign-roles.ts';
import { roleActions } from './policy/role/role.actions.ts';
import { roleRules } from './policy/role/role.rules.ts';
import { role } from './policy/role/role.ts';
import { backgroundTaskActions } from './system/background-task/background-task.actions.ts';
import { backgroundTaskRules } from './system/background-task/background-task.rules.ts';
import {
  backgroundTask,
  backgroundTaskCompleted,
  backgroundTaskFailed,
} from './system/background-task/background-task.ts';
import { groupActions } from './system/group/group.actions.ts';
import { groupRules } from './system/group/group.rules.ts';
import { group } from './system/group/group.ts';
import { groupMembershipChanged } from './system/group/tell-changes.ts';
import { adminProfileActions } from './user/admin-profile/admin-profile.actions.ts';
import { adminProfileRules } from './user/admin-profile/admin-profile.rules.ts';
import { adminProfile } from './user/admin-profile/admin-profile.ts';
import { adminProfileMappingActions } from './user/admin-profile-mapping/admin-profile-mapping.actions.ts';
import { adminProfileMappingRules } from './user/admin-profile-mapping/admin-profile-mapping.rules.ts';
import { adminProfileMapping } from './user/admin-profile-mapping/admin-profile-mapping.ts';
import { userAccount } from './user/user-account/user-account.ts';

/** What the contract lists as a second part of the same group. */
const hostOperationsMore = [
  'list',
  'create',
  'health-history',
  'multifilter',
  'multifilter-users',
  'search',
  'disable-by-ip',
  'disable-by-mac',
  'enable-by-ip',
  'enable-by-mac',
  'register-as-device',
  'set-logged-on-user',
  'create-with-adapters',
];

/** Every group, in the order of the contract's catalogue; those without a path are not served yet. */
export const catalogue: readonly Group<Context>[] = [
  entry('AAA server', aaaServer, { actions: aaaServerActions, rules: aaaServerRules }),
  entry('MDM', mdmServer, { actions: mdmServerActions, rules: mdmServerRules, eventTypes: [mdmTlsUnverified] }),
  entry('Proxy', proxySettings, { rules: proxySettingsRules }),
  entry('Directory agent config', directoryAgentConfig, { rules: directoryAgentConfigRules }),
  entry('Device type', deviceType, { actions: deviceTypeActions, rules: deviceTypeRules, files: deviceTypeFiles }),
  entry('MAC exclusion', macExclusion, { rules: macExclusionRules }),
  entry('Network address', networkAddress, { rules: networkAddressRules }),
  entry('Network address group', networkAddressGroup, { rules: networkAddressGroupRules }),
  entry('SSID', ssid, { eventTypes: [ssidDiscovered, ssidRemoved] }),
  entry('SSID', ssidConfig, { actions: ssidConfigActions }),
  entry('Container', container, { rules: containerRules, eventTypes: [contactEstablished, contactLost] }),
  entry('Network device', networkDevice, {
    actions: networkDeviceActions,
    rules: networkDeviceRules,
    eventTypes: [
      deviceMoved,
      deviceAuthenticationFailed,
      deviceHostKeyChanged,
      l2PollFailed,
      l3PollFailed,
      deviceColdStart,
      deviceWarmStart,
      trapFromUnknownDevice,
    ],
  }),
  entry('Network device', deviceProperties),
  entry('Port', port, {
    actions: portActions,
    eventTypes: [portUplinkChanged, portAdminStatusChanged, portVlanSet, portVlanSetFailed, portLinkUp, portLinkDown],
  }),
  entry('Port changes', portChange),
  entry('Discovery', discoveryRun, {
    actions: discoveryActions,
    rules: discoveryRules,
    eventTypes: [discoveryStarted, discoveryCompleted, discoveryStopped],
  }),
  entry('L3 scan', l3Scan, { actions: l3ScanActions, eventTypes: [l3ScanCompleted] }),
  entry('Adapter', adapter, { actions: adapterActions, rules: adapterRules, eventTypes: adapterEventTypes }),
  entry('Host record', host, {
    actions: hostActions,
    rules: hostRules,
    eventTypes: hostEventTypes,
    also: { group: 'Host record, more', operations: hostOperationsMore },
  }),
  entry('Device profiling rule', deviceProfilingRule, {
    rules: deviceProfilingRuleRules,
    eventTypes: [profilingRuleInvalid],
  }),
  entry('Role', role, { actions: roleActions, rules: roleRules, eventTypes: [userRoleChanged, hostRoleChanged] }),
  entry('Audit log', auditRecord, { eventTypes: [auditSealBroken] }),
  entry('Event', event, { actions: eventActions, rules: eventRules, eventTypes: [adminNote] }),
  entry('Event types', eventTypes, { actions: eventTypesActions, rules: eventTypesRules }),
  entry('Event types', eventThreshold, { rules: eventThresholdRules, eventTypes: thresholdEventTypes }),
  entry('Admin profile', adminProfile, { actions: adminProfileActions, rules: adminProfileRules }),
  entry('Admin profile', adminProfileMapping, {
    actions: adminProfileMappingActions,
    rules: adminProfileMappingRules,
    eventTypes: [adminPrivilegeChanged],
  }),
  entry('User account', userAccount, { rules: userAccountRules }),
  entry('Background task', backgroundTask, {
    actions: backgroundTaskActions,
    rules: backgroundTaskRules,
    eventTypes: [backgroundTaskCompleted, backgroundTaskFailed],
  }),
  entry('Group', group, { actions: groupActions, rules: groupRules, eventTypes: [groupMembershipChanged] }),
];
