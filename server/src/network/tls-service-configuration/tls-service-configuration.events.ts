import { eventType } from '../../kernel/declare/event-type.ts';

const ofConfiguration = { category: 'SYSTEM', elementType: 0 } as const;

export const tlsConfigDeployed = eventType({
  ...ofConfiguration,
  name: 'TLS_CONFIG_DEPLOYED',
  description: 'Listeners speak TLS by a changed configuration.',
  format: 'TLS service configuration {element}, version {version}, is in use on {nodes} nodes.',
});

export const tlsConfigDeployFailed = eventType({
  ...ofConfiguration,
  name: 'TLS_CONFIG_DEPLOY_FAILED',
  description: 'Listeners could not use a changed TLS configuration and speak by the one before.',
  format: 'TLS service configuration {element}, version {version}, could not be used: {why}',
  syslogSeverity: 3,
});
