import { resource } from '../../context.ts';
import { adminProfileActions } from './admin-profile.actions.ts';
import { adminProfileRules } from './admin-profile.rules.ts';
import { adminProfile } from './admin-profile.ts';

export const adminProfileModule = resource('Admin profile', adminProfile, {
  actions: adminProfileActions,
  rules: adminProfileRules,
});
