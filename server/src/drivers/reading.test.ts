import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../protocols/snmp/message.ts';
import type { Oid } from '../protocols/snmp/oid.ts';
import type { Row, Snmp } from '../protocols/snmp/snmp.ts';
import { deviceText, unicastMac } from './device-text.ts';
import {
  addressText,
  macOfIndex,
  readBridgePorts,
  readDatabases,
  readMediaTable,
  readNumbers,
  readPhysicalTable,
  readTransparentTable,
  readVlanTable,
} from './forwarding.ts';
import { readCdp, readLldp, readLocalPorts } from './neighbours.ts';
import { readTime } from './ping.ts';
import { readRadios } from './snmp-reading.ts';

const integer = (index: Oid, value: number): Row => ({ index, value: { type: 'integer', value } });
const octets = (index: Oid, value: string | Buffer): Row => ({
  index,
  value: { type: 'octets', value: Buffer.from(value) },
});
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** Any value, as a hostile device could send it. */
const anyValue: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ type: fc.constantFrom('integer' as const, 'gauge' as const), value: fc.integer() }),
  fc.record({
    type: fc.constant('octets' as const),
    value: fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
  }),
  fc.record({ type: fc.constant('null' as const), value: fc.constant(null) }),
  fc.record({ type: fc.constant('oid' as const), value: fc.constant([1, 3]) }),
  fc.record({ type: fc.constant('counter64' as const), value: fc.bigInt({ min: 0n, max: 1n << 63n }) }),
);
const anyRows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({ index: fc.array(fc.integer({ min: 0, max: 0xffff_ffff }), { maxLength: 12 }), value: anyValue }),
  { maxLength: 12 },
);

describe('what a device calls something', () => {
  test('is one line of valid Unicode without control characters, no longer than it may be', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.integer({ min: 1, max: 80 }), (name, max) => {
        const text = deviceText(name, max);
        expect(Array.from(text).length).toBeLessThanOrEqual(max);
        expect(text).not.toMatch(/[\p{Cc}\p{Cs}\p{Cn}]/u);
        expect(text.isWellFormed()).toBe(true);
        expect(text).toBe(text.trim());
      }),
    );
  });

  test.each([
    ['Cisco IOS\r\nVersion 15', 'Cisco IOS Version 15'],
    ['Büro 3. Stock', 'Büro 3. Stock'],
    ['name\0\0\0', 'name'],
    ['\u001b[31mred', '[31mred'],
  ])('%j becomes %j', (rawText, shown) => {
    expect(deviceText(Buffer.from(rawText, 'utf8'))).toBe(shown);
  });

  test('is read as Latin-1 when it is no UTF-8', () => {
    expect(deviceText(Buffer.from('Büro', 'latin1'))).toBe('Büro');
  });
});

describe('forwarding tables', () => {
  const ifIndexes = new Map([
    [7, 10_107],
    [33, 10_125],
  ]);

  test('give each MAC address the interface of its bridge port, and the VLAN of its database', () => {
    const [mac, ownMac, group] = [
      [2, 0, 0, 0, 0, 7],
      [2, 0, 0, 0, 0, 8],
      [1, 0, 0, 0, 0, 9],
    ];
    const ports = [
      integer([1_003, ...mac!], 7),
      integer([1_003, ...ownMac!], 33),
      integer([1_003, ...group!], 7),
      integer([9, ...mac!], 0),
    ];
    const statuses = [integer([1_003, ...mac!], 3), integer([1_003, ...ownMac!], 4)];
    expect(readVlanTable({ ports, statuses, ifIndexes }, readDatabases([integer([0, 20], 1_003)]))).toEqual([
      { mac: '02:00:00:00:00:07', vlan: 20, portId: '10107', status: 'learned' },
      { mac: '02:00:00:00:00:08', vlan: 20, portId: '10125', status: 'other' },
    ]);
  });

  test('have every MAC address once, read from its index', () => {
    const hosts = fc.uniqueArray(
      bytes(6).map((mac) => [mac[0]! & 0xfe, ...mac.subarray(1, 5), mac[5]! | 1]),
      { selector: String, maxLength: 50 },
    );
    fc.assert(
      fc.property(hosts, (macs) => {
        const entries = readTransparentTable(
          { ports: macs.map((mac) => integer(mac, 7)), statuses: [], ifIndexes },
          30,
        );
        expect(entries.map(({ mac }) => mac)).toEqual(macs.map((mac) => unicastMac(Uint8Array.from(mac))));
        expect(
          entries.every(({ vlan, portId, status }) => vlan === 30 && portId === '10107' && status === 'learned'),
        ).toBe(true);
      }),
    );
  });

  test('take no number above 255 for part of a MAC address', () => {
    expect(macOfIndex([2, 0, 0, 0, 0, 256])).toBeNull();
    expect(macOfIndex([2, 0, 0, 0, 0])).toBeNull();
    expect(macOfIndex([2, 0, 0, 0, 0, 255])).toBe('02:00:00:00:00:FF');
  });

  test('know bridge ports by the number of their interface, and none that cannot be', () => {
    const rows = [integer([7], 10_107), integer([0], 1), integer([4_000_000_000], 2), integer([7, 1], 3)];
    expect(readBridgePorts(rows)).toEqual(new Map([[10_107, 7]]));
  });

  test('survive whatever a device answers', () => {
    fc.assert(
      fc.property(anyRows, anyRows, (ports, statuses) => {
        const tables = { ports, statuses, ifIndexes: readNumbers(statuses) };
        for (const { mac } of [
          ...readTransparentTable(tables, null),
          ...readVlanTable(tables, readDatabases(statuses)),
        ]) {
          expect(mac).toMatch(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/);
        }
      }),
    );
  });
});

describe('address tables', () => {
  const mac = Buffer.from('020000000007', 'hex');

  test('of both kinds agree for IPv4, and the newer one has IPv6', () => {
    const expected = [{ ifIndex: 10, ip: '10.1.2.3', mac: '02:00:00:00:00:07' }];
    expect(readMediaTable([octets([10, 10, 1, 2, 3], mac)])).toEqual(expected);
    expect(readPhysicalTable([octets([10, 1, 4, 10, 1, 2, 3], mac)])).toEqual(expected);
    const v6 = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    expect(readPhysicalTable([octets([10, 2, 16, ...v6], mac)])).toEqual([
      { ifIndex: 10, ip: '2001:db8::1', mac: '02:00:00:00:00:07' },
    ]);
  });

  test('survive whatever a device answers', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        for (const { ip } of [...readMediaTable(rows), ...readPhysicalTable(rows)])
          expect(URL.canParse(`http://${ip.includes(':') ? `[${ip}]` : ip}`)).toBe(true);
      }),
    );
  });

  test('write IPv4 with dots', () => {
    fc.assert(
      fc.property(bytes(4), (ip) => {
        expect(addressText([...ip])).toBe(ip.join('.'));
      }),
    );
  });
});

describe('neighbours', () => {
  const interfaces = [
    {
      ifIndex: 10_101,
      bridgePort: 1,
      name: 'Gi1/0/1',
      description: 'GigabitEthernet1/0/1',
      alias: 'to the core',
      mac: '02:00:00:00:00:01',
    },
    {
      ifIndex: 10_102,
      bridgePort: 2,
      name: 'Gi1/0/2',
      description: 'GigabitEthernet1/0/2',
      alias: '',
      mac: '02:00:00:00:00:02',
    },
  ];

  test.each([
    ['its name', 5, 'Gi1/0/2'],
    ['its alias', 1, 'to the core'],
    ['its MAC address', 3, Buffer.from('020000000002', 'hex')],
    ['its number', 7, '10102'],
    ['its description', 7, 'GigabitEthernet1/0/2'],
  ])('are on the interface that the device reports by %s', (_what, kind, id) => {
    const localPorts = readLocalPorts([[integer([77], kind)], [octets([77], id)], []], interfaces);
    expect(localPorts).toEqual(new Map([[77, id === 'to the core' ? 10_101 : 10_102]]));
  });

  test('are on the bridge port of that number if the device reports nothing else', () => {
    expect(readLocalPorts([[integer([2], 7)], [octets([2], '')], []], interfaces)).toEqual(new Map([[2, 10_102]]));
  });

  test('of LLDP come with their addresses and abilities', () => {
    const index = [0, 77, 1];
    const columns = [
      [integer(index, 4)],
      [octets(index, Buffer.from('02aa00000000', 'hex'))],
      [integer(index, 5)],
      [octets(index, 'Te1/1/1')],
      [octets(index, 'A core switch')],
      [octets(index, 'core')],
      [octets(index, Buffer.of(0x28, 0))],
    ];
    const addresses = [
      integer([...index, 1, 4, 10, 0, 0, 1], 1),
      integer([...index, 1, 4, 10, 0, 0, 999], 1),
      integer([...index, 6, 6, 2, 0, 0, 0, 0, 1], 1),
    ];
    expect(readLldp(columns, addresses, new Map([[77, 10_101]]))).toEqual([
      {
        protocol: 'lldp',
        ifIndex: 10_101,
        chassisId: '02:AA:00:00:00:00',
        portId: 'Te1/1/1',
        systemName: 'core',
        description: 'A core switch',
        managementAddresses: ['10.0.0.1'],
        capabilities: ['bridge', 'router'],
      },
    ]);
  });

  test('survive whatever a device answers', () => {
    fc.assert(
      fc.property(fc.array(anyRows, { minLength: 7, maxLength: 7 }), anyRows, (columns, addresses) => {
        readLldp(columns, addresses, readLocalPorts(columns.slice(0, 3), interfaces));
        for (const { ifIndex } of readCdp(columns, interfaces)) expect([10_101, 10_102, null]).toContain(ifIndex);
      }),
    );
  });
});

test('answers to ping are read by address', () => {
  expect(readTime('10.0.0.1 (0.42 ms)')).toEqual(['10.0.0.1', 0.42]);
  expect(readTime('2001:db8::1 (12.0 ms)')).toEqual(['2001:db8::1', 12]);
  expect(readTime('ICMP Host Unreachable from 10.0.0.9')).toBeUndefined();
});

test('reads networks and addresses of radios, and ignores a network without a name', async () => {
  const octetsAt = (radio: number, value: string | Buffer) => octets([radio], value);
  const columns = [
    [octetsAt(7, 'corp'), octetsAt(8, 'corp'), octetsAt(9, '')],
    [octetsAt(7, Buffer.from('020000000100', 'hex')), octetsAt(8, Buffer.from('020000000200', 'hex'))],
  ];
  const snmp = { walk: async () => columns } as unknown as Snmp;
  const device = {
    key: '1',
    host: '192.0.2.1',
    snmp: { port: 161, timeoutMs: 1, retries: 0, credential: { version: 'v2c', community: 'x' } },
  } as const;
  expect(await readRadios(snmp, device)).toMatchObject([
    { portId: 'ssid:corp', kind: 'ssid', mac: '02:00:00:00:01:00' },
    { portId: 'ssid:corp', kind: 'ssid', mac: '02:00:00:00:02:00' },
  ]);
});
