import type { RecordValue } from '../../client/group-calls.ts';

/** Of each host the adapter that says where it is: one that is connected before others, then the one seen last. */
export function mainAdapters(adapters: readonly RecordValue[]): Map<number, RecordValue> {
  const main = new Map<number, RecordValue>();
  for (const adapter of adapters) {
    const host = Number(adapter.hostID);
    const currentMain = main.get(host);
    if (!currentMain || comesFirst(adapter, currentMain)) main.set(host, adapter);
  }
  return main;
}

const comesFirst = (first: RecordValue, second: RecordValue): boolean =>
  first.connected === second.connected
    ? String(first.lastSeen ?? '') > String(second.lastSeen ?? '')
    : first.connected === true;
