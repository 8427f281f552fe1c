import { expect, test } from 'vitest';
import { accessOf, healthOf, placesOf, radiusRepliesOf, usersOf } from './over-time.ts';

const timestamp = '2026-11-18T10:00:00.000Z';
const ms = Date.parse(timestamp);
const change = {
  id: 7,
  timestamp: timestamp,
  deviceName: 'sw-1',
  portName: 'Gi1/0/7',
  accessState: 'QUARANTINE',
  toVlan: '99',
  success: true,
};
const answer = {
  id: 8,
  date: timestamp,
  nas: 'ap-2',
  nasPort: '3',
  ssid: 'Staff',
  username: 'ann',
  eapType: 'PEAP',
  reply: 'ACCEPT',
  message: 'Let in.',
};
const hrefOf = ({ id }: Readonly<Record<string, unknown>>) => `#${id}`;

test('accessOf returns successful port changes with their value', () => {
  expect(accessOf([change, { ...change, success: false }, { ...change, accessState: null }], hrefOf)).toEqual([
    { at: ms, label: 'Quarantine 99', tone: 'bad', href: '#7' },
  ]);
});

test('placesOf returns ports, and access points with their SSID', () => {
  expect(placesOf([change], [answer, { ...answer, ssid: null }]).map(({ label }) => label)).toEqual([
    'sw-1 Gi1/0/7',
    'ap-2 Staff',
    'ap-2 3',
  ]);
});

test('usersOf returns accepted users, without MAB', () => {
  const mab = { ...answer, eapType: 'MAB', username: '3c5ab4000002' };
  expect(usersOf([answer, mab, { ...answer, reply: 'REJECT', username: 'bo' }]).map(({ label }) => label)).toEqual([
    'ann',
  ]);
});

test('healthOf starts with the state before the first change', () => {
  const changeSource = { source: 'ADMIN', sourceName: 'ann', by: 'ann' };
  const changes = [
    { ...changeSource, timestamp: timestamp, from: 'SAFE', to: 'AT_RISK', reason: 'no disk encryption' },
  ];
  expect(healthOf(changes)).toEqual([
    { at: ms, label: 'At risk · no disk encryption', tone: 'bad' },
    { at: 0, label: 'Safe', tone: '' },
  ]);
  expect(healthOf([])).toEqual([]);
});

test('radiusRepliesOf marks rejects', () => {
  const reject = { ...answer, reply: 'REJECT', message: 'Wrong password.' };
  expect(radiusRepliesOf([answer, reject], hrefOf).map(({ label, tone }) => [label, tone])).toEqual([
    ['Accept · Let in.', ''],
    ['Reject · Wrong password.', 'bad'],
  ]);
});
