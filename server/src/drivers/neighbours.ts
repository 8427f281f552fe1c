import type { Value } from '../protocols/snmp/message.ts';
import type { Row } from '../protocols/snmp/snmp.ts';
import { bytesOf, deviceText, numberOf, textOf, unicastMac } from './device-text.ts';
import type { DeviceInterface, Neighbour } from './driver.ts';
import { addressText } from './forwarding.ts';

/** Columns of a table, joined by their index. */
type Columns = readonly (readonly Row[])[];

function joined(columns: Columns): { index: readonly number[]; values: (Value | undefined)[] }[] {
  const rows = new Map<string, { index: readonly number[]; values: (Value | undefined)[] }>();
  for (const [column, cells] of columns.entries()) {
    for (const { index, value } of cells) {
      const key = index.join('.');
      const row = rows.get(key) ?? { index, values: [] };
      row.values[column] = value;
      rows.set(key, row);
    }
  }
  return [...rows.values()];
}

type Interfaces = readonly Pick<DeviceInterface, 'ifIndex' | 'bridgePort' | 'name' | 'description' | 'alias' | 'mac'>[];

/** IEEE 802.1AB permits several kinds of ids; this number is the kind. */
const idKind = { alias: 1, macOfChassis: 4, macOfPort: 3, name: 5, local: 7 } as const;

/** lldpLocPortTable [subtype, id, description]: the interface of each local port number. */
export function readLocalPorts(columns: Columns, interfaces: Interfaces): Map<number, number> {
  return new Map(
    joined(columns).flatMap(({ index, values: [kind, id, description] }) => {
      const number = index.length === 1 ? index[0]! : 0;
      const localInterface = interfaceOf(number, numberOf(kind), id, textOf(description), interfaces);
      return localInterface?.ifIndex ? [[number, localInterface.ifIndex] as const] : [];
    }),
  );
}

/** The local port number is private to the agent; only the port id identifies the interface reliably. */
function interfaceOf(
  number: number,
  kind: number | undefined,
  id: Value | undefined,
  description: string,
  interfaces: Interfaces,
) {
  const text = textOf(id);
  const mac = unicastMac(bytesOf(id));
  const byId = interfaces.find((deviceInterface) => {
    if (kind === idKind.macOfPort) return mac !== null && deviceInterface.mac === mac;
    if (kind === idKind.alias) return text !== '' && deviceInterface.alias === text;
    if (kind === idKind.local && String(deviceInterface.ifIndex) === text) return true;
    return text !== '' && (deviceInterface.name === text || deviceInterface.description === text);
  });
  return (
    byId ??
    interfaces.find(
      (deviceInterface) =>
        description !== '' && (deviceInterface.description === description || deviceInterface.name === description),
    ) ??
    interfaces.find(({ ifIndex }) => ifIndex === number) ??
    interfaces.find(({ bridgePort }) => bridgePort === number)
  );
}

const lldpCapabilities = { bridge: 2, accessPoint: 3, router: 4, phone: 5 } as const;

/** lldpRemTable [chassis kind, chassis, port kind, port, description of system, name, capabilities] and the addresses of lldpRemManAddrTable. */
export function readLldp(
  columns: Columns,
  addresses: readonly Row[],
  localPorts: ReadonlyMap<number, number>,
): Neighbour[] {
  const managed = new Map<string, string[]>();
  for (const { index } of addresses) {
    const [time, port, remote, type, length, ...bytes] = index;
    // IANA address family: 1 is IPv4, 2 is IPv6.
    const isAddress = (type === 1 && length === 4) || (type === 2 && length === 16);
    if (!isAddress || bytes.length !== length || bytes.some((byte) => byte > 0xff)) continue;
    const key = `${time}.${port}.${remote}`;
    managed.set(key, [...(managed.get(key) ?? []), addressText(bytes)]);
  }
  return joined(columns).flatMap(
    ({ index, values: [chassisKind, chassis, portKind, port, description, name, capabilities] }) => {
      if (index.length !== 3) return [];
      return [
        {
          protocol: 'lldp' as const,
          ifIndex: localPorts.get(index[1]!) ?? null,
          chassisId: idText(chassis, numberOf(chassisKind) === idKind.macOfChassis),
          portId: idText(port, numberOf(portKind) === idKind.macOfPort),
          systemName: textOf(name),
          description: textOf(description),
          managementAddresses: managed.get(index.join('.')) ?? [],
          capabilities: capabilitiesIn(bytesOf(capabilities), lldpCapabilities),
        },
      ];
    },
  );
}

function idText(value: Value | undefined, isMac: boolean): string {
  const bytes = bytesOf(value);
  return (isMac ? unicastMac(bytes) : null) ?? (bytes ? deviceText(bytes) : '');
}

type Capability = Neighbour['capabilities'][number];

/** BITS of SMIv2: bit 0 is the most significant bit of the first byte. */
function capabilitiesIn(bytes: Buffer | undefined, bits: Partial<Record<Capability, number>>): Capability[] {
  return (Object.entries(bits) as [Capability, number][])
    .filter(([, bit]) => ((bytes?.[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0)
    .map(([name]) => name);
}

/** Bit positions in four bytes, from the most significant bit; a switch has the bridge bit. */
const cdpCapabilities = { phone: 24, bridge: 28, router: 31 } as const;

/**
 * cdpCacheTable [type of address, address, device, port, platform, capabilities]; the index starts with the interface.
 */
export function readCdp(columns: Columns, interfaces: Interfaces): Neighbour[] {
  return joined(columns).flatMap(({ index, values: [kind, address, device, port, platform, capabilities] }) => {
    const [ifIndex] = index;
    if (index.length !== 2) return [];
    const bytes = bytesOf(address);
    const isAddress = numberOf(kind) === 1 ? bytes?.length === 4 : numberOf(kind) === 20 && bytes?.length === 16;
    return [
      {
        protocol: 'cdp' as const,
        ifIndex: interfaces.some((deviceInterface) => deviceInterface.ifIndex === ifIndex) ? ifIndex! : null,
        chassisId: textOf(device),
        portId: textOf(port),
        systemName: textOf(device),
        description: textOf(platform),
        managementAddresses: isAddress ? [addressText([...bytes!])] : [],
        capabilities: capabilitiesIn(bytesOf(capabilities), cdpCapabilities),
      },
    ];
  });
}
