import { useEffect, useState, useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 640px)');

/** Returns whether the window is as narrow as a phone. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    (onChange) => {
      narrow.addEventListener('change', onChange);
      return () => narrow.removeEventListener('change', onChange);
    },
    () => narrow.matches,
  );

const tickMs = 10_000;

/** Returns the current time, updated every 10 s, so that relative times are rendered again. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
