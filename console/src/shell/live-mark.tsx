import { useLive } from '../client/live.tsx';
import { text } from '../texts/text.ts';
import { useKeys } from './keys.ts';

/** The button that shows the state of live updates, and pauses or resumes them. */
export function LiveMark() {
  const { state, pause } = useLive();
  useKeys({ p: pause });
  return (
    <button
      type="button"
      className="button plain live"
      onClick={pause}
      aria-pressed={state === 'off'}
      title={text.live.pause}
    >
      <i className={`dot ${state}`} />
      {text.live[state]}
    </button>
  );
}
