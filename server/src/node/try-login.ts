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
} from '../radius/access-request/answer.service.ts';
import { testAddress } from '../radius/engine-files/engine-files.ts';
import type { Config } from './config.ts';
import { readMadeFor } from './radius-supervisor.ts';

/** A login that somebody wants to try, as an access device would ask for it. */
export interface TriedLogin {
  /** Name, address or number. */
  device: string;
  mac: string;
  port?: string | undefined;
  ssid?: string | undefined;
  /** Absent: by the MAC address alone. */
  user?: { name: string; password: string } | undefined;
}

/** What came back. */
export interface TestLoginReply extends SeenReply {
  device: string;
  /** Null: no node answered. */
  note: TestNote | null;
  /** From sending the packet until its answer was read. */
  tookMs: number;
}

/** What keeps a login from being tried, in words for who tried it. */
export class NotTriable extends Error {}

/** Sends a packet through the engine of this node that is decided as if it came from an access device, and stored nowhere. */
export async function tryLogin(config: Config, login: TriedLogin): Promise<TestLoginReply> {
  if (config.radiusFolder === '') throw new NotTriable('This node runs no RADIUS engine: radiusFolder is not set.');
  if (config.radiusHost.includes(':'))
    throw new NotTriable(`The engine listens at ${config.radiusHost}; tests need an IPv4 address.`);
  const { id, name, address, profileID, authPort } = await requireTestableDevice(config, login.device);
  const source = testAddress(profileID);
  if (source === undefined) throw new NotTriable(`Profile ${profileID} has too high a number to be tested.`);
  const engine = new EngineProcess(config.radiusFolder);
  const running = await engine.running();
  const madeFor = running && (await readMadeFor(engine, running.generation));
  if (!madeFor)
    throw new NotTriable(`No engine of ${config.radiusFolder} runs, or another user than this one started it.`);
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

/** A device whose packets are answered. */
async function requireTestableDevice(config: Config, word: string): Promise<FoundDevice & { profileID: number }> {
  const pool = connect({ url: config.databaseUrl, connectionsMax: 1 });
  try {
    const device = await findAccessDevice(pool, word);
    if (!device) throw new NotTriable(`No network device has the name, address or number ${word}.`);
    const { name, address, isEnabled, hasSecret, profileID } = device;
    const lack =
      (!isEnabled && 'radiusEnabled is off') ||
      (address === null && 'it has no address') ||
      (!hasSecret && 'it has no radiusSecret') ||
      (profileID === null && 'its RADIUS profile is disabled');
    if (lack) throw new NotTriable(`The packets of ${name} are not answered: ${lack}.`);
    return { ...device, profileID: profileID! };
  } finally {
    await pool.end();
  }
}

/** Keys of the session, which there is none of. */
const isKey = /^MS-(CHAP|MPPE)/;

/** Attributes that switches and access points send. The password goes by PAP, which every profile allows for a test. */
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
