import { deviceText, unicastMac } from './device-text.ts';
import type { ArpEntry } from './driver.ts';

/** Reads the output of hostapd_cli and ip; unknown lines are skipped. */

const linesMax = 100_000;
const linesOf = (output: string): string[] => output.split('\n', linesMax).map((line) => line.trim());
const macLine = /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i;
const interfaceName = /^[\w.-]{1,15}$/;

const macOf = (text: string): string | null =>
  macLine.test(text) ? unicastMac(Buffer.from(text.replaceAll(':', ''), 'hex')) : null;

/** A BSS of an access point. */
export interface Bss {
  interfaceName: string;
  ssid: string;
  bssid: string | null;
  isUp: boolean;
}

/** `hostapd_cli interface`: names of the radios and their additional networks. */
export function readInterfaceNames(output: string): string[] {
  const lines = linesOf(output);
  const start = lines.findIndex((line) => line.startsWith('Available interfaces'));
  // `global` is the control socket of all interfaces, not an interface.
  return start < 0 ? [] : lines.slice(start + 1).filter((line) => interfaceName.test(line) && line !== 'global');
}

/** `hostapd_cli status`: `state=`, and `bss[n]=`, `ssid[n]=`, `bssid[n]=` for each network of the radio. */
export function readBsses(output: string): Bss[] {
  const values = new Map(linesOf(output).flatMap((line) => [pairOf(line)]));
  const isUp = values.get('state') === 'ENABLED';
  return [...values].flatMap(([key, name]) => {
    const bssIndex = /^bss\[(\d{1,3})\]$/.exec(key)?.[1];
    if (bssIndex === undefined || !interfaceName.test(name)) return [];
    const ssid = deviceText(Buffer.from(values.get(`ssid[${bssIndex}]`) ?? '', 'utf8'), 128);
    return [{ interfaceName: name, ssid, bssid: macOf(values.get(`bssid[${bssIndex}]`) ?? ''), isUp }];
  });
}

/** `hostapd_cli get_config`: `key_mgmt=` is the authentication method. */
export function readSecurity(output: string): 'OPEN' | 'PSK' | 'ENTERPRISE' | 'UNKNOWN' {
  const values = new Map(linesOf(output).map(pairOf));
  if (!values.has('ssid')) return 'UNKNOWN';
  const methods = values.get('key_mgmt') ?? '';
  if (/EAP/.test(methods)) return 'ENTERPRISE';
  return /PSK|SAE/.test(methods) ? 'PSK' : 'OPEN';
}

function pairOf(line: string): [string, string] {
  const separator = line.indexOf('=');
  return separator < 0 ? [line, ''] : [line.slice(0, separator), line.slice(separator + 1)];
}

export interface Station {
  mac: string;
  isAuthorized: boolean;
  vlan: number | null;
}

/** `hostapd_cli all_sta`: a MAC address, followed by the lines of that station. */
export function readStations(output: string): Station[] {
  const stations: Station[] = [];
  for (const line of linesOf(output)) {
    const mac = macOf(line);
    if (mac !== null) stations.push({ mac, isAuthorized: false, vlan: null });
    const station = stations.at(-1);
    if (!station) continue;
    const [key, value] = pairOf(line);
    if (key === 'flags') station.isAuthorized = value.includes('[AUTHORIZED]');
    if (key === 'vlan_id' && /^\d{1,4}$/.test(value)) station.vlan = Number(value);
  }
  return stations;
}

/** `ip -j neigh`; undefined for invalid output. */
export function readNeighbourTable(output: string): ArpEntry[] | undefined {
  let entries: unknown;
  try {
    entries = JSON.parse(output);
  } catch {
    return undefined; // the caller reports it as a fault of the device
  }
  if (!Array.isArray(entries)) return undefined;
  return entries.flatMap((entry: { dst?: unknown; lladdr?: unknown; state?: unknown } | null) => {
    // FAILED and INCOMPLETE entries have no link-layer address, or an old one.
    const isLost =
      Array.isArray(entry?.state) && entry.state.some((state) => state === 'FAILED' || state === 'INCOMPLETE');
    const mac = typeof entry?.lladdr === 'string' ? macOf(entry.lladdr) : null;
    if (isLost || mac === null || typeof entry?.dst !== 'string' || !/^[0-9a-f.:]{2,45}$/i.test(entry.dst)) return [];
    return [{ ip: entry.dst, mac, ifIndex: null }];
  });
}
