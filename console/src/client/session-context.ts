import { createContext, use } from 'react';
import type { Session } from './session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns the session of the signed-in user. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession requires a SessionContext.');
  return session;
}
