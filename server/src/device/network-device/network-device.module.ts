import { resource } from '../../context.ts';
import { networkDeviceActions } from './network-device.actions.ts';
import {
  deviceAuthenticationFailed,
  deviceColdStart,
  deviceHostKeyChanged,
  deviceMoved,
  deviceWarmStart,
  l2PollFailed,
  l3PollFailed,
  trapFromUnknownDevice,
} from './network-device.events.ts';
import { resyncInterfaces } from './network-device.jobs.ts';
import { networkDeviceRules } from './network-device.rules.ts';
import { networkDevice } from './network-device.ts';

export const networkDeviceModule = resource('Network device', networkDevice, {
  actions: networkDeviceActions,
  rules: networkDeviceRules,
  events: [
    deviceMoved,
    deviceAuthenticationFailed,
    deviceHostKeyChanged,
    l2PollFailed,
    l3PollFailed,
    deviceColdStart,
    deviceWarmStart,
    trapFromUnknownDevice,
  ],
  jobs: ({ poller }) => [resyncInterfaces(poller)],
});
