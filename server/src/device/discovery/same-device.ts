/** Identifiers by which a device is recognised at another of its addresses. */
export interface DeviceIdentifiers {
  serialNumber: string | null;
  chassisMac: string | null;
  sysName: string;
}

const signsMin = 4;

/** Returns a serial number that identifies a device; null for placeholders of vendors. */
export function distinctiveSerial(serial: string | null): string | null {
  const signs = (serial ?? '').replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const isFiller =
    new Set(signs).size < 3 || /^(none|null|unknown|default|notavailable|notspecified|tobefilled)/.test(signs);
  return signs.length < signsMin || isFiller ? null : serial;
}

/** Returns why two devices are the same; null if they may be different. */
export function sameDevice(leftSigns: DeviceIdentifiers, rightSigns: DeviceIdentifiers): string | null {
  const serial = distinctiveSerial(leftSigns.serialNumber);
  if (serial !== null && serial.toLowerCase() === rightSigns.serialNumber?.toLowerCase())
    return `serial number ${serial}`;
  const isNamed = leftSigns.sysName !== '' && leftSigns.sysName.toLowerCase() === rightSigns.sysName.toLowerCase();
  return isNamed && leftSigns.chassisMac !== null && leftSigns.chassisMac === rightSigns.chassisMac
    ? `chassis ${leftSigns.chassisMac} and name ${leftSigns.sysName}`
    : null;
}

const nameMax = 128;

/**
 * Returns the name of a new device: its own name without the suffix of its container, or its address. If the name is
 * taken, the address is added.
 */
export function nameFor(
  sysName: string,
  address: string,
  suffix: string | null,
  isTaken: (name: string) => boolean,
): string {
  const ending = suffix ? `.${suffix.replace(/^\.+/, '')}` : '';
  const isSuffixed = ending.length > 1 && sysName.toLowerCase().endsWith(ending.toLowerCase());
  const bare = isSuffixed ? sysName.slice(0, -ending.length) : sysName;
  const name = bare.slice(0, nameMax).toWellFormed() || address;
  if (!isTaken(name)) return name;
  const place = `[${address}]`;
  return `${bare.slice(0, nameMax - place.length).toWellFormed()}${place}`;
}

/** True if the description is that of a wireless device. */
export const isWireless = (sysDescr: string): boolean => /\b(access point|wireless|wlan)\b/i.test(sysDescr);
