import { type Query, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { Feed, type FeedState, type TopicChange } from './feed.ts';

interface Live {
  state: FeedState;
  isPaused: boolean;
  pause(): void;
  /** Sets the resources whose changes this page follows. */
  show(topics: readonly string[]): void;
  /** New rows of each log since it was loaded. */
  added: Readonly<Record<string, number>>;
  /** Resets the number of new rows of a log after it was loaded. */
  seen(topic: string): void;
}

const LiveContext = createContext<Live | undefined>(undefined);

/** Minimum time between two reloads: changes in between are shown together. */
const reloadIntervalMs = 1_000;

/** Matches the queries of a resource, and those whose `meta.topics` contains it. */
const queriesAbout = (topic: string) => ({
  predicate: ({ queryKey, meta }: Query) =>
    queryKey[0] === topic || (meta?.topics as readonly string[] | undefined)?.includes(topic) === true,
});

/** Follows changes of the shown resources and reloads their queries. */
export function LiveProvider({ onEnded, children }: { onEnded(): void; children: ReactNode }) {
  const queries = useQueryClient();
  const [state, setState] = useState<FeedState>('late');
  const [isPaused, setPaused] = useState(false);
  const [added, setAdded] = useState<Readonly<Record<string, number>>>({});
  const [topics, setTopics] = useState<readonly string[]>([]);
  const feed = useRef<Feed>(undefined);
  const ended = useRef(onEnded);
  ended.current = onEnded;
  const paused = useRef(isPaused);
  paused.current = isPaused;

  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** Reloads at once, then at most once per interval. */
    const reloadChanged = () => {
      if (timer !== undefined || changed.size === 0 || paused.current) return;
      for (const topic of changed) {
        // A running request may return data from before the change, so the reload waits for it.
        if (queries.isFetching(queriesAbout(topic)) > 0) continue;
        void queries.invalidateQueries(queriesAbout(topic));
        changed.delete(topic);
      }
      timer = setTimeout(() => {
        timer = undefined;
        reloadChanged();
      }, reloadIntervalMs);
    };
    const recordChanges = (changes: readonly TopicChange[]) => {
      for (const { topic, ids, many, added: rows } of changes) {
        // New log rows would move the rows that the user is reading, so they are only counted until the user loads them.
        if (rows > 0) setAdded((before) => ({ ...before, [topic]: (before[topic] ?? 0) + rows }));
        if (many || ids.length > 0) changed.add(topic);
      }
      reloadChanged();
    };
    const opened = new Feed({ onChanges: recordChanges, onState: setState, onEnded: () => ended.current() });
    feed.current = opened;
    return () => {
      clearTimeout(timer);
      opened.close();
    };
  }, [queries]);

  useEffect(() => feed.current?.show(isPaused ? [] : topics), [topics, isPaused]);

  const live = useMemo<Live>(
    () => ({
      state: isPaused ? 'off' : state,
      isPaused,
      pause: () => {
        // Loads the changes that were missed while paused.
        if (isPaused) for (const topic of topics) void queries.invalidateQueries(queriesAbout(topic));
        setPaused(!isPaused);
      },
      show: setTopics,
      added,
      seen: (topic) => setAdded(({ [topic]: _, ...remainingCounts }) => remainingCounts),
    }),
    [state, isPaused, topics, added, queries],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLive(): Live {
  const live = use(LiveContext);
  if (!live) throw new Error('useLive requires a LiveProvider.');
  return live;
}
