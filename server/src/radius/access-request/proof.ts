import type { Login } from '../../policy/decide/decide.service.ts';
import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';
import { homeAttributes } from '../engine-files/engine-files.ts';
import { type AuthType, authTypeOf } from './auth-type.ts';
import { certificateName } from './certificate-name.ts';
import type { AccessRequest } from './parse-access-request.ts';

/** How a device or a person proved its identity. */
export interface Proof extends Login {
  authType: AuthType;
  /** The proven name; null: none was proven, or the device authenticated by its MAC address. */
  userName: string | null;
  /** Why no name counts as proven; empty if a name does. */
  fault: string;
}

/** Attribute that carries the account whose password the node returned inside a tunnel, until the last packet. */
export const passwordOwnerAttribute = 'Portreeve-Password-Owner';

/** EAP types with a tunnel, inside which there is a separate session with its own identity. */
const tunnelTypes = new Set(['TTLS', 'PEAP']);

/** Inner methods that compare a password, as the engine names them. */
const passwordMethods = new Set(['PAP', 'CHAP', 'MS-CHAP', 'MSCHAPv2', 'GTC', 'MD5']);

/**
 * Returns the name that a login proved: in EAP-TLS the name of the certificate, inside a tunnel the name whose password the engine
 * compared. The inner identity alone proves nothing. A certificate or a second tunnel inside could prove another identity than the claimed
 * one, so neither proves a name here; the engine does not offer them either.
 */
export function proofOf(request: AccessRequest, attributes: PacketAttributes): Proof {
  const first = (name: string) => attributes.get(name)?.[0] ?? null;
  const outerEapType = first('EAP-Type');
  const innerEapType = first('Portreeve-Inner-Method');
  const proven = (userName: string | null, fault = 'The login has no proven name.'): Proof => {
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
    return proven(null, 'The password that was checked belongs to another account than the name.');
  return proven(innerName);
}

/** Returns the pool of home servers that replied to the request; null: it was not forwarded. */
export const homeOf = (attributes: PacketAttributes): string | null => attributes.get(homeAttributes.pool)?.[0] ?? null;

/** A login that a home server accepted. It proves no name here, because the home server knows only its own users. */
export const proofByHome: Proof = {
  authType: 'DOT1X',
  userName: null,
  fault: '',
  outerEapType: null,
  innerEapType: null,
};
