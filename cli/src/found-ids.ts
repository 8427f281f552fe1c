import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Client } from '@portreeve/sdk/runtime.ts';
import { escapeUnsafe, filterText } from './text.ts';
import { UsageError } from './usage-error.ts';

/** Finds a port by its ID, or by the names of its device and its own. */
export async function findPort(client: Client, text: string): Promise<number> {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, device, port] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (device === undefined || port === undefined)
    throw new UsageError('A port is given by its ID, or as DEVICE:PORT by name, such as sw-3:Gi1/0/7.');
  const filter = [`deviceName==${filterText(device)};(ifname==${filterText(port)},name==${filterText(port)})`];
  return onlyOne(await idsMatching(client, 'port.list', filter, ({ dbid }) => dbid), `port ${text}`);
}

interface Found {
  id: number;
  dbid: number;
  hostID: number;
}

export async function idsMatching(
  client: Client,
  operation: 'adapter.list' | 'host.list' | 'port.list',
  filter: readonly string[],
  idOf: (record: Found) => number,
): Promise<number[]> {
  const { results } = await client.call<Found>(operations[operation], { query: { filter, count: 5 } });
  return results.map(idOf);
}

export function onlyOne(ids: readonly number[], what: string): number {
  const [id, ...otherIds] = new Set(ids);
  if (id === undefined) throw new UsageError(`There is no ${escapeUnsafe(what)}.`);
  if (otherIds.length > 0)
    throw new UsageError(
      `Several records match ${escapeUnsafe(what)}: ${[id, ...otherIds].join(', ')}. Use an ID instead.`,
    );
  return id;
}
