import { useEffect, useState } from 'react';
import { secondsLeft, stay } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { text } from '../texts/text.ts';

const everyMs = 15_000;
const warnSeconds = 75;

/** Says that a page which nobody uses is about to be signed out. */
export function IdleWarning() {
  const session = useSession();
  const [left, setLeft] = useState<number | undefined>();
  useEffect(() => {
    const look = () => {
      secondsLeft(session).then(setLeft, () => undefined);
    };
    look();
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
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
