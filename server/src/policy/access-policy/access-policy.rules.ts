import { rules } from '../../context.ts';
import { checkPolicy } from '../criteria/criteria.service.ts';
import { accessPolicy } from './access-policy.ts';

export const accessPolicyRules = rules(accessPolicy, {
  beforeSave: (step, context) => checkPolicy(context, accessPolicy, step),
});
