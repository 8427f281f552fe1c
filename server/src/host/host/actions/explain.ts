import { action } from '../../../context.ts';
import { explainHost } from '../../../policy/explain/explain.service.ts';
import { explainQuery, policyDecision } from '../../../policy/explain/explain.ts';
import { host } from '../host.ts';

export const explainPolicy = action(host, {
  name: 'policy',
  method: 'GET',
  path: '/{id}/policy',
  doc: 'Explain the access of a host, current or hypothetical',
  // A decision may wait until the snapshot is loaded, which needs another database connection.
  transaction: false,
  query: explainQuery,
  result: policyDecision,
  errors: ['not-found', 'rejected'],
  run: ({ id, query, caller: { rights }, nowMs }, context) => explainHost(context, id, query, { rights, nowMs }),
});
