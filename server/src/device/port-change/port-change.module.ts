import { resource } from '../../context.ts';
import { portChange } from './port-change.ts';

export const portChangeModule = resource('Port changes', portChange);
