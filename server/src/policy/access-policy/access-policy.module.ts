import { resource } from '../../context.ts';
import { compareConnectionsJob, forgetComparisons } from '../what-if/what-if.service.ts';
import { accessPolicyActions } from './access-policy.actions.ts';
import { accessPolicyRules } from './access-policy.rules.ts';
import { accessPolicy } from './access-policy.ts';

export const accessPolicyModule = resource('Access policy', accessPolicy, {
  actions: accessPolicyActions,
  rules: accessPolicyRules,
  jobs: ({ calls }) => [compareConnectionsJob(calls), forgetComparisons],
});
