import type { CallingSession } from '../kernel/declare/caller.ts';
import { type Call, extraOperation, type Operation } from '../kernel/declare/operation.ts';
import { invalid } from '../kernel/failure.ts';

/** The group of the contract that these operations are of. */
const group = 'User session and attributes';

/** An operation on what the console keeps about who is signed in; everybody may do everything to their own. */
export const sessionOperation = (operation: Omit<Parameters<typeof extraOperation>[0], 'group'>): Operation =>
  extraOperation({ group, ...operation, path: `/api/v2/user${operation.path}` });

/** Bytes of a value that is kept for a user or a session. */
export const keptBytesMax = 65_536;

/** The session of a call; an API token has none. */
export function sessionOf({ caller }: Call): CallingSession {
  if (!caller.session)
    throw invalid('This call has no session: it was sent with an API token. Sign in at /auth/login.');
  return caller.session;
}
