import { invalidField, rejected } from '../../kernel/failure.ts';
import { type Cipher, fitsKey, isServed, systemCiphers } from '../../protocols/tls/ciphers.ts';
import { type ClientAuth, recommendedCiphers, type TlsProtocol, tlsProtocols } from '../../protocols/tls/names.ts';
import type { KeyType } from '../../protocols/x509/names.ts';

/** The settings of a configuration that listeners use. */
export interface TlsSettings {
  protocols: readonly TlsProtocol[];
  ciphers: readonly string[];
  autoUpdate: boolean;
  clientAuth: ClientAuth;
  checkCrl: boolean;
}

/** The use of a configuration's certificate. */
export type CertificateUse = 'RADIUS_EAP' | (string & {});

/** Listeners of the RADIUS engine use the system's OpenSSL, all others that of Node. */
const isOfEngine = (use: CertificateUse): boolean => use === 'RADIUS_EAP' || use === 'RADSEC';

/** Most supplicants do not complete EAP with TLS 1.3 by default. */
export const recommendedProtocols = (use: CertificateUse): readonly TlsProtocol[] =>
  use === 'RADIUS_EAP' ? ['TLS_1_2'] : tlsProtocols;

/** Returns the versions and cipher names of a listener. */
export function versionsAndCiphers(
  settings: Pick<TlsSettings, 'protocols' | 'ciphers' | 'autoUpdate'>,
  use: CertificateUse,
) {
  const { protocols, ciphers, autoUpdate } = settings;
  return {
    protocols: autoUpdate ? recommendedProtocols(use) : protocols,
    ciphers: autoUpdate || ciphers.length === 0 ? recommendedCiphers : ciphers,
  };
}

/** Throws for ciphers that OpenSSL does not have, and for a version without a cipher. */
export async function refuseOtherCiphers(
  { protocols, ciphers }: TlsSettings,
  certificate: { name: string; target: CertificateUse; keyType: KeyType | null },
): Promise<void> {
  if (ciphers.length === 0) return;
  const cipherByName = new Map((await systemCiphers()).map((cipher) => [cipher.name, cipher]));
  const selectedCiphers: Cipher[] = [];
  for (const [index, name] of ciphers.entries()) {
    const cipher = cipherByName.get(name);
    if (!cipher || !(isOfEngine(certificate.target) || isServed(cipher)))
      throw rejected(`ciphers.${index}: OpenSSL has no cipher ${name}.`, `/ciphers/${index}`);
    selectedCiphers.push(cipher);
  }
  for (const protocol of protocols)
    if (!selectedCiphers.some((cipher) => cipher.protocol === protocol))
      throw invalidField('ciphers', `none of them is for ${protocol}; add one, or take it out of protocols`);
  if (certificate.keyType !== null && !hasFitting(selectedCiphers, protocols, certificate.keyType))
    throw rejected(
      `ciphers: none of them for TLS_1_2 fits the ${certificate.keyType} key of ${certificate.name}.`,
      '/ciphers',
    );
}

/** With TLS 1.3 every key works with every cipher. */
const hasFitting = (ciphers: readonly Cipher[], protocols: readonly TlsProtocol[], keyType: KeyType): boolean =>
  !protocols.includes('TLS_1_2') || ciphers.some((cipher) => cipher.protocol === 'TLS_1_2' && fitsKey(cipher, keyType));

/** True if one of these ciphers works with a key of this type. */
export async function fitsCiphers(
  { protocols, ciphers }: Pick<TlsSettings, 'protocols' | 'ciphers'>,
  keyType: KeyType,
): Promise<boolean> {
  const selectedCiphers = (await systemCiphers()).filter(({ name }) => ciphers.includes(name));
  return ciphers.length === 0 || hasFitting(selectedCiphers, protocols, keyType);
}
