import { setTimeout as sleep } from 'node:timers/promises';
import { type Switches, type SwitchSpec, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { port } from '../../src/device/port/port.ts';
import type { World } from '../world/open-world.ts';

/** Simulated switches that the service has as devices and has polled. */
export interface ModelledSwitches extends Switches {
  deviceID(address: string): number;
  /** Returns the stored port by the number on the device. */
  portAt(address: string, number: number): Promise<Record<string, unknown>>;
}

const portsEach = 24;
const readMsMax = 180_000;

/**
 * Starts switches of 24 ports, creates their devices, and waits until the node has polled their interfaces. Switches
 * with SNMPv3 users are created as SNMPv3 devices.
 */
export async function modelSwitches(
  { admin, service }: World,
  specs: readonly SwitchSpec[],
  communitiesOf: (address: string) => string[] = () => ['public', 'private'],
): Promise<ModelledSwitches> {
  const switches = await startSwitches(specs.map((spec) => ({ ports: portsEach, ...spec })));
  const ids = new Map<string, number>();
  for (const spec of specs) {
    const body = { name: spec.sysName, ipAddress: spec.address, containerID: 1, snmpPort: switches.port };
    const reply = await admin.post('/device/snmp', { ...body, ...credentialsOf(spec, communitiesOf(spec.address)) });
    if (reply.code !== 201) throw new Error(reply.text);
    ids.set(spec.address, Number(String(reply.headers.location).split('/').at(-1)));
  }
  const isRead = async () => {
    const { rows } = await service.runtime.pool.query(
      `select from device_poll_result r where r.kind = 'l2' and r.succeeded_at is not null and r.device_id = any($1::bigint[])`,
      [[...ids.values()]],
    );
    return rows.length === specs.length;
  };
  for (const began = Date.now(); !(await isRead()); await sleep(50))
    if (Date.now() - began > readMsMax) throw new Error('the interfaces of the switches were not polled');
  const deviceID = (address: string) => ids.get(address)!;
  const portAt = async (address: string, number: number) => {
    const { name } = await switches.portOf(address, number);
    const path = `${port.path}/by-device?deviceID=${deviceID(address)}&filter=name==${name}`;
    return (await admin.get(path)).body.results![0]!;
  };
  return new Proxy(switches as ModelledSwitches, {
    get: (target, name) => ({ deviceID, portAt })[name as 'portAt'] ?? Reflect.get(target, name),
  });
}

function credentialsOf({ users: [user] = [] }: SwitchSpec, communities: readonly string[]): object {
  if (!user) return { snmpProtocol: 'V2C', snmpSecurityStrings: communities };
  return {
    snmpProtocol: 'V3_AUTH_PRIV',
    snmpUsername: user.userName,
    snmpAuthenticationProtocol: user.auth!.protocol,
    snmpAuthenticationPassword: user.auth!.password,
    snmpPrivacyProtocol: user.priv!.protocol,
    snmpPrivacyPassword: user.priv!.password,
  };
}
