import { expect, test } from 'vitest';
import { fillTemplate, hasVariable, templateFault, vlanValues } from './templates.ts';

test.each([
  ['plain', undefined],
  ['%ACCESS_VALUE%', undefined],
  ['%VALUE%/%VLAN%/%USER%', undefined],
  ['100%%', undefined],
  ['100%', 'has a percent sign that does not start a variable'],
  ['%SECRET%', 'has the unknown variable %SECRET%'],
  ['%access_value%', 'has the unknown variable %access_value%'],
  ['%constructor%', 'has the unknown variable %constructor%'],
])('%s: %s', (template, fault) => {
  if (fault === undefined) expect(templateFault(template)).toBeUndefined();
  else expect(templateFault(template)).toContain(fault);
});

test('fills variables once, without expanding their values again', () => {
  const values = { ACCESS_VALUE: '%MAC%', MAC: '00:1A:2B:3C:4D:5E' };
  expect(fillTemplate('a=%VALUE%;b=%MAC%;%%', values, 'drop')).toBe('a=%MAC%;b=00:1A:2B:3C:4D:5E;%');
});

test('a variable without a value removes the text, or stays unchanged', () => {
  expect(fillTemplate('role=%ROLE%', {}, 'drop')).toBeNull();
  expect(fillTemplate('role=%ROLE% 5%%', {}, 'keep')).toBe('role=%ROLE% 5%');
  expect(fillTemplate('role=%ROLE%', { ROLE: '' }, 'drop')).toBe('role=');
});

test('a doubled percent sign is not a variable', () => {
  expect(hasVariable('%%MAC%%')).toBe(false);
  expect(hasVariable('%%%MAC%')).toBe(true);
});

test('writes a VLAN as in RFC 4675', () => {
  expect(vlanValues(100)).toEqual({
    VLAN_ID: '100',
    EGRESS_TAGGED: String(0x31_00_00_64),
    EGRESS_UNTAGGED: String(0x32_00_00_64),
  });
});
