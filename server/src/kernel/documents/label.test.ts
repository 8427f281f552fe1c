import { expect, test } from 'vitest';
import { labelOf } from './label.ts';

test.each([
  ['name', 'Name'],
  ['nasIdentifier', 'NAS identifier'],
  ['ipAddress', 'IP address'],
  ['dbid', 'ID'],
  ['ssids', 'SSIDs'],
  ['containerID', 'Container ID'],
  ['addToGroupIDs', 'Add to group IDs'],
  ['coaPort', 'CoA port'],
  ['snmpAuthenticationPasswordSet', 'SNMP authentication password set'],
  ['lastL2Poll', 'Last L2 poll'],
  ['httpNonProxyHosts', 'HTTP non proxy hosts'],
  ['bounceAfterVlanChange', 'Bounce after VLAN change'],
])('%s is called %s', (name, label) => {
  expect(labelOf(name)).toBe(label);
});
