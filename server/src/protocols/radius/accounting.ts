import { type Packet, PacketError } from './packet.ts';

/** Acct-Status-Type values that change connections (RFC 2866 section 5.1). */
const statusNames: Readonly<Record<number, AccountingStatus>> = {
  1: 'START',
  2: 'STOP',
  3: 'INTERIM',
  7: 'ON',
  8: 'OFF',
};

/** `OTHER`: a type that reports no connection, such as those of tunnels (RFC 2867). */
export type AccountingStatus = 'START' | 'STOP' | 'INTERIM' | 'ON' | 'OFF' | 'OTHER';

/** The content of an Accounting-Request. Absent attributes are null. */
export interface AccountingReport {
  status: AccountingStatus;
  /** Acct-Session-Id; null only if the packet reports no session. */
  sessionID: string | null;
  multiSessionID: string | null;
  /** Acct-Session-Time. */
  seconds: number | null;
  /** Seconds that the packet waited in the access device. */
  delaySeconds: number;
  inputOctets: number | null;
  outputOctets: number | null;
  /** Acct-Terminate-Cause. */
  terminateCause: number | null;
  /** Framed-IP-Address. */
  address: string | null;
  /** Attributes that identify the adapter and its place, with the names that the RADIUS dictionary has for them. */
  attributes: ReadonlyMap<string, readonly string[]>;
}

const type = {
  userName: 1,
  nasPort: 5,
  serviceType: 6,
  framedAddress: 8,
  calledStation: 30,
  callingStation: 31,
  nasIdentifier: 32,
  status: 40,
  delayTime: 41,
  inputOctets: 42,
  outputOctets: 43,
  sessionID: 44,
  sessionTime: 46,
  terminateCause: 49,
  multiSessionID: 50,
  inputGigawords: 52,
  outputGigawords: 53,
  nasPortID: 87,
} as const;

/** A packet that waited longer is taken for a device whose clock is wrong, and its delay is ignored. */
const delaySecondsMax = 86_400;
/** The largest number that JSON clients read exactly; a counter of 64 bits never gets there. */
const octetsMax = BigInt(Number.MAX_SAFE_INTEGER);

const texts = {
  'User-Name': type.userName,
  'Called-Station-Id': type.calledStation,
  'Calling-Station-Id': type.callingStation,
  'NAS-Identifier': type.nasIdentifier,
  'NAS-Port-Id': type.nasPortID,
} as const;

/** Service-Type 10, in the name that a MAC authentication is recognised by. */
const callCheck = 10;

/** Reads an Accounting-Request; throws a PacketError if a required attribute is absent or a length is invalid. */
export function readAccounting({ attributes }: Packet): AccountingReport {
  const values = new Map<number, Buffer>();
  // Of a repeated attribute the first one counts.
  for (const { type: number, value } of attributes) if (!values.has(number)) values.set(number, value);
  const integer = (number: number): number | null => {
    const value = values.get(number);
    if (!value) return null;
    if (value.length !== 4) throw new PacketError(`attribute ${number} is not an integer`);
    return value.readUInt32BE(0);
  };
  const statusNumber = integer(type.status);
  if (statusNumber === null) throw new PacketError('Acct-Status-Type is absent');
  const status = statusNames[statusNumber] ?? 'OTHER';
  const sessionID = textOf(values.get(type.sessionID));
  const isOfSession = status === 'START' || status === 'STOP' || status === 'INTERIM';
  if (isOfSession && sessionID === null) throw new PacketError('Acct-Session-Id is absent');
  const delaySeconds = integer(type.delayTime) ?? 0;
  return {
    status,
    sessionID,
    multiSessionID: textOf(values.get(type.multiSessionID)),
    seconds: integer(type.sessionTime),
    delaySeconds: delaySeconds > delaySecondsMax ? 0 : delaySeconds,
    inputOctets: octetsOf(integer(type.inputGigawords), integer(type.inputOctets)),
    outputOctets: octetsOf(integer(type.outputGigawords), integer(type.outputOctets)),
    terminateCause: integer(type.terminateCause),
    address: addressOf(values.get(type.framedAddress)),
    attributes: placeAttributes(values, integer(type.nasPort), integer(type.serviceType)),
  };
}

function placeAttributes(
  values: ReadonlyMap<number, Buffer>,
  nasPort: number | null,
  serviceType: number | null,
): ReadonlyMap<string, readonly string[]> {
  const textEntries = Object.entries(texts).flatMap(([name, number]) => {
    const text = textOf(values.get(number));
    return text === null ? [] : [[name, [text]] as const];
  });
  return new Map([
    ...textEntries,
    ...(nasPort === null ? [] : [['NAS-Port', [String(nasPort)]] as const]),
    ...(serviceType === callCheck ? [['Service-Type', ['Call-Check']] as const] : []),
  ]);
}

/** Zero bytes are removed, because no text column stores them. */
function textOf(value: Buffer | undefined): string | null {
  const text = value?.toString('utf8').replaceAll('\0', '');
  return text ? text : null;
}

/** Joins the two halves of a counter (RFC 2869 section 5.1). Gigawords alone are ignored: they count overflows of the other half. */
function octetsOf(gigawords: number | null, octets: number | null): number | null {
  if (octets === null) return null;
  const sum = (BigInt(gigawords ?? 0) << 32n) + BigInt(octets);
  return Number(sum > octetsMax ? octetsMax : sum);
}

/** Returns an address that a host can have: 255.255.255.255 and 255.255.255.254 mean that it is negotiated (RFC 2865 section 5.8). */
function addressOf(value: Buffer | undefined): string | null {
  if (value?.length !== 4) return null;
  const [first = 0] = value;
  return first === 0 || first === 127 || first >= 224 ? null : value.join('.');
}
