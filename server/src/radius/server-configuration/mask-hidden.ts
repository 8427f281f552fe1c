import { isIP } from 'node:net';
import { type Context, everyRow } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { readMac } from '../../kernel/values/mac.ts';

const everyAdapter = everyRow(
  adapter,
  'a MAC address is shown if the caller sees its host, independently of row limits on adapters',
);

/** Matches possible addresses of either family, also before a time or a port; `isIP` then checks them. */
const addressLike = /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:]))/gi;
const macLike = /(?<![\w:.-])[0-9a-f]{2}(?:[-:.]?[0-9a-f]{2}){5}(?![\w:-])/gi;
const masked = '•••';
/** Addresses of the node itself. */
const ownAddresses = ['127.0.0.1', '0.0.0.0', '::1', '::'];

/**
 * Masks the addresses of access devices and hosts that the caller does not see in log lines of an engine. Returns the lines unchanged to a
 * caller without row limits.
 */
export async function maskHidden(
  { query, visible, visibleRow }: Pick<Context, 'query' | 'visible' | 'visibleRow'>,
  texts: readonly string[],
): Promise<string[]> {
  if (visibleRow(networkDevice) === '' && visibleRow(host) === '') return [...texts];
  const devices = await query<{ address: string }>(
    `select host(d.ip_address) as address from ${visible(networkDevice)} d where d.ip_address is not null`,
    [],
  );
  const addresses = new Set([...ownAddresses, ...devices.map(({ address }) => address)]);
  const loggedMacs = new Set(texts.flatMap((text) => text.match(macLike) ?? []).map(macOf));
  const adapters = await query<{ mac: string }>(
    `select a.physical_address as mac from ${everyAdapter} a join ${visible(host)} h on h.id = a.host_id
     where a.physical_address = any($1)`,
    [[...loggedMacs]],
  );
  const macs = new Set(adapters.map(({ mac }) => mac));
  const maskMac = (mac: string) => (macs.has(macOf(mac)) ? mac : masked);
  const maskAddress = (address: string) =>
    isIP(address) === 0 || addresses.has(address.toLowerCase()) ? address : masked;
  return texts.map((text) => text.replaceAll(macLike, maskMac).replaceAll(addressLike, maskAddress));
}

const macOf = (text: string): string => readMac(text.replaceAll(/[-:.]/g, '')) || text;
