import { resource } from '../../context.ts';
import { adminProfileMappingActions } from './admin-profile-mapping.actions.ts';
import { adminPrivilegeChanged } from './admin-profile-mapping.events.ts';
import { adminRemap } from './admin-profile-mapping.jobs.ts';
import { adminProfileMappingRules } from './admin-profile-mapping.rules.ts';
import { adminProfileMapping } from './admin-profile-mapping.ts';

export const adminProfileMappingModule = resource('Admin profile', adminProfileMapping, {
  actions: adminProfileMappingActions,
  rules: adminProfileMappingRules,
  events: [adminPrivilegeChanged],
  reconcilers: [adminRemap],
});
