import fc from 'fast-check';
import { expect, test } from 'vitest';
import { vlanNumberOf } from './desired-port-state.ts';

const vlans = [
  { id: 10, name: 'office' },
  { id: 20, name: 'Office' },
  { id: 30, name: 'registration' },
];

test('a VLAN is meant by its number or by the name that the device has for it, in its letters if there are two', () => {
  expect(vlanNumberOf('30', vlans)).toBe(30);
  expect(vlanNumberOf('Registration', vlans)).toBe(30);
  expect(vlanNumberOf('Office', vlans)).toBe(20);
  expect(vlanNumberOf('office', vlans)).toBe(10);
  expect(vlanNumberOf('guests', vlans)).toBeNull();
  expect(vlanNumberOf('30a', vlans)).toBeNull();
});

test('a name is never taken for a VLAN of another name', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const vlanNumber = vlanNumberOf(text, vlans);
      if (vlanNumber === null || /^\d+$/.test(text)) return;
      expect(vlans.find(({ id }) => id === vlanNumber)!.name.toLowerCase()).toBe(text.toLowerCase());
    }),
  );
});
