import { connect } from '../kernel/database/connect.ts';
import { EngineProcess } from '../protocols/radius-engine/engine-process.ts';
import { type SeenReply, sendAccessRequest } from '../protocols/radius-engine/radclient.ts';
import {
  type FoundDevice,
  findAccessDevice,
  markAttribute,
  markOf,
  readNote,
  type TestNote,
} from '../radius/access-request/access-request.service.ts';
import { testAddress } from '../radius/engine-files/engine-files.ts';
import type { Config } from './config.ts';
import { readMadeFor } from './radius-supervisor.ts';

/** A test login, as an access device would send it. */
export interface TriedLogin {
  /** Name, address or id. */
  device: string;
  mac: string;
  port?: string | undefined;
  ssid?: string | undefined;
  /** Absent for MAB, by the MAC address alone. */
  user?: { name: string; password: string } | undefined;
}

/** The reply to a test login. */
export interface TestLoginReply extends SeenReply {
  device: string;
  /** Null if no node responded. */
  note: TestNote | null;
  /** Milliseconds from sending the packet until the reply was read. */
  tookMs: number;
}

/** The reason why a login cannot be tested, for the administrator. */
export class LoginNotTestableError extends Error {}

/** Sends a packet through the engine of this node. It is decided as if it came from an access device, and is not stored. */
export async function tryLogin(config: Config, login: TriedLogin): Promise<TestLoginReply> {
  if (config.radiusFolder === '')
    throw new LoginNotTestableError('This node runs no RADIUS engine: radiusFolder is not set.');
  if (config.radiusHost.includes(':'))
    throw new LoginNotTestableError(`The engine listens at ${config.radiusHost}; tests need an IPv4 address.`);
  const { id, name, address, profileID, authPort } = await requireTestableDevice(config, login.device);
  const source = testAddress(profileID);
  if (source === undefined) throw new LoginNotTestableError(`The id of profile ${profileID} is too high for a test.`);
  const engine = new EngineProcess(config.radiusFolder);
  const running = await engine.running();
  const madeFor = running && (await readMadeFor(engine, running.generation));
  if (!madeFor)
    throw new LoginNotTestableError(`No engine of ${config.radiusFolder} is running, or another user started it.`);
  const startedMs = performance.now();
  const reply = await sendAccessRequest({
    source,
    host: config.radiusHost === '*' ? '127.0.0.1' : config.radiusHost,
    port: authPort,
    secret: madeFor.statusSecret,
    dictionary: engine.folderOf(running.generation),
    tries: 1,
    waitSeconds: 5,
    attributes: {
      ...attributesOf(login),
      ...(address !== null && { [address.includes(':') ? 'NAS-IPv6-Address' : 'NAS-IP-Address']: address }),
      [markAttribute]: `0x${Buffer.from(markOf(id)).toString('hex')}`,
    },
  });
  const tookMs = performance.now() - startedMs;
  const receivedAttributes = reply.attributes.filter(
    (attribute) => attribute.name !== markAttribute && !isKey.test(attribute.name),
  );
  return { device: name, code: reply.code, tookMs, ...readNote(receivedAttributes) };
}

/** Returns an access device whose requests the service accepts. Throws otherwise. */
async function requireTestableDevice(config: Config, word: string): Promise<FoundDevice & { profileID: number }> {
  const pool = connect({ url: config.databaseUrl, connectionsMax: 1 });
  try {
    const device = await findAccessDevice(pool, word);
    if (!device) throw new LoginNotTestableError(`No network device has the name, address or number ${word}.`);
    const { name, address, isEnabled, hasSecret, profileID } = device;
    const lack =
      (!isEnabled && 'radiusEnabled is off') ||
      (address === null && 'it has no address') ||
      (!hasSecret && 'it has no radiusSecret') ||
      (profileID === null && 'its RADIUS profile is disabled');
    if (lack) throw new LoginNotTestableError(`The service does not reply to packets of ${name}: ${lack}.`);
    return { ...device, profileID: profileID! };
  } finally {
    await pool.end();
  }
}

/** Session keys, which a test login does not use. */
const isKey = /^MS-(CHAP|MPPE)/;

/** Returns the attributes that switches and access points send. The password is sent by PAP, which every profile allows for a test. */
function attributesOf({ mac, port, ssid, user }: TriedLogin): Record<string, string> {
  const letters = mac.replaceAll(':', '').toLowerCase();
  return {
    ...(user
      ? { 'User-Name': user.name, 'User-Password': user.password }
      : { 'User-Name': letters, 'User-Password': letters, 'Service-Type': 'Call-Check' }),
    'Calling-Station-Id': mac.replaceAll(':', '-'),
    'NAS-Port-Type': ssid === undefined ? 'Ethernet' : 'Wireless-802.11',
    ...(port !== undefined && { 'NAS-Port-Id': port }),
    ...(ssid !== undefined && { 'Called-Station-Id': `00-00-00-00-00-00:${ssid}` }),
  };
}
