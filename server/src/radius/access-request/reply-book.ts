import type pg from 'pg';
import type { DeviceNode } from '../../policy/decide/decide.service.ts';
import {
  pickGroups,
  type ReplyDevice,
  type ReplyGroup,
  readAllGroups,
  replyDevices,
  type StoredGroup,
  type WantedGroup,
} from '../radius-attribute-group/radius-attribute-group.service.ts';

/** How long attribute groups are remembered. */
const groupsMs = 1_000;

/** In which words each device gets its answer, as far as it was needed. */
export class ReplyCache {
  readonly #query: <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;
  readonly #monotonicMs: () => number;
  #groups: Promise<readonly StoredGroup[]> | undefined;
  #groupsMs = Number.NEGATIVE_INFINITY;
  /** A device that changes is another node of the topology. */
  readonly #devices = new WeakMap<DeviceNode, Promise<ReplyDevice | undefined>>();

  constructor(pool: pg.Pool, monotonicMs: () => number) {
    this.#query = async (text, values) => (await pool.query(text, [...values])).rows;
    this.#monotonicMs = monotonicMs;
  }

  async groups(wanted: readonly WantedGroup[]): Promise<ReplyGroup[]> {
    return pickGroups(wanted, await this.#currentGroups());
  }

  /** Undefined: it is gone. */
  device(node: DeviceNode): Promise<ReplyDevice | undefined> {
    const known = this.#devices.get(node);
    if (known) return known;
    const read = replyDevices({ query: this.#query }, [node.id]).then((found) => found.get(node.id));
    this.#devices.set(node, read);
    read.catch(() => this.#devices.delete(node));
    return read;
  }

  #currentGroups(): Promise<readonly StoredGroup[]> {
    if (this.#groups && this.#monotonicMs() - this.#groupsMs < groupsMs) return this.#groups;
    this.#groupsMs = this.#monotonicMs();
    const read = readAllGroups({ query: this.#query });
    this.#groups = read;
    read.catch(() => {
      if (this.#groups === read) this.#groups = undefined;
    });
    return read;
  }
}
