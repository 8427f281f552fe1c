import { deviceText } from '../../drivers/device-text.ts';
import { readMac } from '../../kernel/values/mac.ts';
import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';
import { isMacAuthentication } from '../engine-files/engine-files.ts';

/** An Access-Request, with the properties that decisions need. */
export interface AccessRequest {
  /** MAC address of the host; null: the request has none. */
  mac: string | null;
  userName: string;
  isMab: boolean;
  /** Name of the wireless network; null: wired. */
  ssid: string | null;
  /** Address of the radio. */
  bssid: string | null;
  /** Name of the port; null: the request has none. */
  portName: string | null;
  /** Number of the port; null: the request has none. */
  portNumber: string | null;
  /** Attributes that may be shown and that policies can use: no passwords, challenges or keys. */
  attributes: ReadonlyMap<string, string | readonly string[]>;
}

/** True for attributes that only the engine may read. */
const isConfidential = (name: string): boolean =>
  /Password|Challenge|Response|CHAP|EAP-Message|Message-Authenticator|^State$|Key|Module-Failure-Message/i.test(name);

/** Reads a MAC address without its separators, because some devices separate only the halves (`aabbcc-ddeeff`). */
const macIn = (text = ''): string | null => readMac(text.replaceAll(/[-:.]/g, '')) || null;

/** `AA-BB-CC-DD-EE-FF:name` (RFC 3580): the radio and the network. */
const calledStation = /^((?:[0-9A-Fa-f]{2}[-:.]?){5}[0-9A-Fa-f]{2}):(.{1,32})$/s;

/** Returns the name of a network as one line, like names that SNMP reads; `unnamed` if no character can be stored. */
const ssidText = (ssid: string): string => deviceText(Buffer.from(ssid)) || 'unnamed';

export function readRequest(attributes: PacketAttributes): AccessRequest {
  const first = (name: string) => attributes.get(name)?.[0];
  // The database cannot store NUL characters.
  const textOf = (name: string) => first(name)?.replaceAll('\0', '') ?? null;
  const userName = first('User-Name') ?? '';
  const isMab = isMacAuthentication(attributes);
  const [, radio, ssid] = calledStation.exec(textOf('Called-Station-Id') ?? '') ?? [];
  const shownAttributes = [...attributes].filter(([name]) => !isConfidential(name));
  return {
    mac: macIn(first('Calling-Station-Id')) ?? (isMab ? macIn(userName) : null),
    userName: first('Stripped-User-Name') ?? userName,
    isMab,
    ssid: ssid === undefined ? null : ssidText(ssid),
    bssid: macIn(radio),
    portName: textOf('NAS-Port-Id'),
    portNumber: textOf('NAS-Port'),
    attributes: new Map(shownAttributes.map(([name, values]) => [name, values.length === 1 ? values[0]! : values])),
  };
}
