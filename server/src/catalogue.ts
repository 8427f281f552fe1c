import { directoryAgentConfigModule } from './agent/directory-agent-config/directory-agent-config.module.ts';
import type { Context, NodeDependencies } from './context.ts';
import { containerModule } from './device/container/container.module.ts';
import { devicePropertiesModule } from './device/device-properties/device-properties.module.ts';
import { discoveryRunModule } from './device/discovery/discovery.module.ts';
import { l3ScanModule } from './device/l3-scan/l3-scan.module.ts';
import { networkDeviceModule } from './device/network-device/network-device.module.ts';
import { portModule } from './device/port/port.module.ts';
import { portChangeModule } from './device/port-change/port-change.module.ts';
import { ssidConfigModule, ssidModule } from './device/ssid/ssid.module.ts';
import { adapterModule } from './host/adapter/adapter.module.ts';
import { deviceProfilingRuleModule } from './host/device-profiling-rule/device-profiling-rule.module.ts';
import { hostModule } from './host/host/host.module.ts';
import { aaaServerModule } from './integration/aaa-server/aaa-server.module.ts';
import { mdmServerModule } from './integration/mdm-server/mdm-server.module.ts';
import { proxySettingsModule } from './integration/proxy-settings/proxy-settings.module.ts';
import type { Resource } from './kernel/operations/resource.ts';
import { auditRecordModule } from './logging/audit-log/audit-log.module.ts';
import { eventModule } from './logging/event/event.module.ts';
import { eventThresholdModule } from './logging/event-threshold/event-threshold.module.ts';
import { eventTypesModule } from './logging/event-types/event-types.module.ts';
import { certificateTargetModule } from './network/certificate-target/certificate-target.module.ts';
import { deviceTypeModule } from './network/device-type/device-type.module.ts';
import { macExclusionModule } from './network/mac-exclusion/mac-exclusion.module.ts';
import { networkAddressModule } from './network/network-address/network-address.module.ts';
import { networkAddressGroupModule } from './network/network-address-group/network-address-group.module.ts';
import { tlsServiceConfigurationModule } from './network/tls-service-configuration/tls-service-configuration.module.ts';
import { accessConfigurationModule } from './policy/access-configuration/access-configuration.module.ts';
import { accessPolicyModule } from './policy/access-policy/access-policy.module.ts';
import { authenticationConfigurationModule } from './policy/authentication-configuration/authentication-configuration.module.ts';
import { authenticationPolicyModule } from './policy/authentication-policy/authentication-policy.module.ts';
import { logicalNetworkModule } from './policy/logical-network/logical-network.module.ts';
import { logicalNetworkConfigurationModule } from './policy/logical-network-configuration/logical-network-configuration.module.ts';
import { roleModule } from './policy/role/role.module.ts';
import { roleMappingModule } from './policy/role-mapping/role-mapping.module.ts';
import { radiusAttributeGroupModule } from './radius/radius-attribute-group/radius-attribute-group.module.ts';
import { radiusDictionaryEntryModule } from './radius/radius-dictionary-entry/radius-dictionary-entry.module.ts';
import { radiusGlobalModule } from './radius/radius-global/radius-global.module.ts';
import { radiusResponseModule } from './radius/radius-response/radius-response.module.ts';
import { serverConfigurationModule } from './radius/server-configuration/server-configuration.module.ts';
import { backgroundTaskModule } from './system/background-task/background-task.module.ts';
import { groupModule } from './system/group/group.module.ts';
import { adminProfileModule } from './user/admin-profile/admin-profile.module.ts';
import { adminProfileMappingModule } from './user/admin-profile-mapping/admin-profile-mapping.module.ts';
import { userAccountModule } from './user/user-account/user-account.module.ts';

/** All resources, in the order of the contract's catalogue. Resources without a path have no operations. */
export const catalogue: readonly Resource<Context, NodeDependencies>[] = [
  aaaServerModule,
  mdmServerModule,
  proxySettingsModule,
  directoryAgentConfigModule,
  certificateTargetModule,
  tlsServiceConfigurationModule,
  deviceTypeModule,
  macExclusionModule,
  networkAddressModule,
  networkAddressGroupModule,
  ssidModule,
  ssidConfigModule,
  containerModule,
  networkDeviceModule,
  devicePropertiesModule,
  portModule,
  portChangeModule,
  discoveryRunModule,
  l3ScanModule,
  adapterModule,
  hostModule,
  deviceProfilingRuleModule,
  accessConfigurationModule,
  accessPolicyModule,
  authenticationConfigurationModule,
  authenticationPolicyModule,
  logicalNetworkModule,
  logicalNetworkConfigurationModule,
  roleModule,
  roleMappingModule,
  auditRecordModule,
  eventModule,
  eventTypesModule,
  eventThresholdModule,
  adminProfileModule,
  adminProfileMappingModule,
  radiusAttributeGroupModule,
  radiusDictionaryEntryModule,
  serverConfigurationModule,
  radiusGlobalModule,
  radiusResponseModule,
  userAccountModule,
  backgroundTaskModule,
  groupModule,
];
