import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** The parts of `pg`'s connection that are used here; not in its types. */
interface Connection {
  stream: Socket;
}

interface PreparedState {
  /** Number of failures of the session. After a failure it is unknown which statements the session has prepared, so they get new names. */
  age: number;
  names: Set<string>;
  /** Complete packets of prepared statements, by their text. */
  packets: Map<string, Buffer>;
}

const statesByConnection = new WeakMap<Connection, PreparedState>();
const hashes = new Map<string, string>();
const sync = Buffer.from('S\0\0\0\x04', 'latin1');

/**
 * Statements without parameters or rows, prepared once per session and sent in one packet: `begin` with the following ones, and those
 * before `commit`.
 */
class Packet {
  /** The text that a trace shows. */
  readonly text: string;
  readonly done: Promise<void>;
  readonly #statements: readonly string[];
  #connection: Connection | undefined;
  #resolve!: () => void;
  #reject!: (error: Error) => void;

  constructor(statements: readonly string[]) {
    this.#statements = statements;
    this.text = statements.join('; ');
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    const state = statesByConnection.get(connection) ?? {
      age: 0,
      names: new Set<string>(),
      packets: new Map<string, Buffer>(),
    };
    statesByConnection.set(connection, state);
    connection.stream.write(state.packets.get(this.text) ?? this.#make(state));
  }

  /** Caches the packet if all its statements are prepared: it is then the same the next time. */
  #make(state: PreparedState): Buffer {
    const isKnown = this.#statements.every((statement) => state.names.has(nameOf(statement, state)));
    const packet = Buffer.concat([...this.#statements.flatMap((statement) => messagesOf(statement, state)), sync]);
    if (isKnown) state.packets.set(this.text, packet);
    return packet;
  }

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: Error): void {
    const state = this.#connection && statesByConnection.get(this.#connection);
    if (state) Object.assign(state, { age: state.age + 1, names: new Set(), packets: new Map() });
    this.#reject(error);
  }

  // Sent for each statement; the row count is not needed.
  handleCommandComplete(): void {}

  handleDataRow(): void {}
}

/** Parse, unless the session has prepared the statement, then Bind and Execute (PostgreSQL, "Message Formats"). */
function messagesOf(statement: string, state: PreparedState): Buffer[] {
  const name = nameOf(statement, state);
  const isNew = !state.names.has(name);
  state.names.add(name);
  return [
    ...(isNew ? [message('P', `${name}\0${statement}\0\0\0`)] : []),
    message('B', `\0${name}\0\0\0\0\0\0\0`),
    message('E', '\0\0\0\0\0'),
  ];
}

function nameOf(statement: string, { age }: PreparedState): string {
  const hash = hashes.get(statement) ?? createHash('sha1').update(statement).digest('base64url').slice(0, 20);
  hashes.set(statement, hash);
  return `${hash}.${age}`;
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(body, 'utf8');
  const header = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  header.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([header, bytes]);
}

/** Runs the statements in order and stops at the first failure. The texts are constants of the code, so few packets are cached. */
export function runPacket(client: pg.PoolClient, statements: readonly string[]): Promise<void> {
  const packet = new Packet(statements);
  client.query(packet as unknown as pg.Submittable);
  return packet.done;
}
