import type { CallingSession } from '../kernel/declare/caller.ts';
import { extraOperations } from '../kernel/declare/extra-operation.ts';
import type { Answer, Call } from '../kernel/declare/operation.ts';
import { invalid } from '../kernel/failure.ts';

/** An operation on what the console keeps about who is signed in; everybody may do everything to their own. */
export const sessionOperation = extraOperations('User session and attributes', '/api/v2/user');

/** Bytes of a value that is kept for a user or a session. */
export const keptBytesMax = 65_536;

/** The session of a call; an API token has none. */
export function sessionOf({ caller }: Call): CallingSession {
  if (!caller.session)
    throw invalid('This call has no session: it was sent with an API token. Sign in at /auth/login.');
  return caller.session;
}

/** A write answers no results; a dry run answers the records as they would be. */
export const simulated = ({ dryRun }: Pick<Call, 'dryRun'>, results: readonly unknown[]): Answer =>
  dryRun ? { results } : {};
