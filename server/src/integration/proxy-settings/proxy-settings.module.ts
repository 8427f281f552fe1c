import { resource } from '../../context.ts';
import { proxySettingsRules } from './proxy-settings.rules.ts';
import { proxySettings } from './proxy-settings.ts';

export const proxySettingsModule = resource('Proxy', proxySettings, { rules: proxySettingsRules });
