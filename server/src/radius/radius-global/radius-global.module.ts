import { resource } from '../../context.ts';
import { radiusGlobalRules } from './radius-global.rules.ts';
import { radiusGlobal } from './radius-global.ts';

export const radiusGlobalModule = resource('Server configuration', radiusGlobal, { rules: radiusGlobalRules });
