/** Key types for which certificates are created. */
export const keyTypes = ['RSA_2048', 'RSA_3072', 'RSA_4096', 'EC_P256', 'EC_P384'] as const;
export type KeyType = (typeof keyTypes)[number];
