import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';

/** How a request was authenticated, as stored at the adapter. */
export type AuthType = 'MAB' | 'DOT1X' | 'PORTAL' | 'VPN';

/** Types of logins with a user name. The user is logged on until the adapter uses MAC authentication. */
export const loginTypes = ['DOT1X', 'PORTAL', 'VPN'] as const satisfies readonly AuthType[];

export const isLogin = (authType: string): boolean => loginTypes.some((type) => type === authType);

/**
 * Returns the type of a login that is not MAC authentication. 802.1X carries only EAP (IEEE 802.1X, clause 11), so a password without EAP
 * comes from the login page of the access device, or from a VPN gateway, whose port type is Virtual (RFC 2865, section 5.41).
 */
export function authTypeOf(attributes: PacketAttributes): Exclude<AuthType, 'MAB'> {
  if (attributes.has('EAP-Type') || attributes.has('EAP-Message')) return 'DOT1X';
  return attributes.get('NAS-Port-Type')?.[0] === 'Virtual' ? 'VPN' : 'PORTAL';
}
