/** What changed in a group: records by their ids, or how many rows a log got. */
export interface TopicChange {
  topic: string;
  ids: number[];
  /** More changed than are listed. */
  many: boolean;
  added: number;
}

/** live: what changes is reported. late: no report has come for a while. off: paused. */
export type FeedState = 'live' | 'late' | 'off';

export interface FeedEvents {
  onChanges(changes: readonly TopicChange[]): void;
  onState(state: FeedState): void;
  /** The session is over. */
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
 * One stream for all tabs of a browser: the tab that holds the lock opens it, and passes on what it reports. When that tab is closed,
 * another takes over. Every tab says which groups it shows.
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
  /** What changed between the last read and the begin of the stream was not reported. */
  #hasGap = true;
  #state: FeedState = 'late';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(events: FeedEvents) {
    this.#events = events;
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#receive(data);
    navigator.locks
      .request(name, { signal: this.#closing.signal }, () => this.#lead())
      // Closed before it was this tab's turn.
      .catch(() => undefined);
  }

  /** What this tab shows now. */
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

  /** Sends to every tab, this one too. */
  #broadcast(message: TabMessage): void {
    this.#channel.postMessage(message);
    this.#receive(message);
  }

  #gather(tab: string, topics: readonly string[]): void {
    const before = this.#wanted();
    if (topics.length > 0) this.#topics.set(tab, topics);
    else this.#topics.delete(tab);
    // A tab that has just opened knows nothing yet.
    if (this.#isLeader && tab !== this.#tab)
      this.#channel.postMessage({ kind: 'state', state: this.#state } satisfies TabMessage);
    if (this.#isLeader && (this.#source === undefined || before !== this.#wanted())) this.#open();
  }

  #wanted(): string {
    return [...new Set([...this.#topics.values()].flat())].sort().join(' ');
  }

  /** Goes on from the last report, so that nothing is missed while the topics change. */
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
      // Without a position the stream begins with its first message, not when it is opened.
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
      // A stream that merely broke is opened again by the browser; one that was refused is not.
      if (source.readyState === EventSource.CLOSED) this.#startOver();
    };
  }

  #failed(word: string): void {
    this.#source?.close();
    if (word === 'unauthenticated') {
      this.#broadcast({ kind: 'ended' });
      return;
    }
    // Too much has happened since.
    if (word === 'gone') this.#startOver();
    else this.#later();
  }

  /** From now on. Why a stream was refused is not known here; what is shown is read again, and that read reports it. */
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
