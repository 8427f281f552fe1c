import { expect, test } from 'vitest';
import { clusterPlace, originOf } from './config.ts';

test.each([
  ['10.0.0.11:18122', { address: '10.0.0.11', port: 18_122 }],
  ['[2001:db8::11]:18122', { address: '2001:db8::11', port: 18_122 }],
  ['', undefined],
])('parses %j as a cluster address', (text, place) => {
  expect(clusterPlace(text)).toEqual(place);
});

test.each(['10.0.0.11', 'node-1:18122', '10.0.0.11:0', '10.0.0.11:70000', '2001:db8::11:18122', '[10.0.0.11]:18122'])(
  'refuses %j as a cluster address',
  (text) => {
    expect(() => clusterPlace(text)).toThrow(/must be an address with a port|is not a port/);
  },
);

test.each([
  ['https://nac.example', 'https://nac.example'],
  ['https://NAC.example:443/', 'https://nac.example'],
  ['http://10.0.0.11:8443', 'http://10.0.0.11:8443'],
  ['', ''],
])('reads the public URL %j as the origin %j', (text, origin) => {
  expect(originOf(text)).toBe(origin);
});

test.each(['nac.example', 'https://nac.example/console', 'ftp://nac.example', 'https://user@nac.example'])(
  'refuses the public URL %j',
  (text) => {
    expect(() => originOf(text)).toThrow('publicUrl must be a URL without a path');
  },
);
