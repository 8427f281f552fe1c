import type { Login } from '../../policy/decide/decide.service.ts';
import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';
import { type AuthType, authTypeOf } from './auth-type.ts';
import { certificateName } from './certificate-name.ts';
import type { AccessRequest } from './parse-access-request.ts';

/** How a device or a person proved its identity. */
export interface Proof extends Login {
  authType: AuthType;
  /** The proven name; null: none was proven, or the device authenticated by its MAC address. */
  userName: string | null;
  /** Why no name counts as proven; empty if one does. */
  fault: string;
}

/** Carries the account whose password the node returned for the inside of a tunnel, from there to the last packet. */
export const passwordOwnerAttribute = 'Portreeve-Password-Owner';

/** EAP types whose inside is a session of its own, with an identity of its own. */
const tunnelTypes = new Set(['TTLS', 'PEAP']);

/** Inner methods that compare a password, as the engine names them. */
const passwordMethods = new Set(['PAP', 'CHAP', 'MS-CHAP', 'MSCHAPv2', 'GTC', 'MD5']);

/**
 * Returns the name that a login proved: that of the certificate in EAP-TLS, and inside a tunnel the one whose password the engine
 * compared. The inner identity alone proves nothing. With a certificate or a second tunnel inside, another identity than the claimed
 * one could have been proven, so these prove no name here, although the engine does not offer them either.
 */
export function proofOf(request: AccessRequest, attributes: PacketAttributes): Proof {
  const first = (name: string) => attributes.get(name)?.[0] ?? null;
  const outerEapType = first('EAP-Type');
  const innerEapType = first('Portreeve-Inner-Method');
  const proven = (userName: string | null, fault = 'The login has no name that was proven.'): Proof => {
    const isProven = userName !== null;
    return { authType: authTypeOf(attributes), userName, fault: isProven ? '' : fault, outerEapType, innerEapType };
  };
  if (outerEapType === null) return proven(request.userName);
  if (outerEapType === 'TLS') return proven(certificateName(attributes));
  const innerName = first('Stripped-User-Name');
  if (!tunnelTypes.has(outerEapType)) return proven(innerName);
  if (innerEapType === null || !passwordMethods.has(innerEapType))
    return proven(null, `${innerEapType ?? 'No method'} inside ${outerEapType} proves no name: only a password does.`);
  if (first(passwordOwnerAttribute) !== innerName)
    return proven(null, 'The password that was checked is of another account than the name.');
  return proven(innerName);
}
