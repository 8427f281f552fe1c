import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';

/**
 * Attribute values by which MAC authentication is recognised: a request without a credential, decided by its MAC address alone. The engine
 * and the node test for it with the same values: the engine rejects it if the profile does not allow it, the node decides it without a
 * password.
 *
 * Service-Type Call-Check requests exactly this (RFC 2865, section 5.6). Devices that do not send it repeat the MAC address as name and
 * password. But a login at a command line, a VPN or a web page can also repeat its name as password: Service-Type, NAS-Port-Type and
 * Calling-Station-Id distinguish the two. A request without NAS-Port-Type could be either, so it is not MAC authentication.
 */
const serviceTypes = { checked: 'Call-Check', framed: 'Framed-User' } as const;
const portTypes = ['Ethernet', 'Wireless-802.11', 'Wireless-Other'] as const;

const octets = [1, 2, 3, 4, 5, 6];
const separator = '[-:.]?';
/** Matches one MAC address in two spellings, each followed by a bar, because `$` of the engine also matches before a line break. */
const repeatedMac = `^${octets.map(() => '([0-9a-f]{2})').join(separator)}[|]${octets.map((n) => `\\${n}`).join(separator)}[|]$`;
const repeatedMacPattern = new RegExp(repeatedMac, 'i');

/** The test as a condition of the engine. It tests for attributes first: a comparison with an absent one makes the full condition false. */
export const macAuthenticationCondition = [
  `(&Service-Type && &Service-Type == ${serviceTypes.checked})`,
  `(${[
    '&User-Password && &User-Name == &User-Password',
    `(!&Service-Type || &Service-Type == ${serviceTypes.framed})`,
    `(${portTypes.map((portType) => `&NAS-Port-Type == ${portType}`).join(' || ')})`,
    `"%{User-Name}|%{Calling-Station-Id}|" =~ /${repeatedMac}/i`,
  ].join(' && ')})`,
].join(' || ');

/** True if a request is MAC authentication: the same test as the engine's. */
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
