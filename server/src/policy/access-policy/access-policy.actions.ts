import { action } from '../../context.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { placeChoices, whoChoices } from '../criteria/criteria.service.ts';
import { hitsShape, placeChoiceShapes, whoChoiceShapes } from '../criteria/criteria.ts';
import { hidesConnections } from '../what-if/what-if.service.ts';
import { accessPolicy } from './access-policy.ts';

const supportingInfo = action(accessPolicy, {
  name: 'supporting-info',
  method: 'GET',
  path: '/supporting-info',
  doc: 'Return the choices for a policy form and the policy hits',
  // Counting reads every connection, in database connections of its own.
  transaction: false,
  result: {
    kind: 'object',
    name: 'AccessPolicySupportingInfo',
    properties: { ...whoChoiceShapes, ...placeChoiceShapes, hits: hitsShape },
  } as const satisfies ObjectShape,
  async run({ nowMs }, context) {
    const { access } = await context.policies.hits(nowMs);
    const policies = await context.db.selectFrom('access_policy').select('id').orderBy('rank').execute();
    // A number that includes hidden connections would disclose their attributes, because the caller chooses the criteria.
    const isCounted = !hidesConnections(context);
    const hits = policies.map(({ id }) => ({
      policyID: id,
      connected: isCounted ? (access.get(id) ?? 0) : null,
      last24h: 0,
      lastMatch: null,
    }));
    return [{ ...(await whoChoices(context)), ...(await placeChoices(context)), hits }];
  },
});

export const accessPolicyActions = [supportingInfo];
