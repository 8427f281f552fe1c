import { eventType } from '../../kernel/declare/event-type.ts';
import { proxySettings } from './proxy-settings.ts';

export const proxyUnreachable = eventType({
  name: 'PROXY_UNREACHABLE',
  description: 'A web proxy of the settings cannot be reached; emitted once per proxy and 10 minutes.',
  category: 'INTEGRATION',
  elementType: proxySettings.events.elementType,
  format: 'The web proxy {element} cannot be reached: {why}',
  syslogSeverity: 4,
});
