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

/** Time for which attribute groups are cached. */
const groupsMs = 1_000;

/** Caches the data from which replies are made: attribute groups and devices. */
export class ReplyCache {
  readonly #query: <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;
  readonly #monotonicMs: () => number;
  #groups: Promise<readonly StoredGroup[]> | undefined;
  #groupsMs = Number.NEGATIVE_INFINITY;
  /** Keyed by the topology's node, which is replaced when the device changes. */
  readonly #devices = new WeakMap<DeviceNode, Promise<ReplyDevice | undefined>>();

  constructor(pool: pg.Pool, monotonicMs: () => number) {
    this.#query = async (text, values) => (await pool.query(text, [...values])).rows;
    this.#monotonicMs = monotonicMs;
  }

  async groups(requestedGroups: readonly RequestedGroup[]): Promise<ReplyGroup[]> {
    return pickGroups(requestedGroups, await this.#currentGroups());
  }

  /** Returns the device of a node; undefined if it was deleted. */
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
