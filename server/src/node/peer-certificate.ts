import type { TLSSocket } from 'node:tls';

const fingerprints = new WeakMap<TLSSocket, string | undefined>();

/** Returns the SHA-256 fingerprint of the certificate of a peer, or undefined if it has none. Cached for each connection. */
export function peerFingerprint(socket: TLSSocket): string | undefined {
  if (!fingerprints.has(socket)) fingerprints.set(socket, socket.getPeerX509Certificate()?.fingerprint256);
  return fingerprints.get(socket);
}
