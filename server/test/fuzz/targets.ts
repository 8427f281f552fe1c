import { gzipSync } from 'node:zlib';
import { LinkFault, nextPosition } from '@portreeve/sdk/next-link.ts';
import { catalogue } from '../../src/catalogue.ts';
import { fullVisibility } from '../../src/kernel/access/visibility.ts';
import { Parameters } from '../../src/kernel/database/parameters.ts';
import type { Shape } from '../../src/kernel/declare/shape.ts';
import { Failure, type Fault } from '../../src/kernel/failure.ts';
import { readPosition } from '../../src/kernel/feed/feed.ts';
import { compileFilter } from '../../src/kernel/filter/compile.ts';
import { parseFilters } from '../../src/kernel/filter/parse.ts';
import { checkValue } from '../../src/kernel/format/check-value.ts';
import { CsvFault, readCsv } from '../../src/kernel/format/csv.ts';
import { readJson } from '../../src/kernel/format/json-reader.ts';
import { readXml } from '../../src/kernel/format/xml-reader.ts';
import { readManifest } from '../../src/kernel/log/archive-store.ts';
import { ArchivedRow } from '../../src/kernel/log/archived-row.ts';
import { checkLogPosition } from '../../src/kernel/log/log-feed.ts';
import { orderOf, readAfter, writeAfter } from '../../src/kernel/read/cursor.ts';
import { modelFor } from '../../src/node/start-service.ts';
import { readAccounting } from '../../src/protocols/radius/accounting.ts';
import {
  accountingAuthenticity,
  accountingResponse,
  decode,
  PacketError,
  statusServer,
} from '../../src/protocols/radius/packet.ts';
import { BerError } from '../../src/protocols/snmp/ber.ts';
import { decodeMessage, decodeScopedPdu, encodeCommunityMessage } from '../../src/protocols/snmp/message.ts';
import { contentsOf, deviceEventOf, readMacChanges } from '../../src/protocols/snmp/notification.ts';
import { attribute, rawAccountingRequest } from '../accounting/accounting-request.ts';

/** A parser of input from the network. It may refuse with its own errors, and with no other. */
export interface Target {
  name: string;
  read(input: Buffer): unknown;
  refuses: readonly (new (...args: never[]) => Error)[];
  /** Inputs to begin with. */
  seeds: readonly (string | Buffer)[];
  /** Words that change an input more than single bytes do. */
  words: readonly string[];
  /** Files whose code counts as reached, by the end of their path. */
  code: readonly string[];
}

const model = modelFor(catalogue);
const [host, event] = [model.byName('host'), model.byName('event')];
const archivedEvent = new ArchivedRow(event);

const shape: Shape = {
  kind: 'object',
  name: 'Fuzzed',
  properties: {
    name: { kind: 'text', min: 1, max: 60 },
    count: { kind: 'integer', min: 0, max: 100 },
    share: { kind: 'decimal', min: 0, max: 1 },
    on: { kind: 'flag' },
    at: { kind: 'time', nullable: true },
    mac: { kind: 'mac' },
    ip: { kind: 'address' },
    net: { kind: 'network' },
    kind: { kind: 'choice', values: ['ONE', 'TWO'] },
    items: {
      kind: 'list',
      item: { kind: 'object', name: 'Item', properties: { id: { kind: 'integer', min: 0, max: 9 } } },
      max: 5,
    },
    more: { kind: 'map', value: { kind: 'text', max: 10 }, max: 3 },
  },
};

const walk = { filter: [], sortKey: 'hostName' } as const;
const order = orderOf(host, walk);
const text = (input: Buffer): string => input.toString('utf8');

function notification(input: Buffer): void {
  const message = decodeMessage(input);
  const pdu = message.version === 'v3' ? undefined : message.pdu;
  const contents = pdu && contentsOf(pdu);
  if (contents) deviceEventOf(contents, true);
}

async function drained(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

export const targets: readonly Target[] = [
  {
    name: 'filter',
    refuses: [Failure],
    read(input) {
      const filter = parseFilters(text(input).split('\n'));
      if (filter) compileFilter(host, filter, new Parameters(), 0, fullVisibility);
    },
    seeds: [
      'hostName==core-*;(type==1,type==2)',
      'ip==10.0.0.0/8;creationTime=ge=-24h',
      'adapters==00:1D:09;health=in=(SAFE,AT_RISK)',
      "notes=='a\\'b';expirationDate=isnull=true",
      'deviceType.tag!=x,role=out=(a,"b c")\nenabled==true',
    ],
    words: [
      '==',
      '!=',
      '=in=(',
      '=out=(',
      '=isnull=',
      '=ge=',
      '=lt=',
      '>=',
      '"',
      "'",
      '\\',
      '*',
      ';',
      ',',
      '(',
      ')',
      'now',
      '-24h',
      '/8',
    ],
    code: ['filter/parse.ts', 'filter/compile.ts', 'values/mac.ts', 'values/address.ts', 'values/time.ts'],
  },
  {
    name: 'json',
    refuses: [Failure],
    read(input) {
      const faults: Fault[] = [];
      checkValue(shape, readJson(text(input)), '', faults);
    },
    seeds: [
      '{"name":"x","count":1,"share":0.5,"on":true,"at":null,"mac":"00:1D:09:3C:4D:5E","ip":"::1","net":"10.0.0.0/8"}',
      '{"items":[{"id":1},{}],"more":{"a":"b","constructor":"\\u00e9"},"kind":"ONE"}',
      '[1e3,-0,{"a":[[]]},"\\ud83d\\ude00"]',
    ],
    words: ['{', '}', '[', ']', ':', ',', '"', '\\u', '\\', 'true', 'false', 'null', '1e', '-', '__proto__', '.'],
    code: [
      'format/json-reader.ts',
      'format/check-value.ts',
      'format/text.ts',
      'values/mac.ts',
      'values/address.ts',
      'values/time.ts',
    ],
  },
  {
    name: 'xml',
    refuses: [Failure],
    read: (input) => readXml(text(input), shape),
    seeds: [
      '<?xml version="1.0" encoding="utf-8"?><request><name>x</name><count>1</count><on>true</on></request>',
      '<request><items><item><id>1</id></item></items><more><entry key="a">b</entry></more></request>',
      '<request xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><at i:nil="true"/><!-- c --><name><![CDATA[<]]></name></request>',
    ],
    words: [
      '<',
      '>',
      '</',
      '/>',
      '&lt;',
      '&#x41;',
      '&a;',
      '<!DOCTYPE',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?',
      '?>',
      'xmlns',
      'nil="1"',
      'key="',
    ],
    code: ['format/xml-reader.ts', 'format/text.ts'],
  },
  {
    name: 'ber',
    refuses: [BerError],
    read: notification,
    seeds: [
      encodeCommunityMessage({
        version: 'v2c',
        community: Buffer.from('public'),
        pdu: { type: 'get', requestId: 1, errorStatus: 0, errorIndex: 0, varbinds: [] },
      } as never),
      Buffer.from(
        '302902010104067075626c6963a71c02010102010002010030113 00f06082b060102010101004003010203'.replaceAll(' ', ''),
        'hex',
      ),
      Buffer.from(
        '303e020103301102010102030100000401040201030410300e0400020100020100040004000400302604000400a0200201010201000201003015301306082b060102010105000407737769746368',
        'hex',
      ),
    ],
    words: [
      '\x30\x82',
      '\x02\x01',
      '\x04\x00',
      '\x06\x01\x2b',
      '\xa7',
      '\xa4',
      '\x41',
      '\x43',
      '\x46',
      '\x84\xff\xff\xff\xff',
      '\x80',
    ],
    code: ['snmp/ber.ts', 'snmp/message.ts', 'snmp/notification.ts', 'snmp/oid.ts'],
  },
  {
    name: 'scoped-pdu',
    refuses: [BerError],
    read(input) {
      readMacChanges(input);
      decodeScopedPdu(input);
    },
    seeds: [
      Buffer.from('302604000400a0200201010201000201003015301306082b060102010105000407737769746368', 'hex'),
      Buffer.from('01000a001d093c4d5e0007', 'hex'),
    ],
    words: ['\x30', '\x04\x00', '\xa0', '\x02\x01\x00', '\x01', '\x02'],
    code: ['snmp/ber.ts', 'snmp/message.ts', 'snmp/notification.ts'],
  },
  {
    name: 'radius',
    refuses: [PacketError],
    read: decode,
    seeds: [
      statusServer({ secret: 'correct-horse', identifier: 1 } as never).bytes,
      Buffer.from('02010026000102030405060708090a0b0c0d0e0f5012000102030405060708090a0b0c0d0e0f', 'hex'),
    ],
    words: ['\x50\x12', '\x01\x03a', '\x00\x14', '\xff\xff', '\x02\x00'],
    code: ['radius/packet.ts'],
  },
  {
    name: 'accounting',
    refuses: [PacketError],
    read(input) {
      const packet = decode(input);
      accountingAuthenticity(packet, 'correct-horse');
      readAccounting(packet);
      return accountingResponse(packet, 'correct-horse');
    },
    seeds: [
      rawAccountingRequest({
        secret: 'correct-horse',
        isSigned: true,
        attributes: [
          [attribute.status, 3],
          [attribute.sessionID, 'AB12'],
          [attribute.sessionTime, 60],
          [attribute.inputOctets, 1],
          [attribute.inputGigawords, 1],
          [attribute.framedAddress, Buffer.of(10, 0, 0, 1)],
          [attribute.callingStation, '00-1D-09-00-00-01'],
          [attribute.proxyState, 'state'],
        ],
      }),
      rawAccountingRequest({ secret: 'correct-horse', attributes: [[attribute.status, 7]] }),
    ],
    words: ['\x28\x06\x00\x00\x00\x02', '\x2c\x03s', '\x21\x02', '\x50\x12', '\x34\x06\xff\xff\xff\xff', '\x00\x14'],
    code: ['radius/packet.ts', 'radius/accounting.ts'],
  },
  {
    name: 'csv',
    refuses: [CsvFault],
    read: (input) => drained(readCsv([input.subarray(0, input.length >> 1), input.subarray(input.length >> 1)])),
    seeds: ['adap.mac,host.name\r\n00:1D:09:3C:4D:5E,"a ""b"", c"\n', '\ufeffa,b\n\n1,2', '"x\ny",z\r'],
    words: ['"', '""', ',', '\n', '\r\n', '\ufeff', '\xff'],
    code: ['format/csv.ts'],
  },
  {
    name: 'archive',
    refuses: [Failure],
    read(input) {
      const [first = '', ...lines] = text(input).split('\n');
      for (const line of lines) archivedEvent.read(line, 1);
      readManifest(first);
    },
    seeds: [
      '{"log":"event","from":"2026-01-01T00:00:00.000Z","to":"2026-02-01T00:00:00.000Z","rows":1,"sha256":"00","bytes":1,"landscape":1,"schemaVersion":1}\n{"id":1,"landscape":1,"name":"X","elementType":4,"elementID":1,"timeOfEvent":"2026-01-02T00:00:00.000Z"}',
      gzipSync('x').toString('latin1'),
    ],
    words: ['{', '}', '"id":', '"rows":', '"from":', '"landscape":', 'null', '-1', '1e9', '"2026-01-01T00:00:00.000Z"'],
    code: ['log/archive-store.ts', 'log/archived-row.ts', 'format/check-value.ts'],
  },
  {
    name: 'cursor',
    refuses: [Failure],
    read: (input) => readAfter({ ...walk, after: text(input) }, order),
    seeds: [writeAfter(walk, order, 'a', 7), writeAfter(walk, order, null, 1), 'W10'],
    words: ['W', 'Wy', 'bnVsbA', 'Iiwi', '-', '_', '='],
    code: ['read/cursor.ts'],
  },
  {
    name: 'position',
    refuses: [Failure],
    read(input) {
      for (const check of [readPosition, checkLogPosition])
        try {
          check(text(input));
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
        }
    },
    seeds: [Buffer.from('7:9:7,8||0').toString('base64url'), Buffer.from('7:9:|7:12:9|44').toString('base64url')],
    words: ['NzE', 'fHw', 'Ojo', 'LDE', '-', '_'],
    code: ['feed/feed.ts', 'log/log-feed.ts'],
  },
  {
    name: 'link',
    refuses: [LinkFault],
    read: (input) => nextPosition(text(input)),
    seeds: [
      '</api/v2/host?after=abc>; rel="next"',
      '<https://x/y?a=1>; rel="prev", </h?after=a%2Cb>; title="a, b"; rel="last next"',
    ],
    words: ['<', '>', ';', ',', '"', 'rel=', 'next', 'after=', '\\', 'http://[', '%', '?'],
    code: ['next-link.ts'],
  },
];
