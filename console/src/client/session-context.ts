import { createContext, use } from 'react';
import type { Session } from './session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of everything inside the frame. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('This needs a session around it.');
  return session;
}
