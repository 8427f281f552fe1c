import type { CallingSession } from '../kernel/declare/caller.ts';
import type { Call, Operation } from '../kernel/declare/operation.ts';
import { commonErrors } from '../kernel/declare/operation.ts';
import { invalid } from '../kernel/failure.ts';

/** The group of the contract that these operations are of. */
const group = 'User session and attributes';

/** An operation on what the console keeps about who is signed in; everybody may do everything to their own. */
export const sessionOperation = (
  operation: Pick<Operation, 'operationId' | 'method' | 'summary' | 'run'> & Partial<Operation> & { path: string },
): Operation => ({
  group,
  access: { kind: 'signed-in' },
  query: {},
  writes: operation.method !== 'GET',
  success: 200,
  ...operation,
  path: `/api/v2/user${operation.path}`,
  errors: [...commonErrors, ...(operation.errors ?? [])],
});

/** The session of a call; an API token has none. */
export function sessionOf({ caller }: Call): CallingSession {
  if (!caller.session)
    throw invalid('This call has no session: it was sent with an API token. Sign in at /auth/login.');
  return caller.session;
}
