import type { CallingSession } from '../kernel/declare/caller.ts';
import { extraOperations } from '../kernel/declare/extra-operation.ts';
import type { Answer, Call } from '../kernel/declare/operation.ts';
import { invalid } from '../kernel/failure.ts';

/** Declares an operation on the caller's own session, attributes or bookmarks, which needs no permission. */
export const sessionOperation = extraOperations('User session and attributes', '/api/v2/user');

/** Maximum size of a value that is stored for a user or a session. */
export const keptBytesMax = 65_536;

/** Returns the session of a call. Throws for an API token, which has none. */
export function sessionOf({ caller }: Call): CallingSession {
  if (!caller.session)
    throw invalid('This call has no session: it was sent with an API token. Sign in at /auth/login.');
  return caller.session;
}

/** Returns no results for a write, and the records as they would be for a dry run. */
export const simulated = ({ dryRun }: Pick<Call, 'dryRun'>, results: readonly unknown[]): Answer =>
  dryRun ? { results } : {};
