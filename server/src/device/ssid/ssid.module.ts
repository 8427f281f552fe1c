import { resource } from '../../context.ts';
import { ssidConfigActions } from './ssid.actions.ts';
import { ssidDiscovered, ssidRemoved } from './ssid.events.ts';
import { ssidConfigRules } from './ssid.rules.ts';
import { ssid, ssidConfig } from './ssid.ts';

export const ssidModule = resource('SSID', ssid, { events: [ssidDiscovered, ssidRemoved] });

export const ssidConfigModule = resource('SSID', ssidConfig, { actions: ssidConfigActions, rules: ssidConfigRules });
