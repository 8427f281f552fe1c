import { resource } from '../../context.ts';
import { authenticationConfiguration } from './authentication-configuration.ts';

export const authenticationConfigurationModule = resource('Authentication configuration', authenticationConfiguration);
