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

/** MAC authentication, which is not a login. */
export const byAddress: Login = { authType: 'MAB', outerEapType: null, innerEapType: null };

/**
 * Returns the login of a decision that is not made for a request: the last login, or MAC authentication for a connection of that type. A
 * login at the web page of an access device (PORTAL) has a MAC authentication type, but is a login.
 */
export const loginForDecision = (type: ConnectionType, last: Login): Login =>
  type.endsWith('_MAB') && last.authType !== 'PORTAL' ? byAddress : last;

/** Returns the authority that checked the login. Passwords are those of local accounts. */
export function authenticatedBy({ authType, outerEapType }: Login): string {
  if (authType === 'NONE' || authType === 'MAB') return 'NONE';
  return outerEapType === 'TLS' ? 'CERTIFICATE' : 'LOCAL';
}
