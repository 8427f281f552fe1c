import { isIPv6 } from 'node:net';
import type { EngineAttribute } from '../../protocols/radius-engine/rest-calls.ts';
import type { AccessDevice } from './access-devices.ts';

/** Returns the attributes from which the engine creates a client for an access device. */
export function clientOf({ id, address, secret, profileID, mustSign }: AccessDevice): readonly EngineAttribute[] {
  const client = (name: string, value: string): EngineAttribute => ({
    list: 'control',
    attribute: `FreeRADIUS-Client-${name}`,
    values: [value],
  });
  return [
    client(isIPv6(address) ? 'IPv6-Address' : 'IP-Address', address),
    client('Secret', secret),
    client('Shortname', String(id)),
    client('Require-MA', mustSign ? 'yes' : 'no'),
    client('Virtual-Server', `access-${profileID}`),
  ];
}
