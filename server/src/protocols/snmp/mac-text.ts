/** Formats a MAC address as the service stores it. */
export const macText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join(':')
    .toUpperCase();
