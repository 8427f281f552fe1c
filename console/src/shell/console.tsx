import { MutationCache, notifyManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LiveProvider } from '../client/live.tsx';
import { isSignedOut, openSession, resumeSession, type Session, signOut } from '../client/session.ts';
import { SessionContext } from '../client/session-context.ts';
import { Failure } from '../parts/message.tsx';
import { Frame } from './frame.tsx';
import { NewPassword } from './new-password.tsx';
import { SignIn } from './sign-in.tsx';
import { followSystemTheme } from './theme.ts';

type State =
  | { at: 'looking' }
  | { at: 'signIn'; hasEnded: boolean }
  | { at: 'newPassword'; securityKey: string; currentPassword: string }
  | { at: 'inside'; session: Session; queries: QueryClient }
  | { at: 'failed'; error: unknown };

/** The console: sign-in page or application, by the session. The address is kept, so a sign-in opens the requested page. */
export function Console() {
  const [state, setState] = useState<State>({ at: 'looking' });
  const leave = (hasEnded: boolean) => setState({ at: 'signIn', hasEnded });
  const enter = (session: Session) => setState({ at: 'inside', session, queries: queriesThat(() => leave(true)) });
  const loadSession = () => {
    resumeSession().then(
      (session) => (session ? enter(session) : leave(false)),
      (error: unknown) => setState({ at: 'failed', error }),
    );
  };
  const startSession = (securityKey: string) => {
    openSession(securityKey).then(enter, (error: unknown) => setState({ at: 'failed', error }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page opens
  useEffect(loadSession, []);
  useEffect(followSystemTheme, []);

  switch (state.at) {
    case 'looking':
      return null;
    case 'failed':
      return <Failure error={state.error} onRetry={loadSession} />;
    case 'signIn':
      return (
        <SignIn
          hasEnded={state.hasEnded}
          onSignedIn={({ securityKey, mustChangePassword }, currentPassword) =>
            mustChangePassword
              ? setState({ at: 'newPassword', securityKey, currentPassword })
              : startSession(securityKey)
          }
        />
      );
    case 'newPassword':
      return <NewPassword {...state} onChanged={() => startSession(state.securityKey)} />;
    case 'inside':
      return (
        <QueryClientProvider client={state.queries}>
          <SessionContext value={state.session}>
            <LiveProvider onEnded={() => leave(true)}>
              <Frame
                onSignOut={() => {
                  signOut(state.session).then(
                    () => leave(false),
                    () => leave(true),
                  );
                }}
              />
            </LiveProvider>
          </SessionContext>
        </QueryClientProvider>
      );
  }
}

// Notifies in a microtask: otherwise a checkbox would show its old state for a moment.
notifyManager.setScheduler(queueMicrotask);

/** Creates the query client of a session, so that no data is shared between sessions. Retries are left to the SDK. */
const queriesThat = (onSignedOut: () => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: (error) => isSignedOut(error) && onSignedOut() }),
    mutationCache: new MutationCache({ onError: (error) => isSignedOut(error) && onSignedOut() }),
    defaultOptions: { queries: { retry: false, staleTime: 10_000 } },
  });
