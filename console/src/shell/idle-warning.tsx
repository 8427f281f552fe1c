import { useEffect, useState } from 'react';
import { extendSession, secondsLeft } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { text } from '../texts/text.ts';

const checkMs = 15_000;
const warnSeconds = 75;
/** User activity that sends no request, such as typing in a form or scrolling. */
const signsOfLife = ['keydown', 'pointerdown', 'wheel'] as const;

/** Extends the session while the user is active, and shows a warning before it ends by inactivity. */
export function IdleWarning() {
  const session = useSession();
  const [secondsRemaining, setLeft] = useState<number | undefined>();
  useEffect(() => {
    let isUsed = false;
    const use = () => {
      isUsed = true;
    };
    const checkSession = () => {
      const request = isUsed ? extendSession(session) : secondsLeft(session);
      isUsed = false;
      request.then(setLeft, () => undefined);
    };
    checkSession();
    const timer = setInterval(checkSession, checkMs);
    for (const sign of signsOfLife) addEventListener(sign, use, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      for (const sign of signsOfLife) removeEventListener(sign, use, { capture: true });
    };
  }, [session]);
  if (secondsRemaining === undefined || secondsRemaining > warnSeconds) return null;
  return (
    <div className="note idle" role="alert">
      <span className="grow">{text.idle.ends(secondsRemaining)}</span>
      <button
        type="button"
        className="button main"
        onClick={() => {
          extendSession(session).then(setLeft, () => undefined);
        }}
      >
        {text.idle.stay}
      </button>
    </div>
  );
}
