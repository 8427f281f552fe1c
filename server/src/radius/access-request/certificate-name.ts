import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';

/**
 * Returns the common name of a client certificate; null if it has none. The engine fills TLS-Client-Cert-Common-Name from a buffer that
 * still contains the issuer's name if the subject has no common name, so the name counts only if the subject contains it.
 */
export function certificateName(attributes: PacketAttributes): string | null {
  const name = attributes.get('TLS-Client-Cert-Common-Name')?.[0];
  const subject = attributes.get('TLS-Client-Cert-Subject')?.[0];
  if (!name || subject === undefined) return null;
  // The engine writes the subject with OpenSSL's X509_NAME_oneline: a slash before each part, and non-ASCII bytes as \xHH.
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
