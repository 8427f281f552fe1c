import { resource } from '../../context.ts';
import { roleMappingActions } from './role-mapping.actions.ts';
import { roleMappingRules } from './role-mapping.rules.ts';
import { roleMapping } from './role-mapping.ts';

export const roleMappingModule = resource('Role mapping', roleMapping, {
  actions: roleMappingActions,
  rules: roleMappingRules,
});
