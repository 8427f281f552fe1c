import { type Context, everyRow } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { rejected } from '../../kernel/failure.ts';
import { isTestAddress, testNetwork } from '../engine-files/engine-files.ts';

const everyDevice = everyRow(networkDevice, 'a network cannot be removed while any device has an address in it');

const isInside = (address: string, networks: string): string =>
  `exists (select from jsonb_array_elements_text(${networks}) n where ${address} <<= n::cidr)`;

const outsideSql = `select from radius_global s where not ${isInside('$1::inet', 's.nas_networks')}`;
const leftOutSql = `select count(*)::integer as devices from ${everyDevice} d
where d.radius_enabled and d.ip_address is not null and not ${isInside('d.ip_address', '$1::jsonb')}`;

/** Rejects a device address outside `nasNetworks`, whose packets the engine drops, or in the network of test logins. */
export async function refuseOutsideNetworks({ query }: Pick<Context, 'query'>, address: string): Promise<void> {
  if (isTestAddress(address))
    throw rejected(`ipAddress: ${address} is in ${testNetwork}, which nodes use for tests of logins.`, '/ipAddress');
  if ((await query(outsideSql, [address])).length === 0) return;
  throw rejected(
    `ipAddress: ${address} is outside the networks that RADIUS packets may come from; add its network to nasNetworks in the RADIUS settings.`,
    '/ipAddress',
  );
}

/** Rejects networks that do not contain all access devices. The message has only their number, because the caller may not see them. */
export async function requireDevicesInNetworks(
  { query }: Pick<Context, 'query'>,
  networks: readonly string[],
): Promise<void> {
  const [outside] = await query<{ devices: number }>(leftOutSql, [JSON.stringify(networks)]);
  if (outside!.devices === 0) return;
  throw rejected(`nasNetworks: number of access devices outside these networks: ${outside!.devices}.`, '/nasNetworks');
}
