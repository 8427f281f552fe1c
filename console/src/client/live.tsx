import { type Query, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { Feed, type FeedState, type TopicChange } from './feed.ts';

interface Live {
  state: FeedState;
  isPaused: boolean;
  pause(): void;
  /** What this page shows: changes of it are followed. */
  show(topics: readonly string[]): void;
  /** Rows that a log got since it was read. */
  added: Readonly<Record<string, number>>;
  /** They were read. */
  seen(topic: string): void;
}

const LiveContext = createContext<Live | undefined>(undefined);

/** Between two reads of the same: changes meanwhile are shown together. */
const reloadIntervalMs = 1_000;

/** What is read of a group, and what says that it depends on it too. */
const queriesAbout = (topic: string) => ({
  predicate: ({ queryKey, meta }: Query) =>
    queryKey[0] === topic || (meta?.topics as readonly string[] | undefined)?.includes(topic) === true,
});

/** Follows what changes in what is on screen, and has it read again. */
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
    /** At once, then no more often than once in a while. */
    const reloadChanged = () => {
      if (timer !== undefined || changed.size === 0 || paused.current) return;
      for (const topic of changed) {
        // What is on its way may be older than the change: it is read again once it has come.
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
        // New rows of a log would push away what somebody reads: they are counted until they are asked for.
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
        // What was missed meanwhile is read at once.
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
  if (!live) throw new Error('This needs a feed around it.');
  return live;
}
