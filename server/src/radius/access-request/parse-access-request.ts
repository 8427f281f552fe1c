import { deviceText } from '../../drivers/device-text.ts';
import { readMac } from '../../kernel/values/mac.ts';
import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';
import { isMacAuthentication } from '../engine-files/engine-files.ts';

/** What an access device asks: whether somebody may come in, and where. */
export interface AccessRequest {
  /** Null: it names none. */
  mac: string | null;
  userName: string;
  isMab: boolean;
  /** Name of the wireless network; null: it is asked for a wire. */
  ssid: string | null;
  /** Address of the radio. */
  bssid: string | null;
  /** Name of the port; null: it names none. */
  portName: string | null;
  /** Number of the port; null: it has none. */
  portNumber: string | null;
  /** What may be shown, and what policies may look at: no passwords, challenges, keys. */
  attributes: ReadonlyMap<string, string | readonly string[]>;
}

/** What nobody but the engine may know. */
const isConfidential = (name: string): boolean =>
  /Password|Challenge|Response|CHAP|EAP-Message|Message-Authenticator|^State$|Key|Module-Failure-Message/i.test(name);

/** Some devices separate the two halves alone (`aabbcc-ddeeff`): nothing between is what all of them have in common. */
const macIn = (text = ''): string | null => readMac(text.replaceAll(/[-:.]/g, '')) || null;

/** `AA-BB-CC-DD-EE-FF:name` (RFC 3580): the radio and the network. */
const calledStation = /^((?:[0-9A-Fa-f]{2}[-:.]?){5}[0-9A-Fa-f]{2}):(.{1,32})$/s;

/** Names of networks are stored as one line, as names are that SNMP reads; one without any character that can be stored has a name all the same. */
const ssidText = (ssid: string): string => deviceText(Buffer.from(ssid)) || 'unnamed';

export function readRequest(attributes: PacketAttributes): AccessRequest {
  const first = (name: string) => attributes.get(name)?.[0];
  // Nothing that is stored has zeros, and the database takes none.
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
