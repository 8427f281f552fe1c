import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DeviceIdentifiers, distinctiveSerial, nameFor, sameDevice } from './same-device.ts';

const box: DeviceIdentifiers = { serialNumber: 'FOC1234X0AB', chassisMac: '02:AA:00:00:00:01', sysName: 'core' };

test('a box is the same by its serial number, or by its chassis and name together', () => {
  expect(sameDevice(box, { ...box, chassisMac: null, sysName: 'other' })).toBe('serial number FOC1234X0AB');
  expect(sameDevice(box, { ...box, serialNumber: null, sysName: 'CORE' })).toBe(
    'chassis 02:AA:00:00:00:01 and name core',
  );
  expect(sameDevice(box, { ...box, serialNumber: null, chassisMac: null })).toBeNull();
  expect(sameDevice(box, { ...box, serialNumber: null, sysName: 'other' })).toBeNull();
  expect(sameDevice({ ...box, sysName: '' }, { ...box, serialNumber: null, sysName: '' })).toBeNull();
});

test('what stands where a serial number is missing makes no two boxes one', () => {
  for (const serial of [null, '', '0', '0000000000', 'N/A', 'None', 'Not Specified', 'xxxxxxxx', '1111-1111'])
    expect(distinctiveSerial(serial), String(serial)).toBeNull();
  for (const serial of ['FOC1234X0AB', 'SN02AA11', '4711-0815']) expect(distinctiveSerial(serial)).toBe(serial);
});

test('to be the same goes both ways', () => {
  const signs = fc.record({
    serialNumber: fc.constantFrom(null, '', 'N/A', 'FOC1234X0AB', 'FOC1234X0AC'),
    chassisMac: fc.constantFrom(null, '02:AA:00:00:00:01', '02:AA:00:00:00:02'),
    sysName: fc.constantFrom('', 'core', 'Core', 'edge'),
  });
  fc.assert(
    fc.property(signs, signs, (left, right) => {
      expect(sameDevice(left, right) === null).toBe(sameDevice(right, left) === null);
    }),
  );
});

test('a device is called by its own name without the suffix, by its address without one, by both when the name is taken', () => {
  const free = () => false;
  expect(nameFor('sw-1.campus.example', '10.0.0.1', 'campus.example', free)).toBe('sw-1');
  expect(nameFor('sw-1.CAMPUS.example', '10.0.0.1', '.campus.example', free)).toBe('sw-1');
  expect(nameFor('sw-1.other.example', '10.0.0.1', 'campus.example', free)).toBe('sw-1.other.example');
  expect(nameFor('', '10.0.0.1', null, free)).toBe('10.0.0.1');
  expect(nameFor('sw-1', '10.0.0.1', null, (name) => name === 'sw-1')).toBe('sw-1[10.0.0.1]');
});

test('a name always fits, is never empty, and one that is taken is never given', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.ipV6(),
      fc.boolean(),
      (sysName, address, isTaken) => {
        const name = nameFor(sysName, address, null, (candidate) => isTaken && !candidate.endsWith(`[${address}]`));
        expect(name.length).toBeGreaterThan(0);
        expect(name.length).toBeLessThanOrEqual(128);
        expect(name.isWellFormed()).toBe(true);
        if (isTaken) expect(name.endsWith(`[${address}]`)).toBe(true);
      },
    ),
  );
});
