/** The changes of one resource: ids of changed records, or the number of new log rows. */
export interface TopicChange {
  topic: string;
  ids: number[];
  /** More records changed than `ids` contains. */
  many: boolean;
  added: number;
}

/** live: changes are received. late: the stream is not connected. off: paused. */
export type FeedState = 'live' | 'late' | 'off';

export interface FeedEvents {
  onChanges(changes: readonly TopicChange[]): void;
  onState(state: FeedState): void;
  /** The session has ended. */
  onEnded(): void;
}

type TabMessage =
  | { kind: 'changes'; changes: TopicChange[] }
  | { kind: 'state'; state: FeedState }
  | { kind: 'ended' }
  | { kind: 'topics'; tab: string; topics: string[] }
  | { kind: 'ask' };

const address = '/console/api/feed';
const name = 'portreeve-feed';
const retryMs = 2_000;

/**
 * One stream of changes for all tabs of a browser: the tab that holds the lock opens it and broadcasts the messages. When that tab is
 * closed, another one takes over. Every tab announces the resources that it shows.
 */
export class Feed {
  readonly #events: FeedEvents;
  readonly #channel = new BroadcastChannel(name);
  readonly #tab = Math.random().toString(36);
  readonly #closing = new AbortController();
  readonly #topics = new Map<string, readonly string[]>();
  #own: readonly string[] = [];
  #source: EventSource | undefined;
  #position: string | undefined;
  #isLeader = false;
  /** True until the first message: changes between the last load and the start of the stream are missed. */
  #hasGap = true;
  #state: FeedState = 'late';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(events: FeedEvents) {
    this.#events = events;
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#receive(data);
    navigator.locks
      .request(name, { signal: this.#closing.signal }, () => this.#lead())
      // The tab was closed before it got the lock.
      .catch(() => undefined);
  }

  /** Sets the resources that this tab shows. */
  show(topics: readonly string[]): void {
    this.#own = topics;
    this.#announce();
  }

  close(): void {
    this.show([]);
    this.#closing.abort();
    this.#source?.close();
    clearTimeout(this.#timer);
    this.#channel.close();
  }

  /** Holds the lock until the tab is closed. */
  #lead(): Promise<void> {
    this.#isLeader = true;
    this.#channel.postMessage({ kind: 'ask' } satisfies TabMessage);
    this.#announce();
    return new Promise((done) => this.#closing.signal.addEventListener('abort', () => done()));
  }

  #announce(): void {
    const message: TabMessage = { kind: 'topics', tab: this.#tab, topics: [...this.#own] };
    this.#channel.postMessage(message);
    this.#receive(message);
  }

  #receive(message: TabMessage): void {
    if (message.kind === 'changes') this.#events.onChanges(message.changes);
    else if (message.kind === 'state') this.#events.onState(message.state);
    else if (message.kind === 'ended') this.#events.onEnded();
    else if (message.kind === 'ask') this.#announce();
    else this.#gather(message.tab, message.topics);
  }

  /** Sends to every tab, including this one. */
  #broadcast(message: TabMessage): void {
    this.#channel.postMessage(message);
    this.#receive(message);
  }

  #gather(tab: string, topics: readonly string[]): void {
    const before = this.#wanted();
    if (topics.length > 0) this.#topics.set(tab, topics);
    else this.#topics.delete(tab);
    // A tab that has just opened does not have the state yet.
    if (this.#isLeader && tab !== this.#tab)
      this.#channel.postMessage({ kind: 'state', state: this.#state } satisfies TabMessage);
    if (this.#isLeader && (this.#source === undefined || before !== this.#wanted())) this.#open();
  }

  #wanted(): string {
    return [...new Set([...this.#topics.values()].flat())].sort().join(' ');
  }

  /** Opens the stream at the last received position, so that no change is missed while the topics change. */
  #open(): void {
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#timer);
    const topics = this.#wanted().split(' ').filter(Boolean);
    if (topics.length === 0 || this.#closing.signal.aborted) return;
    const query = new URLSearchParams(topics.map((topic) => ['topic', topic]));
    if (this.#position !== undefined) query.set('position', this.#position);
    const source = new EventSource(`${address}?${query}`);
    this.#source = source;
    source.onopen = () => {
      if (!this.#hasGap) this.#enter('live');
    };
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      this.#position = lastEventId;
      // Without a position, changes are reported only from the first message on, so everything is loaded again.
      if (this.#hasGap) {
        this.#hasGap = false;
        this.#enter('live');
        this.#reload();
      }
      const { changes } = JSON.parse(data) as { changes: TopicChange[] };
      if (changes.length > 0) this.#broadcast({ kind: 'changes', changes });
    };
    source.addEventListener('failure', ({ data }: MessageEvent<string>) => this.#failed(JSON.parse(data).status));
    source.onerror = () => {
      this.#enter('late');
      // The browser reconnects an interrupted stream by itself, but not a refused one.
      if (source.readyState === EventSource.CLOSED) this.#startOver();
    };
  }

  #failed(word: string): void {
    this.#source?.close();
    if (word === 'unauthenticated') {
      this.#broadcast({ kind: 'ended' });
      return;
    }
    // The position is older than the stored changes.
    if (word === 'gone') this.#startOver();
    else this.#later();
  }

  /** Starts again without a position. EventSource does not report why a stream was refused, so the shown data is loaded again: that request reports the error. */
  #startOver(): void {
    this.#position = undefined;
    this.#hasGap = true;
    this.#reload();
    this.#later();
  }

  #reload(): void {
    const topics = this.#wanted().split(' ').filter(Boolean);
    this.#broadcast({ kind: 'changes', changes: topics.map((topic) => ({ topic, ids: [], many: true, added: 0 })) });
  }

  #enter(state: FeedState): void {
    this.#state = state;
    this.#broadcast({ kind: 'state', state });
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), retryMs);
  }
}
