import type { Server as HttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** The TLS settings of a listener; certificates, keys and lists in PEM. */
export interface ListenerTls {
  cert: string;
  key: string;
  minVersion: 'TLSv1.2' | 'TLSv1.3';
  maxVersion: 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL names, separated by colons. */
  ciphers: string;
  /** OPTIONAL: no certificate is required, but an invalid one is refused. */
  clientAuth: 'NONE' | 'OPTIONAL' | 'REQUIRED';
  /** Authorities of client certificates, and their revocation lists; without lists, revocation is not checked. */
  ca: string[];
  crl?: string[];
}

const contextOptions = ({ clientAuth: _, ...tls }: ListenerTls) => ({ ...tls, honorCipherOrder: true });

const clientCertificateOptions = ({ clientAuth }: ListenerTls) => ({
  requestCert: clientAuth !== 'NONE',
  rejectUnauthorized: clientAuth === 'REQUIRED',
});

/** Returns the options that a TLS server is created with. */
export const tlsOptions = (tls: ListenerTls) => ({ ...contextOptions(tls), ...clientCertificateOptions(tls) });

/** Changes the TLS settings of a listener; open connections keep theirs. */
export function enableTls(server: HttpsServer, tls: ListenerTls): void {
  server.setSecureContext(contextOptions(tls));
  // These options of the server are read for each connection.
  Object.assign(server, clientCertificateOptions(tls));
}

/** Closes a connection whose client certificate is invalid, also if the certificate is optional. */
export const refuseBadCertificate = (socket: TLSSocket): void => {
  if (!socket.authorized && socket.getPeerX509Certificate()) socket.destroy();
};
