import type { EngineRefusal } from '../engine-files/engine-files.ts';
import { type Cause, causes } from '../radius-response/radius-response.ts';

/** What the engine says when it rejects, and what that means. */
const patterns: readonly [RegExp, Cause][] = [
  [/certificate revoked/i, 'CERT_REVOKED'],
  [/certificate has expired|certificate is not yet valid/i, 'CERT_EXPIRED'],
  [
    /unable to get (local )?issuer|self.signed certificate|unknown ca|certificate verify failed|unable to verify/i,
    'CERT_UNTRUSTED',
  ],
  [/NAK|no mutually acceptable|No common EAP|unsupported EAP/i, 'EAP_TYPE_REFUSED'],
  [/password|MS-CHAP2?-Response is incorrect|Password comparison failed|E=691/i, 'BAD_PASSWORD'],
];

/**
 * A fatal TLS alert in the words of FreeRADIUS and OpenSSL (RFC 8446, section 6.2), such as "TLS Alert read:fatal:unknown CA". An alert
 * that was read came from the supplicant, which refuses the certificate of this service; one that was written is our refusal.
 */
const alertPattern = /Alert (read|write):fatal:([a-z ]+)/i;

interface AlertCauses {
  cause: Cause;
  read: string;
  write: string;
}

const certificateAlerts: readonly [RegExp, AlertCauses][] = [
  [
    /unknown ca/i,
    {
      cause: 'CERT_UNTRUSTED',
      read: 'The supplicant does not trust the certificate of this service.',
      write: 'The certificate is of an authority that is not trusted.',
    },
  ],
  [
    /certificate expired/i,
    {
      cause: 'CERT_EXPIRED',
      read: 'The supplicant reports that the certificate of this service has expired.',
      write: 'The certificate has expired.',
    },
  ],
  [
    /certificate revoked/i,
    {
      cause: 'CERT_REVOKED',
      read: 'The supplicant reports that the certificate of this service was revoked.',
      write: 'The certificate was revoked.',
    },
  ],
  [
    /bad certificate|unsupported certificate|certificate unknown/i,
    {
      cause: 'CERT_UNTRUSTED',
      read: 'The supplicant refuses the certificate of this service.',
      write: 'The certificate is not accepted.',
    },
  ],
];

/** A refused handshake that concerns no certificate: versions, ciphers, broken messages. */
const otherAlert = (direction: string, alert: string): string =>
  direction === 'read'
    ? `The supplicant ended the TLS handshake: ${alert}.`
    : `The TLS handshake with the supplicant failed: ${alert}.`;

/** The cause in a fatal alert; undefined if the text has none. */
function alertCause(text: string): { cause: Cause; message: string } | undefined {
  const [, word = '', description = ''] = alertPattern.exec(text) ?? [];
  if (word === '') return undefined;
  const direction = word.toLowerCase() === 'read' ? 'read' : 'write';
  const alert = description.trim();
  const causes = certificateAlerts.find(([pattern]) => pattern.test(alert))?.[1];
  return causes
    ? { cause: causes.cause, message: causes[direction] }
    : { cause: 'OTHER', message: otherAlert(direction, alert) };
}

const words: Partial<Record<Cause, string>> = {
  UNKNOWN_USER: 'There is no network user of that name.',
  ACCOUNT_DISABLED: 'The account is disabled.',
  ACCOUNT_EXPIRED: 'The account has expired.',
  BAD_PASSWORD: 'The password is wrong.',
  CERT_EXPIRED: 'The certificate has expired.',
  CERT_UNTRUSTED: 'The certificate is of an authority that is not trusted.',
  CERT_REVOKED: 'The certificate was revoked.',
  EAP_TYPE_REFUSED: 'The two sides share no EAP type.',
};

const refusals: Readonly<Record<EngineRefusal, string>> = {
  mabEnabled: 'The RADIUS profile of the device takes no MAC authentication: mabEnabled is off.',
  papEnabled: 'The RADIUS profile of the device takes no PAP: papEnabled is off.',
  chapEnabled: 'The RADIUS profile of the device takes neither CHAP nor MS-CHAPv2: chapEnabled is off.',
  noEapType: 'The RADIUS profile of the device offers no EAP type: EAP-TLS needs an authority that is trusted.',
  repeatedName:
    'The name is repeated as the password, which is MAC authentication only with Service-Type Call-Check, or where it is the MAC address in Calling-Station-Id and NAS-Port-Type is Ethernet or wireless.',
  msChap1: 'MS-CHAPv1 is not accepted outside a tunnel: the password can be computed from it.',
  noCredential: 'The request has nothing that proves who it is for.',
};

const isRefusal = (text: string | undefined): text is EngineRefusal =>
  text !== undefined && Object.hasOwn(refusals, text);

/** Of a call to a node that was down, after which another one was asked. */
const isOfCall = /^rest\w*: /;

const lockedPattern = /^LOGIN_LOCKED (\d+)$/;

/** Reason that the engine returns with the reject of a locked login. */
export const lockedReason = (seconds: number): string => `LOGIN_LOCKED ${seconds}`;

const lockedMessage = (seconds: number): string => {
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `Too many wrong passwords: passwords of this account are not checked from this device for ${time}.`;
};

const isCause = (text: string | undefined): text is Cause => causes.includes(text as Cause);

/** EAP types whose failure is reported by the engine without a word about the password, although nothing else is checked in them. */
const silentPasswordTypes: ReadonlySet<string> = new Set(['GTC', 'MD5']);

/** The cause of a reject before a decision: what the node returned, else what the engine reports, else what the method checks. */
export function failureCause(
  reason: string | undefined,
  messages: readonly string[],
  method?: string | null,
): { cause: Cause; message: string } {
  const lockedSeconds = lockedPattern.exec(reason ?? '')?.[1];
  if (lockedSeconds !== undefined) return { cause: 'LOGIN_LOCKED', message: lockedMessage(Number(lockedSeconds)) };
  if (isRefusal(reason)) return { cause: 'OTHER', message: refusals[reason] };
  const engineMessage = messages.filter((message) => !isOfCall.test(message)).join('; ');
  const alert = isCause(reason) ? undefined : alertCause(engineMessage);
  // A refusal by the supplicant also ends in errors of OpenSSL on this side, which would blame the wrong certificate.
  if (alert && /Alert read:fatal/i.test(engineMessage)) return alert;
  const reportedCause = isCause(reason) ? reason : patterns.find(([pattern]) => pattern.test(engineMessage))?.[1];
  const cause =
    reportedCause ?? (alert === undefined && silentPasswordTypes.has(method ?? '') ? 'BAD_PASSWORD' : undefined);
  if (cause === undefined)
    return alert ?? { cause: 'OTHER', message: engineMessage || 'The engine rejected the request.' };
  return { cause, message: words[cause] ?? (engineMessage || 'The engine rejected the request.') };
}
