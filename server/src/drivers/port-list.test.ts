import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasPort, isSamePorts, portsIn, withoutPorts, withPorts } from './port-list.ts';

const list = fc.uint8Array({ maxLength: 40 });
const ports = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 20 });

describe('port lists', () => {
  test('have their first port in the most significant bit of the first byte', () => {
    expect(Buffer.from(withPorts(new Uint8Array(0), [1])).toString('hex')).toBe('80');
    expect(Buffer.from(withPorts(new Uint8Array(2), [8, 9])).toString('hex')).toBe('0180');
    expect(portsIn(Uint8Array.of(0x81, 0x40))).toEqual([1, 8, 10]);
  });

  test('have a port after it was added, and not after it was taken away, and the others as before', () => {
    fc.assert(
      fc.property(list, ports, (before, changed) => {
        const added = withPorts(before, changed);
        expect(portsIn(added)).toEqual([...new Set([...portsIn(before), ...changed])].sort((a, b) => a - b));
        expect(portsIn(withoutPorts(added, changed))).toEqual(
          portsIn(before).filter((port) => !changed.includes(port)),
        );
        expect(changed.every((port) => hasPort(added, port))).toBe(true);
      }),
    );
  });

  test('never get shorter, and are the same whatever zeros follow', () => {
    fc.assert(
      fc.property(list, ports, fc.integer({ min: 0, max: 60 }), (before, changed, lengthMin) => {
        const longer = withPorts(before, [], lengthMin);
        expect(longer.length).toBe(Math.max(before.length, lengthMin));
        expect(isSamePorts(before, longer)).toBe(true);
        expect(withoutPorts(before, changed).length).toBe(before.length);
        expect(isSamePorts(before, withPorts(before, changed))).toBe(changed.every((port) => hasPort(before, port)));
      }),
    );
  });

  test('are not changed in place', () => {
    const before = Uint8Array.of(0);
    withPorts(before, [1]);
    expect(before).toEqual(Uint8Array.of(0));
  });

  test.each([0, -1, 1.5])('know no port %d', (port) => {
    expect(() => hasPort(new Uint8Array(1), port)).toThrow('is no bridge port');
  });
});
