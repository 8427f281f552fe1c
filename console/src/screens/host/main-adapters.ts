import type { RecordValue } from '../../client/group-calls.ts';

/** Of each host the adapter that says where it is: one that is connected before others, then the one seen last. */
export function mainAdapters(adapters: readonly RecordValue[]): Map<number, RecordValue> {
  const main = new Map<number, RecordValue>();
  for (const adapter of adapters) {
    const host = Number(adapter.hostID);
    const other = main.get(host);
    if (!other || comesFirst(adapter, other)) main.set(host, adapter);
  }
  return main;
}

const comesFirst = (one: RecordValue, other: RecordValue): boolean =>
  one.connected === other.connected
    ? String(one.lastSeen ?? '') > String(other.lastSeen ?? '')
    : one.connected === true;
