import { type Context, everyRow } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { rejected } from '../../kernel/failure.ts';
import { isTestAddress, testNetwork } from '../engine-files/engine-files.ts';

const everyDevice = everyRow(networkDevice, 'a network may not be left out while any device needs it');

const isInside = (address: string, networks: string): string =>
  `exists (select from jsonb_array_elements_text(${networks}) n where ${address} <<= n::cidr)`;

const outsideSql = `select from radius_global s where not ${isInside('$1::inet', 's.nas_networks')}`;
const leftOutSql = `select count(*)::integer as devices from ${everyDevice} d
where d.radius_enabled and d.ip_address is not null and not ${isInside('d.ip_address', '$1::jsonb')}`;

/** The engine drops what comes from elsewhere, and takes tests of its own node for nobody's. */
export async function refuseOutsideNetworks({ query }: Pick<Context, 'query'>, address: string): Promise<void> {
  if (isTestAddress(address))
    throw rejected(`ipAddress: ${address} is in ${testNetwork}, where a node sends its own tests from.`, '/ipAddress');
  if ((await query(outsideSql, [address])).length === 0) return;
  throw rejected(
    `ipAddress: ${address} is in none of the networks that RADIUS packets may come from; add one to nasNetworks of the RADIUS settings.`,
    '/ipAddress',
  );
}

/** The same, seen from the networks: a number names no device to who may not view it. */
export async function requireDevicesInNetworks(
  { query }: Pick<Context, 'query'>,
  networks: readonly string[],
): Promise<void> {
  const [outside] = await query<{ devices: number }>(leftOutSql, [JSON.stringify(networks)]);
  if (outside!.devices === 0) return;
  throw rejected(`nasNetworks: access devices that are in none of them: ${outside!.devices}.`, '/nasNetworks');
}
