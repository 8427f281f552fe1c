import type { Value } from '@portreeve/server/protocols/snmp/message.ts';
import { compareOids, isBelow, type Oid, oid } from '@portreeve/server/protocols/snmp/oid.ts';
import { type HostBehind, macBytes, type Port, type SwitchState } from './state.ts';

/** One column of a table: its rows in the order of their indexes, and the value in each. */
interface Column {
  name: Oid;
  rows: readonly Row<unknown>[];
  value(row: unknown): Value;
}

interface Row<T> {
  index: Oid;
  item: T;
}

const integer = (value: number): Value => ({ type: 'integer', value });
const gauge = (value: number): Value => ({ type: 'gauge', value });
const ticks = (value: number): Value => ({ type: 'ticks', value });
const bytes = (value: Uint8Array): Value => ({ type: 'octets', value: Buffer.from(value) });
const text = (value: string): Value => ({ type: 'octets', value: Buffer.from(value, 'utf8') });
const name = (value: string): Value => ({ type: 'oid', value: oid(value) });
const address = (value: string): Value => ({ type: 'ipAddress', value: Buffer.from(value.split('.').map(Number)) });
const numbers = (address4: string): number[] => address4.split('.').map(Number);

const ifTypes = { physical: 6, vlan: 136, aggregate: 161, loopback: 24 } as const;
const fdbStatus = { learned: 3, self: 4, mgmt: 5 } as const;

/** The tables of a switch at this time, for one VLAN if the switch has separate tables for each VLAN. */
export class MibView {
  readonly #columns: Column[] = [];

  constructor(state: SwitchState, vlan: number | null) {
    this.#system(state);
    this.#interfaces(state);
    this.#addresses(state);
    if (state.kind !== 'router') this.#bridge(state, vlan);
    if (state.kind === 'qbridge') this.#vlanBridge(state);
    this.#radios(state);
    this.#entities(state);
    this.#lldp(state);
    if (state.kind === 'cisco') this.#cisco(state);
    this.#columns.sort((a, right) => compareOids(a.name, right.name));
  }

  get(requested: Oid): Value | undefined {
    const column = this.#columns[this.#columnAt(requested)];
    if (!column || !isBelow(column.name, requested)) return undefined;
    const index = requested.slice(column.name.length);
    const position = after(column.rows, index, true);
    const row = column.rows[position];
    return row && compareOids(row.index, index) === 0 ? column.value(row.item) : undefined;
  }

  next(requested: Oid): { oid: Oid; value: Value } | undefined {
    const firstColumn = Math.max(0, this.#columnAt(requested));
    for (let columnIndex = firstColumn; columnIndex < this.#columns.length; columnIndex += 1) {
      const column = this.#columns[columnIndex]!;
      const isInside = isBelow(column.name, requested);
      if (!isInside && compareOids(column.name, requested) < 0) continue;
      const row = column.rows[isInside ? after(column.rows, requested.slice(column.name.length), false) : 0];
      if (row) return { oid: [...column.name, ...row.index], value: column.value(row.item) };
    }
    return undefined;
  }

  /** Returns the last column whose name is not greater than this one. */
  #columnAt(requested: Oid): number {
    let low = 0;
    let high = this.#columns.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareOids(this.#columns[middle]!.name, requested) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #table<T>(entry: string, rows: readonly Row<T>[], columns: Record<number, (item: T) => Value>): void {
    const sorted = [...rows].sort((a, right) => compareOids(a.index, right.index));
    for (const [number, value] of Object.entries(columns)) {
      this.#columns.push({ name: oid(`${entry}.${number}`), rows: sorted, value: (item) => value(item as T) });
    }
  }

  #scalars(values: Record<string, () => Value>): void {
    for (const [scalar, value] of Object.entries(values)) {
      this.#columns.push({ name: oid(scalar), rows: [{ index: [0], item: null }], value });
    }
  }

  #system(state: SwitchState): void {
    const objectId = {
      cisco: '1.3.6.1.4.1.9.1.1208',
      router: '1.3.6.1.4.1.99999.2',
      qbridge: '1.3.6.1.4.1.99999.1',
      dot1d: '1.3.6.1.4.1.99999.3',
    };
    const words =
      state.kind === 'cisco' ? 'Cisco IOS Software, C2960X Software, Version 15.2(7)E3' : 'Lab switch, firmware 4.2.1';
    this.#scalars({
      '1.3.6.1.2.1.1.1': () => (state.mood === 'strange-texts' ? bytes(strangeText) : text(words)),
      '1.3.6.1.2.1.1.2': () => (state.mood === 'strange-types' ? integer(7) : name(objectId[state.kind])),
      '1.3.6.1.2.1.1.3': () => ticks(state.uptimeTicks),
      '1.3.6.1.2.1.1.4': () => text('noc@example.org'),
      '1.3.6.1.2.1.1.5': () => (state.mood === 'strange-texts' ? bytes(strangeText) : text(state.sysName)),
      '1.3.6.1.2.1.1.6': () => text('rack 4'),
      '1.3.6.1.2.1.1.7': () => integer(state.spec.forwards ? 6 : 2),
      '1.3.6.1.2.1.2.1': () => integer(state.ports.length),
      '1.3.6.1.6.3.10.2.1.1': () => bytes(state.engineId),
    });
  }

  /** IEEE802dot11-MIB: dot11StationID and dot11DesiredSSID. */
  #radios(state: SwitchState): void {
    const rows = (state.spec.ssids ?? []).map((ssid, index) => {
      const radio = state.byNumber(index + 1);
      return { index: [state.ifIndex(radio)], item: { ssid, mac: radio.mac } };
    });
    this.#table('1.2.840.10036.1.1.1', rows, { 1: ({ mac }) => bytes(mac), 9: ({ ssid }) => text(ssid) });
  }

  #interfaces(state: SwitchState): void {
    const rows = state.ports.map((port) => ({ index: [state.ifIndex(port)], item: port }));
    const isStrange = state.mood === 'strange-types';
    const texts = (value: (port: Port) => string) => (port: Port) =>
      isStrange ? integer(-1) : state.mood === 'strange-texts' ? bytes(strangeText) : text(value(port));
    this.#table('1.3.6.1.2.1.2.2.1', rows, {
      1: (port) => integer(state.ifIndex(port)),
      2: texts(({ description }) => description),
      3: ({ kind }) => (isStrange ? text('ethernet') : integer(ifTypes[kind])),
      4: () => integer(1_500),
      5: ({ kind }) =>
        gauge(kind === 'aggregate' ? 2_000_000_000 : kind === 'loopback' ? 4_294_967_295 : 1_000_000_000),
      6: ({ mac }) => (isStrange ? gauge(6) : bytes(mac)),
      7: ({ adminUp }) => (isStrange ? text('up') : integer(adminUp ? 1 : 2)),
      8: (port) => integer(state.operUp(port) ? 1 : 2),
      9: () => ticks(0),
    });
    this.#table('1.3.6.1.2.1.31.1.1.1', rows, {
      1: texts((port) => port.name),
      15: ({ kind }) => gauge(kind === 'aggregate' ? 2_000 : kind === 'loopback' ? 8_000 : 1_000),
      17: ({ kind }) => integer(kind === 'physical' ? 1 : 2),
      18: texts(({ alias }) => alias),
    });
    const members = rows.filter(({ item }) => item.isMember);
    const aggregate = state.ports.find(({ kind }) => kind === 'aggregate');
    this.#table('1.2.840.10006.300.43.1.2.1.1', aggregate ? members : [], {
      13: () => integer(state.ifIndex(aggregate!)),
    });
  }

  #addresses(state: SwitchState): void {
    const interfaces = [
      ...(state.spec.interfaces ?? []),
      // The management address: in its first VLAN, or on its loopback.
      { vlan: 1, address: state.spec.address, prefix: 24 },
    ];
    const ifIndexOf = (vlan: number) => {
      const port =
        state.ports.find((port) => port.kind === 'vlan' && port.vlan === vlan) ??
        state.ports.find(({ kind }) => kind === 'loopback')!;
      return state.ifIndex(port);
    };
    const routes = state.spec.routes ?? 1;
    this.#scalars({
      '1.3.6.1.2.1.4.1': () => integer(state.spec.forwards ? 1 : 2),
      '1.3.6.1.2.1.4.24.6': () => gauge(routes),
      '1.3.6.1.2.1.4.24.3': () => gauge(routes),
    });
    this.#table(
      '1.3.6.1.2.1.4.20.1',
      interfaces.map((entry) => ({ index: numbers(entry.address), item: entry })),
      {
        1: (entry) => address(entry.address),
        2: (entry) => integer(ifIndexOf(entry.vlan)),
        3: ({ prefix }) => address(netmask(prefix)),
      },
    );
    const arp = [...state.arp].map(([ip, { mac, vlan }]) => ({ ip, mac: macBytes(mac), ifIndex: ifIndexOf(vlan) }));
    const which = state.spec.arpTable ?? 'both';
    const old = which === 'new' ? [] : arp.filter(({ ip }) => !ip.includes(':'));
    this.#table(
      '1.3.6.1.2.1.4.22.1',
      old.map((entry) => ({ index: [entry.ifIndex, ...numbers(entry.ip)], item: entry })),
      {
        1: ({ ifIndex }) => integer(ifIndex),
        2: ({ mac }) => bytes(mac),
        3: ({ ip }) => address(ip),
        4: () => integer(3),
      },
    );
    this.#table(
      '1.3.6.1.2.1.4.35.1',
      (which === 'old' ? [] : arp).map((entry) => ({ index: neighbourIndex(entry.ifIndex, entry.ip), item: entry })),
      {
        4: ({ mac }) => bytes(mac),
        6: () => integer(3),
        7: () => integer(1),
      },
    );
  }

  #bridge(state: SwitchState, vlan: number | null): void {
    // A Cisco shows for each VLAN only the ports in it; their bridge port numbers appear nowhere else.
    const isVisible =
      state.kind === 'cisco' ? (port: Port) => port.kind === 'aggregate' || port.pvid === (vlan ?? 1) : () => true;
    const ports = state.ports.filter((port) => port.bridgePort > 0 && isVisible(port));
    this.#scalars({
      '1.3.6.1.2.1.17.1.1': () => bytes(state.chassis),
      '1.3.6.1.2.1.17.1.2': () => integer(ports.length),
    });
    this.#table(
      '1.3.6.1.2.1.17.1.4.1',
      ports.map((port) => ({ index: [port.bridgePort], item: port })),
      {
        1: ({ bridgePort }) => integer(bridgePort),
        2: (port) => integer(state.ifIndex(port)),
      },
    );
    if (state.kind === 'qbridge') return;
    const entries = forwarding(state).filter((entry) => state.kind === 'dot1d' || entry.vlan === (vlan ?? 1));
    this.#table(
      '1.3.6.1.2.1.17.4.3.1',
      entries.map((entry) => ({ index: [...entry.mac], item: entry })),
      {
        1: ({ mac }) => bytes(mac),
        2: ({ bridgePort }) => integer(bridgePort),
        3: ({ status }) => integer(fdbStatus[status]),
      },
    );
  }

  #vlanBridge(state: SwitchState): void {
    const vlans = [...state.vlans.values()];
    this.#table(
      '1.3.6.1.2.1.17.7.1.4.2.1',
      vlans.map((vlan) => ({ index: [0, vlan.id], item: vlan })),
      {
        3: ({ fdbId }) => gauge(fdbId),
        4: ({ egress }) => bytes(egress),
        5: ({ untagged }) => bytes(untagged),
        6: () => integer(2),
      },
    );
    this.#table(
      '1.3.6.1.2.1.17.7.1.4.3.1',
      vlans.map((vlan) => ({ index: [vlan.id], item: vlan })),
      {
        1: (vlan) => (state.mood === 'strange-texts' ? bytes(strangeText) : text(vlan.name)),
        2: ({ egress }) => bytes(egress),
        3: () => bytes(new Uint8Array(state.listLength)),
        4: ({ untagged }) => bytes(untagged),
        5: () => integer(1),
      },
    );
    const ports = state.ports.filter(({ bridgePort }) => bridgePort > 0);
    this.#table(
      '1.3.6.1.2.1.17.7.1.4.5.1',
      ports.map((port) => ({ index: [port.bridgePort], item: port })),
      { 1: ({ pvid }) => gauge(pvid) },
    );
    const entries = forwarding(state).map((entry) => ({
      index: [state.vlans.get(entry.vlan)?.fdbId ?? 0, ...entry.mac],
      item: entry,
    }));
    this.#table('1.3.6.1.2.1.17.7.1.2.2.1', entries, {
      2: ({ bridgePort }) => (state.mood === 'strange-types' ? text('port') : integer(bridgePort)),
      3: ({ status }) => integer(fdbStatus[status]),
    });
  }

  #entities(state: SwitchState): void {
    const serial = state.spec.serial ?? `SN${state.chassis.toString('hex').toUpperCase()}`;
    // The first entity of a stack has no serial number, and a power supply has one of its own.
    const entities = [
      { index: 1, class: 11, name: 'stack', serial: '', model: '', revision: '' },
      {
        index: 1_001,
        class: 3,
        name: 'chassis',
        serial,
        model: state.kind === 'cisco' ? 'WS-C2960X-48TS-L' : 'LAB-48',
        revision: '15.2(7)E3',
      },
      { index: 1_002, class: 6, name: 'power supply', serial: 'PSU000001', model: 'PWR-1', revision: '' },
    ];
    this.#table(
      '1.3.6.1.2.1.47.1.1.1.1',
      entities.map((entity) => ({ index: [entity.index], item: entity })),
      {
        2: (entity) => text(entity.name),
        5: (entity) => integer(entity.class),
        10: ({ revision }) => text(revision),
        11: (entity) => text(entity.serial),
        12: () => text(state.kind === 'cisco' ? 'Cisco Systems' : 'Lab'),
        13: ({ model }) => text(model),
      },
    );
  }

  #lldp(state: SwitchState): void {
    this.#scalars({
      '1.0.8802.1.1.2.1.3.1': () => integer(4),
      '1.0.8802.1.1.2.1.3.2': () => bytes(state.chassis),
      '1.0.8802.1.1.2.1.3.3': () => text(state.sysName),
    });
    const ports = state.ports.filter(({ kind }) => kind === 'physical');
    this.#table(
      '1.0.8802.1.1.2.1.3.7.1',
      ports.map((port) => ({ index: [lldpNumber(port)], item: port })),
      {
        2: () => integer(5),
        3: (port) => text(port.name),
        4: ({ description }) => text(description),
      },
    );
    const remotes = state.neighbours.flatMap((neighbour, index) => {
      const isShown = (neighbour.protocols ?? ['lldp', 'cdp']).includes('lldp');
      return isShown ? [{ index: [0, lldpNumber(state.byNumber(neighbour.port)), index + 1], item: neighbour }] : [];
    });
    this.#table('1.0.8802.1.1.2.1.4.1.1', remotes, {
      4: () => integer(4),
      5: ({ chassis }) => bytes(macBytes(chassis)),
      6: () => integer(5),
      7: ({ portId }) => (state.mood === 'strange-texts' ? bytes(strangeText) : text(portId)),
      8: ({ portId }) => text(portId),
      9: ({ sysName }) => (state.mood === 'strange-texts' ? bytes(strangeText) : text(sysName)),
      10: () => text('A neighbour'),
      11: () => bytes(Buffer.of(0x28, 0)),
      12: () => bytes(Buffer.of(0x20, 0)),
    });
    this.#table(
      '1.0.8802.1.1.2.1.4.2.1',
      remotes.map(({ index, item }) => ({ index: [...index, 1, 4, ...numbers(item.managementAddress)], item })),
      {
        3: () => integer(2),
        4: () => integer(1),
        5: () => name('0.0'),
      },
    );
  }

  #cisco(state: SwitchState): void {
    const defaults = [1002, 1003, 1004, 1005].map((id) => ({ id, name: `unused-${id}`, type: id % 2 === 0 ? 2 : 3 }));
    const vlans = [...[...state.vlans.values()].map((vlan) => ({ ...vlan, type: 1 })), ...defaults];
    this.#table(
      '1.3.6.1.4.1.9.9.46.1.3.1.1',
      vlans.map((vlan) => ({ index: [1, vlan.id], item: vlan })),
      {
        2: () => integer(1),
        3: ({ type }) => integer(type),
        4: (vlan) => text(vlan.name),
      },
    );
    const access = state.ports.filter(({ kind, isMember }) => kind === 'physical' && !isMember);
    this.#table(
      '1.3.6.1.4.1.9.9.68.1.2.2.1',
      access.map((port) => ({ index: [state.ifIndex(port)], item: port })),
      {
        1: () => integer(1),
        2: ({ pvid }) => integer(pvid),
      },
    );
    const cached = state.neighbours.filter(({ protocols }) => (protocols ?? ['lldp', 'cdp']).includes('cdp'));
    this.#table(
      '1.3.6.1.4.1.9.9.23.1.2.1.1',
      cached.map((neighbour, index) => ({
        index: [state.ifIndex(state.byNumber(neighbour.port)), index + 1],
        item: neighbour,
      })),
      {
        3: () => integer(1),
        4: ({ managementAddress }) => bytes(Buffer.from(numbers(managementAddress))),
        5: () => text('Version 15.2'),
        6: ({ sysName }) => text(sysName),
        7: ({ portId }) => text(portId),
        8: () => text('cisco WS-C2960X'),
        9: () => bytes(Buffer.of(0, 0, 0, 0x28)),
      },
    );
  }
}

/** Neither the bridge port nor the ifIndex, as the standard permits. */
const lldpNumber = (port: Port): number => 200 + port.number;

/** Neither UTF-8 nor printable, and longer than a DisplayString may be. */
const strangeText = Buffer.concat([Buffer.from([0xff, 0x00, 0x1b, 0x5b, 0x0a, 0xc3]), Buffer.alloc(600, 'x')]);

interface Forwarding {
  vlan: number;
  mac: Buffer;
  bridgePort: number;
  status: NonNullable<HostBehind['status']>;
}

function forwarding(state: SwitchState): Forwarding[] {
  const seenKeys = new Set<string>();
  const entries: Forwarding[] = [{ vlan: 1, mac: state.chassis, bridgePort: 0, status: 'self' }];
  for (const port of state.ports) {
    if (port.bridgePort === 0 || !state.operUp(port)) continue;
    for (const { mac, vlan = port.pvid, status = 'learned' } of port.hosts) {
      const key = `${vlan} ${mac}`;
      if (!seenKeys.has(key)) entries.push({ vlan, mac: macBytes(mac), bridgePort: port.bridgePort, status });
      seenKeys.add(key);
    }
  }
  return entries;
}

/** Returns the first row after the index, or at it. */
function after(rows: readonly Row<unknown>[], index: Oid, orAt: boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareOids(rows[middle]!.index, index);
    if (order < 0 || (order === 0 && !orAt)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function netmask(prefix: number): string {
  const mask = prefix === 0 ? 0 : (0xffff_ffff << (32 - prefix)) >>> 0;
  return [24, 16, 8, 0].map((shift) => (mask >>> shift) & 0xff).join('.');
}

/** RFC 4293: InetAddressType 1 or 2, then the length and the bytes. */
function neighbourIndex(ifIndex: number, ip: string): Oid {
  if (!ip.includes(':')) return [ifIndex, 1, 4, ...numbers(ip)];
  const [head = '', tail = ''] = ip.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, groupsAfter] = [groups(head), groups(tail)];
  const all = [...before, ...Array<number>(8 - before.length - groupsAfter.length).fill(0), ...groupsAfter];
  return [ifIndex, 2, 16, ...all.flatMap((group) => [group >> 8, group & 0xff])];
}
