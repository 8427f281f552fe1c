import { expect, test } from 'vitest';
import { failureCause } from './failure-cause.ts';

const openSslError =
  'eap_peap: (TLS) Failed reading from OpenSSL: error:0A000418:SSL routines::tlsv1 alert unknown ca; eap_peap: [eaptls process] = fail';

test.each([
  [
    ['eap_peap: (TLS) TLS Alert read:fatal:unknown CA', openSslError],
    'CERT_UNTRUSTED',
    'The supplicant does not trust the certificate of this service.',
  ],
  [
    ['eap_ttls: TLS Alert read:fatal:bad certificate'],
    'CERT_UNTRUSTED',
    'The supplicant rejects the certificate of this service.',
  ],
  [
    [
      'eap_ttls: TLS Alert read:fatal:certificate expired',
      'error:0A000415:SSL routines::sslv3 alert certificate expired',
    ],
    'CERT_EXPIRED',
    'The supplicant reports that the certificate of this service has expired.',
  ],
  [
    ['eap_ttls: TLS Alert read:fatal:certificate revoked'],
    'CERT_REVOKED',
    'The supplicant reports that the certificate of this service was revoked.',
  ],
  [
    ['eap_ttls: TLS Alert read:fatal:handshake failure'],
    'OTHER',
    'The supplicant ended the TLS handshake: handshake failure.',
  ],
  [
    ['eap_tls: TLS Alert write:fatal:unknown CA', 'eap_tls: error 20 : unable to get local issuer certificate'],
    'CERT_UNTRUSTED',
    'The certificate was issued by an authority that is not trusted.',
  ],
  [['eap_tls: TLS Alert write:fatal:certificate expired'], 'CERT_EXPIRED', 'The certificate has expired.'],
  [['eap_tls: TLS Alert write:fatal:certificate revoked'], 'CERT_REVOKED', 'The certificate was revoked.'],
  [
    ['eap_tls: TLS Alert write:fatal:protocol version'],
    'OTHER',
    'The TLS handshake with the supplicant failed: protocol version.',
  ],
  [['eap_tls: TLS Alert write:fatal:bad certificate'], 'CERT_UNTRUSTED', 'The certificate is not accepted.'],
] as const)('names the side that refused the TLS handshake: %j', (messages, cause, message) => {
  expect(failureCause(undefined, messages)).toEqual({ cause, message });
});

test('prefers the reason of the node to messages of the engine, and ignores warnings', () => {
  expect(failureCause('UNKNOWN_USER', ['TLS Alert read:fatal:unknown CA'])).toMatchObject({ cause: 'UNKNOWN_USER' });
  expect(failureCause(undefined, ['TLS Alert read:warning:close notify'])).toMatchObject({ cause: 'OTHER' });
  expect(failureCause('LOGIN_LOCKED 65', [])).toEqual({
    cause: 'LOGIN_LOCKED',
    message: 'Too many wrong passwords: passwords of this account are not checked from this device for 65 s.',
  });
  expect(failureCause('LOGIN_LOCKED 121', []).message).toMatch(/for 3 min\.$/);
});

test('reports a wrong password of EAP-GTC and EAP-MD5, which the engine does not report', () => {
  const messages = ['eap-inner-1: Failed continuing EAP GTC (6) session.  EAP sub-module failed'];
  for (const method of ['GTC', 'MD5'])
    expect(failureCause(undefined, messages, method)).toEqual({
      cause: 'BAD_PASSWORD',
      message: 'The password is wrong.',
    });
  expect(failureCause(undefined, messages, 'PEAP').cause).toBe('OTHER');
  expect(failureCause('UNKNOWN_USER', messages, 'GTC').cause).toBe('UNKNOWN_USER');
  expect(failureCause(undefined, ['TLS Alert read:fatal:handshake failure'], 'MD5').cause).toBe('OTHER');
});
