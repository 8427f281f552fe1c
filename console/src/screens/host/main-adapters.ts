import type { RecordValue } from '../../client/group-calls.ts';

/** Returns the adapter that determines the location of each host: a connected one first, then the one observed last. */
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
