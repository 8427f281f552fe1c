/** The file that reads each configured field, and so gives it its effect: by resource and file. */
export const declaredReaders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'aaa-server': {
    'integration/aaa-server/aaa-server.actions.ts': [
      'netId',
      'authPort',
      'acctPort',
      'checkUser',
      'secret',
      'checkPassword',
    ],
    'integration/aaa-mappings/load-proxying.ts': ['flrPriority'],
  },
  'aaa-mapping': {
    'integration/aaa-mappings/load-proxying.ts': ['rank', 'domainName', 'radiusServerID'],
  },
  'aaa-local-domain': {
    'integration/aaa-mappings/load-proxying.ts': ['domainName'],
  },
  'aaa-defaults': {
    'integration/aaa-mappings/load-proxying.ts': [
      'primaryServerID',
      'secondaryServerID',
      'radiusProxyAuthEnabled',
      'radiusProxyAuthPort',
    ],
  },
  'proxy-settings': {
    'integration/proxy-settings/stored-proxy.ts': [
      'httpProxyHost',
      'httpProxyPort',
      'httpProxyUser',
      'httpProxyPassword',
      'httpNonProxyHosts',
      'httpsProxyHost',
      'httpsProxyPort',
      'httpsProxyUser',
      'httpsProxyPassword',
    ],
  },
  'certificate-target': {
    'network/tls-service-configuration/tls-service-configuration.service.ts': [
      'target',
      'keyType',
      'certificatePem',
      'crlPem',
      'privateKey',
    ],
    'network/certificate-target/certificate-target.jobs.ts': ['crlNextUpdate'],
    'network/tls-service-configuration/listeners.ts': ['sha256'],
    'network/certificate-target/certificate-target.actions.ts': [
      'issuedTo',
      'issuedBy',
      'notAfter',
      'serial',
      'subjectAltNames',
      'notBefore',
      'chain',
      'csrPem',
      'pendingKey',
      'warnings',
    ],
  },
  'tls-service-configuration': {
    'network/tls-service-configuration/tls-service-configuration.service.ts': [
      'certificateAlias',
      'trustAliases',
      'autoUpdate',
      'clientAuth',
      'checkCrl',
    ],
    'network/tls-service-configuration/listeners.ts': ['protocols', 'ciphers'],
  },
  'device-type': {
    'device/polling/device-access.ts': ['tag'],
    'host/host/host-device-type.ts': ['imageFile'],
    'network/device-type/uploads.ts': ['smallIcon', 'largeIcon'],
    'network/device-type/device-type.actions.ts': ['category'],
  },
  'mac-exclusion': {
    'device/polling/store-connections.ts': ['start', 'end', 'mask', 'enabled'],
  },
  'network-address': {
    'device/discovery/discovery-request.ts': ['type', 'network', 'start', 'end', 'address'],
  },
  'network-address-group': {
    'device/discovery/discovery-request.ts': ['addressIDs'],
  },
  'ssid-config': {
    'device/ssid/configs-of-ssids.ts': ['ssidID'],
    'device/ssid/ssid.actions.ts': ['inherit'],
    'integration/aaa-mappings/load-proxying.ts': ['primaryAAAServerID', 'secondaryAAAServerID'],
  },
  container: {
    'device/network-device/network-device.rules.ts': ['role', 'pollingInterval'],
    'device/discovery/discovery.actions.ts': ['type'],
    'policy/snapshot/read-topology.ts': ['parent'],
    'device/discovery/stored-run.ts': ['suffix'],
    'device/network-device/group-of-container.ts': ['group'],
  },
  'network-device': {
    'device/polling/device-access.ts': [
      'ipAddress',
      'deviceTypeOverride',
      'snmpUsername',
      'snmpAuthenticationProtocol',
      'snmpPrivacyProtocol',
      'snmpSecurityStrings',
      'snmpAuthenticationPassword',
      'snmpPrivacyPassword',
      'snmpPort',
      'cliPasswords',
      'l2PollingEnabled',
    ],
    'device/network-device/host-in-topology.ts': ['physicalAddress'],
    'policy/snapshot/read-topology.ts': ['containerID', 'managed', 'sendDefaultVlan'],
    'policy/explain/visible-names.ts': ['role'],
    'radius/access-request/access-devices.ts': ['radiusEnabled', 'radiusSecret', 'radiusServerConfigID'],
    'radius/radius-attribute-group/radius-attribute-group.service.ts': ['radiusAttrGroupID'],
    'device/network-device/network-device.actions.ts': ['contactPollingEnabled'],
    'device/polling/leases.ts': [
      'contactPollingInterval',
      'l2PollingInterval',
      'l3PollingInterval',
      'l3PollingPriority',
    ],
    'device/l3-scan/stored-scan.ts': ['l3PollingEnabled'],
  },
  'device-properties': {
    'device/traps/store-traps.ts': ['minTrapPeriod', 'maxTrapPeriods', 'coldWarmTrapDelay'],
    'device/polling/device-access.ts': ['uplinkCount', 'cliTimeout', 'snmpTimeout', 'snmpRetries'],
    'device/polling/store-learned-macs.ts': ['macSpoofDelay'],
    'device/discovery/discovery-request.ts': ['lldpDiscovery', 'cdpDiscovery', 'maxHops'],
    'device/polling/store-interfaces.ts': ['preservePortNames'],
    'host/host/saved-host.ts': ['allowedHosts'],
  },
  port: {
    'policy/snapshot/read-topology.ts': ['defaultVlan'],
    'device/polling/uplinks.ts': ['uplinkDisabled'],
  },
  'discovery-run': {
    'device/discovery/stored-run.ts': ['containerID', 'credentials'],
  },
  adapter: {
    'policy/snapshot/read-facts.ts': ['physicalAddress', 'hostID', 'mediaType', 'enabled'],
  },
  host: {
    'policy/snapshot/read-facts.ts': [
      'hostName',
      'type',
      'enabled',
      'role',
      'ownerID',
      'deviceType',
      'operatingSystem',
      'hardwareType',
      'serialNumber',
      'expirationDate',
      'attributes',
    ],
    'host/host/age-out.ts': ['inactiveDays'],
    'device/network-device/host-in-topology.ts': ['containerID'],
  },
  'device-profiling-rule': {
    'policy/snapshot/read-facts.ts': ['weeklySchedule'],
  },
  'access-configuration': {
    'policy/snapshot/read-policies.ts': ['type', 'logicalNetworkID', 'directConfiguration', 'sessionTimeoutMinutes'],
  },
  'access-policy': {
    'policy/snapshot/read-policies.ts': ['rank', 'enabled', 'criteria', 'accessConfigurationID'],
  },
  'authentication-configuration': {
    'policy/snapshot/read-policies.ts': ['enableAuthentication', 'timeInProductionBeforeAuthentication'],
  },
  'authentication-policy': {
    'policy/snapshot/read-policies.ts': ['rank', 'enabled', 'criteria', 'authenticationConfigurationID'],
  },
  'logical-network': {
    'policy/snapshot/read-policies.ts': ['accessState', 'defaultValue'],
  },
  'logical-network-configuration': {
    'policy/snapshot/read-policies.ts': [
      'logicalNetworkID',
      'elementType',
      'elementID',
      'accessEnforcement',
      'accessType',
      'accessValue',
      'radiusAttrGroupID',
      'cliApply',
      'cliUndo',
    ],
  },
  role: {
    'policy/role/role.service.ts': ['groupIDs', 'rank'],
  },
  'role-mapping': {
    'policy/snapshot/read-policies.ts': [
      'rank',
      'roleID',
      'where',
      'appliesTo',
      'accessConfigurationID',
      'directConfiguration',
    ],
  },
  'event-type': {
    'logging/event/event.actions.ts': ['displayName', 'postable'],
    'logging/event/event.service.ts': ['category', 'elementType', 'format', 'loggingStrategy', 'groupID'],
    'logging/event/event.rules.ts': ['mandatory'],
  },
  'admin-profile': {
    'auth/gate.ts': ['permissions', 'inactivityTime', 'schedule', 'manageByGroups'],
    'console/current-session.ts': ['landingPage'],
    'auth/login-attempts.ts': ['lockoutThreshold', 'lockoutDuration'],
  },
  'admin-profile-mapping': {
    'user/admin-profile-mapping/admin-profile-mapping.service.ts': ['adminProfileDBID', 'groupDBID', 'rank'],
  },
  'radius-attribute-group': {
    'policy/explain/radius-reply.ts': ['attributes'],
  },
  'radius-dictionary-entry': {
    'radius/radius-dictionary-entry/dictionary-lines.ts': [
      'attribute',
      'value',
      'type',
      'format',
      'vendor',
      'vendorID',
      'hasTag',
      'encryptMethod',
      'definedValues',
    ],
  },
  'server-configuration': {
    'radius/access-request/access-devices.ts': ['isDefault', 'requireMessageAuthenticator', 'enabled'],
    'radius/server-configuration/server-configuration.service.ts': [
      'tlsConfigID',
      'enabledEapTypes',
      'defaultEapType',
      'tlsEapTlsFragmentSize',
      'tlsCommonFragmentSize',
      'ocspEnabled',
      'ocspUrl',
      'ocspSoftFail',
      'crlEnabled',
      'mabEnabled',
      'papEnabled',
      'chapEnabled',
    ],
  },
  'radius-global': {
    'radius/accounting/accounting-listener.ts': ['acctPort'],
    'radius/access-request/after-reply.ts': ['sendFailureEvents'],
    'radius/radius-health/record-health.ts': ['snapshotInterval'],
    'radius/server-configuration/server-configuration.service.ts': [
      'serviceEnabled',
      'authPort',
      'healthMonitoring',
      'nasNetworks',
      'nasCacheSeconds',
      'decisionTimeoutMs',
      'statusSecret',
    ],
  },
  'background-task': {
    'system/background-task/background-task.actions.ts': ['message', 'assignee', 'previousTask'],
    'system/background-task/background-task.service.ts': ['attributes'],
  },
  group: {
    'auth/row-limits.ts': ['type'],
    'host/host/age-out.ts': ['daysValid', 'daysInactive'],
  },
};

/** Fields that no operation lets a client set: the service writes them itself. */
export const setByService: Readonly<Record<string, readonly string[]>> = {
  'event-type': ['clearEventTypeID', 'droppable', 'syslogSeverity'],
};

/** Fields whose column names are composed at run time, so that their reader does not contain the name. */
export const readInPieces: readonly string[] = [
  'network-device.l2PollingInterval',
  'network-device.l3PollingInterval',
  ...['http', 'https'].flatMap((scheme) =>
    ['Host', 'Port', 'User', 'Password'].map((part) => `proxy-settings.${scheme}Proxy${part}`),
  ),
];
