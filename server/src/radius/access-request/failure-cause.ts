import type { EngineRefusal } from '../engine-files/engine-files.ts';
import { type Cause, causes } from '../radius-response/radius-response.ts';

/** Messages of the engine for rejects, with their cause. */
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
 * Matches a fatal TLS alert (RFC 8446, section 6.2) in messages of FreeRADIUS and OpenSSL, such as "TLS Alert read:fatal:unknown CA". An
 * alert that was read was sent by the supplicant, which rejects the certificate of this service; one that was written is our rejection.
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
      write: 'The certificate was issued by an authority that is not trusted.',
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
      read: 'The supplicant rejects the certificate of this service.',
      write: 'The certificate is not accepted.',
    },
  ],
];

/** Returns the message for a failed handshake that does not concern certificates: versions, ciphers, malformed messages. */
const otherAlert = (direction: string, alert: string): string =>
  direction === 'read'
    ? `The supplicant ended the TLS handshake: ${alert}.`
    : `The TLS handshake with the supplicant failed: ${alert}.`;

/** Returns the cause of a fatal alert; undefined if the text has none. */
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
  UNKNOWN_USER: 'There is no network user with this name.',
  ACCOUNT_DISABLED: 'The account is disabled.',
  ACCOUNT_EXPIRED: 'The account has expired.',
  BAD_PASSWORD: 'The password is wrong.',
  CERT_EXPIRED: 'The certificate has expired.',
  CERT_UNTRUSTED: 'The certificate was issued by an authority that is not trusted.',
  CERT_REVOKED: 'The certificate was revoked.',
  EAP_TYPE_REFUSED: 'The supplicant and the RADIUS profile have no EAP type in common.',
};

const refusals: Readonly<Record<EngineRefusal, string>> = {
  mabEnabled: 'The RADIUS profile of the device does not accept MAC authentication: mabEnabled is off.',
  papEnabled: 'The RADIUS profile of the device does not accept PAP: papEnabled is off.',
  chapEnabled: 'The RADIUS profile of the device does not accept CHAP and MS-CHAPv2: chapEnabled is off.',
  noEapType: 'The RADIUS profile of the device offers no EAP type: EAP-TLS requires a trusted authority.',
  repeatedName:
    'The password repeats the user name, but the request is not MAC authentication: that requires Service-Type Call-Check, or the MAC address of Calling-Station-Id as name and NAS-Port-Type Ethernet or wireless.',
  msChap1: 'MS-CHAPv1 is not accepted outside a tunnel: the password can be computed from it.',
  noCredential: 'The request has no credential.',
};

const isRefusal = (text: string | undefined): text is EngineRefusal =>
  text !== undefined && Object.hasOwn(refusals, text);

/** Matches the message of a failed call to a node, after which the engine called another node. */
const isOfCall = /^rest\w*: /;

const lockedPattern = /^LOGIN_LOCKED (\d+)$/;

/** Returns the reason of a locked login, which the engine sends back with the reject. */
export const lockedReason = (seconds: number): string => `LOGIN_LOCKED ${seconds}`;

const lockedMessage = (seconds: number): string => {
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `Too many wrong passwords: passwords of this account are not checked from this device for ${time}.`;
};

const isCause = (text: string | undefined): text is Cause => causes.includes(text as Cause);

/** EAP types that check only a password, but for which the engine does not report a wrong password as the cause. */
const silentPasswordTypes: ReadonlySet<string> = new Set(['GTC', 'MD5']);

/** Returns the cause of a reject before a decision: from the reason of the node, otherwise from the engine's messages, otherwise by method. */
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
  // A rejection by the supplicant also causes OpenSSL errors on this side, which would name the wrong certificate.
  if (alert && /Alert read:fatal/i.test(engineMessage)) return alert;
  const reportedCause = isCause(reason) ? reason : patterns.find(([pattern]) => pattern.test(engineMessage))?.[1];
  const cause =
    reportedCause ?? (alert === undefined && silentPasswordTypes.has(method ?? '') ? 'BAD_PASSWORD' : undefined);
  if (cause === undefined)
    return alert ?? { cause: 'OTHER', message: engineMessage || 'The engine rejected the request.' };
  return { cause, message: words[cause] ?? (engineMessage || 'The engine rejected the request.') };
}
