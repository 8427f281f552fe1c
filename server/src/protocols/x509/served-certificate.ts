import type { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';

const secondsMax = 5;

/** Returns the certificate that a listener serves, without checking its names or validity. */
export const servedCertificate = (host: string, port: number): Promise<X509Certificate | undefined> =>
  new Promise((done, fail) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: secondsMax * 1_000 });
    socket.once('secureConnect', () => {
      done(socket.getPeerX509Certificate());
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error(`The listener did not answer in ${secondsMax} s.`)));
    socket.once('error', fail);
  });
