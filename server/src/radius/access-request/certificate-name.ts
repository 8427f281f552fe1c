import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';

/**
 * The common name of a client certificate; null: it has none. The engine fills TLS-Client-Cert-Common-Name from a buffer that still holds
 * the name of the issuer where the subject has no common name, so it counts only if the subject has it.
 */
export function certificateName(attributes: PacketAttributes): string | null {
  const name = attributes.get('TLS-Client-Cert-Common-Name')?.[0];
  const subject = attributes.get('TLS-Client-Cert-Subject')?.[0];
  if (!name || subject === undefined) return null;
  // The engine writes the subject with OpenSSL's X509_NAME_oneline: each part behind a slash, other bytes than ASCII as \xHH.
  const part = `/CN=${name}/`;
  const escapedPart = `/CN=${escapeBytes(name)}/`;
  const parts = `${subject}/`;
  return parts.includes(part) || parts.toLowerCase().includes(escapedPart.toLowerCase()) ? name : null;
}

const escapeBytes = (name: string): string =>
  [...Buffer.from(name)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e ? `\\x${byte.toString(16).padStart(2, '0')}` : String.fromCharCode(byte),
    )
    .join('');
