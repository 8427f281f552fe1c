import { eventType } from '../../kernel/declare/event-type.ts';
import { ssid } from './ssid.ts';

const ofSsid = { category: 'PORT', elementType: ssid.events.elementType } as const;

export const ssidDiscovered = eventType({
  ...ofSsid,
  name: 'SSID_DISCOVERED',
  description: 'A wireless network appeared on a device.',
  format: 'SSID {element} was found.',
});

export const ssidRemoved = eventType({
  ...ofSsid,
  name: 'SSID_REMOVED',
  description: 'A wireless network was removed from a device.',
  format: 'SSID {element} is gone.',
});
