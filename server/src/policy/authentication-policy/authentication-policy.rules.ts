import { rules } from '../../context.ts';
import { checkPolicy } from '../criteria/criteria.service.ts';
import { authenticationPolicy } from './authentication-policy.ts';

export const authenticationPolicyRules = rules(authenticationPolicy, {
  beforeSave: (step, context) => checkPolicy(context, authenticationPolicy, step, refusedAttribute),
});

/**
 * Returns why authentication policies cannot use an attribute. The portal has no RADIUS request, and the result of an authentication
 * cannot decide whether it is required.
 */
function refusedAttribute(name: string): string | undefined {
  if (name.startsWith('radius.')) return 'cannot be used in authentication policies: the portal has no RADIUS request';
  if (name === 'host.authenticated' || name === 'user.loggedOn')
    return 'cannot be used in authentication policies: it follows from them';
  return undefined;
}
