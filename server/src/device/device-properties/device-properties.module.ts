import { resource } from '../../context.ts';
import { deviceProperties } from './device-properties.ts';

export const devicePropertiesModule = resource('Network device', deviceProperties);
