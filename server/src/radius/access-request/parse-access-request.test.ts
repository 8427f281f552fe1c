import { expect, test } from 'vitest';
import { readRequest } from './parse-access-request.ts';

test.each([
  ['ward\x1b[2J3', 'ward[2J3'],
  ['\x01guests\x0b', 'guests'],
  ['a\nb', 'a b'],
  ['\x01', 'unnamed'],
])('reads the network name %j as one line', (networkName, ssid) => {
  expect(readRequest(new Map([['Called-Station-Id', [`00-11-22-33-44-55:${networkName}`]]])).ssid).toBe(ssid);
});

test('removes NUL characters from names of ports and networks', () => {
  const attributes = new Map([
    ['NAS-Port-Id', ['Gi1/0/7\0']],
    ['NAS-Port', ['\0' + '7']],
    ['Called-Station-Id', ['00-11-22-33-44-55:gue\0sts']],
  ]);
  expect(readRequest(attributes)).toMatchObject({ portName: 'Gi1/0/7', portNumber: '7', ssid: 'guests' });
});
