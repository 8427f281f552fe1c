import type { ConnectionType } from './facts.ts';

export const authTypes = ['NONE', 'MAB', 'DOT1X', 'PORTAL', 'VPN'] as const;
export type AuthType = (typeof authTypes)[number];

/** How an adapter authenticated. */
export interface Login {
  authType: AuthType;
  outerEapType: string | null;
  innerEapType: string | null;
}

export const noLogin: Login = { authType: 'NONE', outerEapType: null, innerEapType: null };

/** Authentication by MAC address, without a login. */
export const byAddress: Login = { authType: 'MAB', outerEapType: null, innerEapType: null };

/**
 * The login that a decision judges when it is not made for a request: a login is repeated, a MAC address alone is none. A login at the page
 * of an access device has the connection type of MAC authentication, but is one.
 */
export const loginForDecision = (type: ConnectionType, last: Login): Login =>
  type.endsWith('_MAB') && last.authType !== 'PORTAL' ? byAddress : last;

/** What checked the login. Passwords are those of local accounts. */
export function authenticatedBy({ authType, outerEapType }: Login): string {
  if (authType === 'NONE' || authType === 'MAB') return 'NONE';
  return outerEapType === 'TLS' ? 'CERTIFICATE' : 'LOCAL';
}
