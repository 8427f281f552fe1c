import { resource } from '../../context.ts';
import { proxyUnreachable } from './proxy-settings.events.ts';
import { proxySettingsRules } from './proxy-settings.rules.ts';
import { proxySettings } from './proxy-settings.ts';

export const proxySettingsModule = resource('Proxy', proxySettings, {
  rules: proxySettingsRules,
  events: [proxyUnreachable],
});
