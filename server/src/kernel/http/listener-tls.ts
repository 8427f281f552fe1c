import type { Server as HttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** How a listener speaks TLS; certificates, keys and lists in PEM. */
export interface ListenerTls {
  cert: string;
  key: string;
  minVersion: 'TLSv1.2' | 'TLSv1.3';
  maxVersion: 'TLSv1.2' | 'TLSv1.3';
  /** Names of OpenSSL, with colons between them. */
  ciphers: string;
  /** OPTIONAL: a certificate that is sent must be good. */
  clientAuth: 'NONE' | 'OPTIONAL' | 'REQUIRED';
  /** Authorities of client certificates, and their revocation lists; lists absent: they are not looked at. */
  ca: string[];
  crl?: string[];
}

const contextOptions = ({ clientAuth: _, ...tls }: ListenerTls) => ({ ...tls, honorCipherOrder: true });

const clientCertificateOptions = ({ clientAuth }: ListenerTls) => ({
  requestCert: clientAuth !== 'NONE',
  rejectUnauthorized: clientAuth === 'REQUIRED',
});

/** What a server is made with. */
export const tlsOptions = (tls: ListenerTls) => ({ ...contextOptions(tls), ...clientCertificateOptions(tls) });

/** From now on the listener speaks so; open connections go on as they are. */
export function enableTls(server: HttpsServer, tls: ListenerTls): void {
  server.setSecureContext(contextOptions(tls));
  // What the server was made with; it looks at them for each connection.
  Object.assign(server, clientCertificateOptions(tls));
}

/** A certificate that may be absent must be good when it is there. */
export const refuseBadCertificate = (socket: TLSSocket): void => {
  if (!socket.authorized && socket.getPeerX509Certificate()) socket.destroy();
};
