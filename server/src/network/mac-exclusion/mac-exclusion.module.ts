import { resource } from '../../context.ts';
import { macExclusionRules } from './mac-exclusion.rules.ts';
import { macExclusion } from './mac-exclusion.ts';

export const macExclusionModule = resource('MAC exclusion', macExclusion, { rules: macExclusionRules });
