import { eventType } from '../../kernel/declare/event-type.ts';

const device = 2;

/** Emitted for devices, and for a container once all its devices are in contact again. */
export const contactEstablished = eventType({
  name: 'CONTACT_ESTABLISHED',
  description: 'A device responds again, or all devices of a container do.',
  category: 'DEVICE',
  elementType: device,
  format: 'Contact to {element} established.',
});

/** Emitted for devices, and for a container when contact to the last of its devices is lost. */
export const contactLost = eventType({
  name: 'CONTACT_LOST',
  description: 'A device stopped responding, or all devices of a container did.',
  category: 'DEVICE',
  elementType: device,
  format: 'Contact to {element} lost.',
  clear: 'CONTACT_ESTABLISHED',
  syslogSeverity: 3,
});
