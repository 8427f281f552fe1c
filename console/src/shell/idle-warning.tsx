import { useEffect, useState } from 'react';
import { secondsLeft, stay } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { text } from '../texts/text.ts';

const everyMs = 15_000;
const warnSeconds = 75;
/** What somebody does who is there, though the service hears nothing of it: who fills in a form, or walks through a list. */
const signsOfLife = ['keydown', 'pointerdown', 'wheel'] as const;

/** Keeps the session of somebody who uses the page, and says that a page which nobody uses is about to be signed out. */
export function IdleWarning() {
  const session = useSession();
  const [left, setLeft] = useState<number | undefined>();
  useEffect(() => {
    let isUsed = false;
    const use = () => {
      isUsed = true;
    };
    const look = () => {
      const asked = isUsed ? stay(session) : secondsLeft(session);
      isUsed = false;
      asked.then(setLeft, () => undefined);
    };
    look();
    const timer = setInterval(look, everyMs);
    for (const sign of signsOfLife) addEventListener(sign, use, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      for (const sign of signsOfLife) removeEventListener(sign, use, { capture: true });
    };
  }, [session]);
  if (left === undefined || left > warnSeconds) return null;
  return (
    <div className="note idle" role="alert">
      <span className="grow">{text.idle.ends(left)}</span>
      <button
        type="button"
        className="button main"
        onClick={() => {
          stay(session).then(setLeft, () => undefined);
        }}
      >
        {text.idle.stay}
      </button>
    </div>
  );
}
