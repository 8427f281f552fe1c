import { resource } from '../../context.ts';
import { authenticationPolicyRules } from './authentication-policy.rules.ts';
import { authenticationPolicy } from './authentication-policy.ts';

export const authenticationPolicyModule = resource('Authentication policy', authenticationPolicy, {
  rules: authenticationPolicyRules,
});
