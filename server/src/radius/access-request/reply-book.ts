import type pg from 'pg';
import type { DeviceNode } from '../../policy/decide/decide.service.ts';
import {
  pickGroups,
  type ReplyDevice,
  type ReplyGroup,
  type RequestedGroup,
  readAllGroups,
  replyDevices,
  type StoredGroup,
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

  async groups(requestedGroups: readonly RequestedGroup[]): Promise<ReplyGroup[]> {
    return pickGroups(requestedGroups, await this.#currentGroups());
  }

  /** Undefined: it is gone. */
  device(node: DeviceNode): Promise<ReplyDevice | undefined> {
    const cachedDevice = this.#devices.get(node);
    if (cachedDevice) return cachedDevice;
    const loading = replyDevices({ query: this.#query }, [node.id]).then((devices) => devices.get(node.id));
    this.#devices.set(node, loading);
    loading.catch(() => this.#devices.delete(node));
    return loading;
  }

  #currentGroups(): Promise<readonly StoredGroup[]> {
    if (this.#groups && this.#monotonicMs() - this.#groupsMs < groupsMs) return this.#groups;
    this.#groupsMs = this.#monotonicMs();
    const loading = readAllGroups({ query: this.#query });
    this.#groups = loading;
    loading.catch(() => {
      if (this.#groups === loading) this.#groups = undefined;
    });
    return loading;
  }
}
