import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';

/**
 * What counts as MAC authentication: a request that proves nothing, and is decided by its MAC address alone. The engine and the node
 * both judge it, from the same parts: the engine rejects it where a profile does not allow it, the node decides it without a password.
 *
 * Service-Type Call-Check means exactly this (RFC 2865 section 5.6). Devices that do not send it repeat the MAC address as name and
 * password. The name of a login at a command line, a VPN or a web page can be its password, too: Service-Type, NAS-Port-Type and
 * Calling-Station-Id distinguish the two. A request without NAS-Port-Type could be either, so it is not MAC authentication.
 */
const serviceTypes = { checked: 'Call-Check', framed: 'Framed-User' } as const;
const portTypes = ['Ethernet', 'Wireless-802.11', 'Wireless-Other'] as const;

const octets = [1, 2, 3, 4, 5, 6];
const separator = '[-:.]?';
/** Two spellings of one MAC address, each with a bar behind it: the engine lets `$` match before a line break, too. */
const repeatedMac = `^${octets.map(() => '([0-9a-f]{2})').join(separator)}[|]${octets.map((n) => `\\${n}`).join(separator)}[|]$`;
const repeatedMacPattern = new RegExp(repeatedMac, 'i');

/** The test as a condition of the engine. A comparison with an absent attribute would make all of a condition false. */
export const macAuthenticationCondition = [
  `(&Service-Type && &Service-Type == ${serviceTypes.checked})`,
  `(${[
    '&User-Password && &User-Name == &User-Password',
    `(!&Service-Type || &Service-Type == ${serviceTypes.framed})`,
    `(${portTypes.map((portType) => `&NAS-Port-Type == ${portType}`).join(' || ')})`,
    `"%{User-Name}|%{Calling-Station-Id}|" =~ /${repeatedMac}/i`,
  ].join(' && ')})`,
].join(' || ');

/** The same test of the node. */
export function isMacAuthentication(attributes: PacketAttributes): boolean {
  const first = (name: string) => attributes.get(name)?.[0];
  const serviceType = first('Service-Type');
  if (serviceType === serviceTypes.checked) return true;
  const userName = first('User-Name');
  return (
    userName !== undefined &&
    first('User-Password') === userName &&
    (serviceType === undefined || serviceType === serviceTypes.framed) &&
    portTypes.some((portType) => first('NAS-Port-Type') === portType) &&
    repeatedMacPattern.test(`${userName}|${first('Calling-Station-Id') ?? ''}|`)
  );
}
