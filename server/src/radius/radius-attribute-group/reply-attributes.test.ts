import { expect, test } from 'vitest';
import { type AttributeGroup, type ReplyGroup, replyAttributes } from './reply-attributes.ts';

const group = (...attributes: [attribute: string, tag: number, ...responseValues: string[]][]): AttributeGroup => ({
  name: 'sample',
  attributes: attributes.map(([attribute, tag, ...responseValues]) => ({ attribute, tag, responseValues })),
});
const device = (attributeGroup: AttributeGroup): ReplyGroup => ({ from: 'DEVICE', group: attributeGroup });
const network = (attributeGroup: AttributeGroup): ReplyGroup => ({ from: 'LOGICAL_NETWORK', group: attributeGroup });
const vlan = (tag: number) =>
  group(
    ['Tunnel-Type', tag, 'VLAN'],
    ['Tunnel-Medium-Type', tag, 'IEEE-802'],
    ['Tunnel-Private-Group-Id', tag, '%VALUE%'],
  );

const writeReply = (groups: readonly ReplyGroup[], values = {}) =>
  replyAttributes(groups, values).map(
    ({ attribute, tag, values: sentValues, from: origin }) => `${attribute}:${tag}=${sentValues.join('|')} ${origin}`,
  );

test('takes attributes that cannot repeat from the logical network, and repeatable ones from both groups', () => {
  const groups = [
    device(group(['Session-Timeout', 0, '60'], ['Cisco-AVPair', 0, 'a=1'], ['Filter-Id', 0, 'device'])),
    network(group(['Cisco-AVPair', 0, 'b=2', 'c=3'], ['Session-Timeout', 0, '90'], ['Filter-Id', 0, 'network'])),
  ];
  expect(writeReply(groups)).toEqual([
    'Cisco-AVPair:0=a=1 DEVICE',
    'Filter-Id:0=device DEVICE',
    'Cisco-AVPair:0=b=2|c=3 LOGICAL_NETWORK',
    'Session-Timeout:0=90 LOGICAL_NETWORK',
    'Filter-Id:0=network LOGICAL_NETWORK',
  ]);
});

test('treats attributes with different tags as different', () => {
  expect(writeReply([device(vlan(1)), network(vlan(2))], { ACCESS_VALUE: '20' })).toHaveLength(6);
  expect(writeReply([device(vlan(1)), network(vlan(1))], { ACCESS_VALUE: '20' })).toEqual([
    'Tunnel-Type:1=VLAN LOGICAL_NETWORK',
    'Tunnel-Medium-Type:1=IEEE-802 LOGICAL_NETWORK',
    'Tunnel-Private-Group-Id:1=20 LOGICAL_NETWORK',
  ]);
});

test('omits a value that cannot be filled, and sends that of the device instead', () => {
  const role = [device(group(['Aruba-User-Role', 0, 'guest'])), network(group(['Aruba-User-Role', 0, '%ROLE%']))];
  expect(writeReply(role)).toEqual(['Aruba-User-Role:0=guest DEVICE']);
  expect(writeReply(role, { ROLE: 'staff' })).toEqual(['Aruba-User-Role:0=staff LOGICAL_NETWORK']);
  expect(replyAttributes(role, {}, 'keep').map(({ values }) => values)).toEqual([['%ROLE%']]);
});
