import { expect, test } from 'vitest';
import { nameOf } from './actions.ts';

test.each([
  ['Disable a Host', 'Disable host'],
  ['Create an AAA server, or update the one with the given identity', 'Create AAA server'],
  ['Delete Access policy records, all or none', 'Delete access policy records'],
  ['Delete a user; hosts lose the owner and the logged-on user', 'Delete user'],
  ['Change ports: up to 20 of one device in the request, more as a background task', 'Change ports'],
  ['Mark a host at risk, or clear causes of its risk', 'Mark host at risk'],
  [
    'Read interfaces, VLANs, SSIDs and neighbours of devices again, as a background task',
    'Read interfaces, VLANs, SSIDs and neighbours of devices again',
  ],
  ['Change the Proxy settings; absent fields keep their value', 'Change proxy settings'],
  ['Unlock', 'Unlock'],
])('the name of "%s" is "%s"', (summary, name) => {
  expect(nameOf({ summary })).toBe(name);
});
