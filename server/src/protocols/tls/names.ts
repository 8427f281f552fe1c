/** The TLS versions of listeners. */
export const tlsProtocols = ['TLS_1_2', 'TLS_1_3'] as const;
export type TlsProtocol = (typeof tlsProtocols)[number];

/** How a listener treats client certificates. */
export const clientAuths = ['NONE', 'OPTIONAL', 'REQUIRED'] as const;
export type ClientAuth = (typeof clientAuths)[number];

/**
 * The recommended ciphers of this release: with forward secrecy and authentication. The order counts if the server
 * chooses.
 */
export const recommendedCiphers: readonly string[] = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
];
