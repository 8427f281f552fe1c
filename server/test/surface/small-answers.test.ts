import { beforeAll, describe, expect, test } from 'vitest';
import { container } from '../../src/device/container/container.ts';
import { networkDevice } from '../../src/device/network-device/network-device.ts';
import { storeContact } from '../../src/device/polling/store-contact.ts';
import { storeInventory } from '../../src/device/polling/store-interfaces.ts';
import { adapter } from '../../src/host/adapter/adapter.ts';
import { host } from '../../src/host/host/host.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import { negotiate } from '../../src/kernel/http/negotiate.ts';
import { networkAddress } from '../../src/network/network-address/network-address.ts';
import { everyVerb, Limiter } from '../world/restricted-admins.ts';
import { world as startWorld } from '../world/world.ts';

describe('details of the specification', async () => {
  const world = await startWorld();
  const { admin, service } = world;
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const newDevice = (body: Record<string, unknown>) =>
    transact(async ({ records }) => (await records.create(networkDevice, body)).id);
  const filteredList = async (path: string, filter: string) =>
    (await admin.get(`${path}?filter=${encodeURIComponent(filter)}`)).body;
  let yard: number;

  beforeAll(async () => {
    yard = await admin.create(container, { name: 'Yard', pollingInterval: 900 });
  });

  test('a MAC field can be filtered by an OUI prefix', async () => {
    await admin.create(adapter, { physicalAddress: '00:1D:09:11:22:33' });
    for (const prefix of ['00:1D:09', '001D09', '00-1d-09', '00:1D:09:1'])
      expect((await filteredList('/adapter', `physicalAddress==${prefix}`)).filtered, prefix).toBe(1);
    expect((await admin.get('/adapter?filter=physicalAddress==00:1D')).code).toBe(400);
  });

  test('a network field can be filtered by a surrounding network', async () => {
    await admin.create(networkAddress, { name: 'Radiology', type: 'SUBNET', network: '10.20.0.0/16' });
    const count = async (network: string) => (await filteredList(networkAddress.path!, `network==${network}`)).filtered;
    expect([await count('10.0.0.0/8'), await count('10.20.0.0/16'), await count('10.20.1.0/24')]).toEqual([1, 1, 0]);
  });

  test('a wildcard of PostgreSQL is plain text in a filter', async () => {
    for (const hostName of ['50% off', '50 xx off', 'a_b', 'axb']) await admin.create(host, { hostName });
    const count = async (pattern: string) => (await filteredList('/host', `hostName=="${pattern}"`)).filtered;
    expect([await count('50%*'), await count('50*off'), await count('a_*')]).toEqual([1, 2, 1]);
  });

  test('a search and a named filter have the total of all hosts', async () => {
    await admin.create(host, { hostName: 'findable' });
    await admin.create(host, { hostName: 'another' });
    const { total } = (await admin.get('/host/count/all')).body;
    expect((await admin.get('/host/search?q=findable')).body).toMatchObject({ filtered: 1, total });
    expect((await admin.get('/host/search?q=nothing-like-it')).body).toMatchObject({ filtered: 0, total });
    expect((await admin.get('/host/client-filters/cached/disabled')).body).toMatchObject({ filtered: 0, total });
  });

  test('the event of a role change has the name of the role as it is stored', async () => {
    const id = await admin.create(host, { hostName: 'role-player' });
    expect((await admin.post('/host/set-role', { id: [id], role: 'guest' })).code).toBe(200);
    const { results } = await filteredList('/logging/event', `name==HOST_ROLE_CHANGED;elementID==${id}`);
    expect(JSON.stringify(results)).toContain('Guest');
    expect(JSON.stringify(results)).not.toContain('guest');
  });

  test('only a caller who sees every host can import a file, others get 403', async () => {
    const limited = await new Limiter(world).caller({
      manageByGroups: true,
      permissions: { hosts: everyVerb, users: everyVerb },
    });
    const reply = await limited.call('POST', '/host/import-hosts', 'adap.mac\n00:1D:09:00:00:01\n', {
      'content-type': 'text/csv',
    });
    expect([reply.code, reply.text]).toEqual([403, expect.stringContaining('sees every host')]);
  });

  test('a record without a name appears by its number in a usage message', async () => {
    const shed = await admin.create(container, { name: 'Shed' });
    const mac = '00:1D:09:44:55:66';
    await newDevice({
      name: 'pinged',
      containerID: shed,
      protocol: 'PING',
      physicalAddress: mac,
      ipAddress: '192.0.2.44',
    });
    const id = await admin.create(adapter, { physicalAddress: mac });
    const { hostID } = await admin.fetch(adapter, id);
    await admin.post(`/host/${hostID}`, { type: 5, containerID: shed });
    const { results } = (await admin.get(`/device/container/${shed}/usage`)).body;
    expect(results).toContainEqual({ name: 'Host', children: [String(hostID)] });
    const refused = await admin.delete(`/device/container/${shed}`);
    expect([refused.code, refused.body.errorMessage]).toEqual([409, expect.stringContaining(`Host ${hostID}`)]);
  });

  test('a device has the contact poll interval of its container, unless it has its own', async () => {
    const [plain, withOwnInterval] = [
      await newDevice({ name: 'plain', containerID: yard }),
      await newDevice({ name: 'own', containerID: yard, contactPollingInterval: 120 }),
    ];
    const shown = async (id: number) => (await admin.fetch(networkDevice, id)).contactPollingInterval;
    expect([await shown(plain), await shown(withOwnInterval)]).toEqual([900, 120]);
  });

  test('a container shows the MIB modules of its devices, and is in contact when all of them are', async () => {
    const library = await admin.create(container, { name: 'Library' });
    const ids = [
      await newDevice({ name: 'l-1', containerID: library }),
      await newDevice({ name: 'l-2', containerID: library }),
    ];
    await transact(async ({ records }) => {
      await records.observe(networkDevice, ids[0]!, { mibs: ['IP-MIB', 'IF-MIB'] });
      await records.observe(networkDevice, ids[1]!, { mibs: ['IF-MIB', 'BRIDGE-MIB'] });
    });
    const shown = () => admin.fetch(container, library);
    expect((await shown()).mibs).toEqual(['BRIDGE-MIB', 'IF-MIB', 'IP-MIB']);
    const contact = (id: number, name: string) =>
      transact((tx) =>
        storeContact(
          tx,
          { id, name, containerID: library, status: 0, failures: 0, fault: '', uptimeTicks: null } as never,
          { kind: 'answered', uptimeTicks: null, community: null },
          Date.now(),
        ),
      );
    await contact(ids[0]!, 'l-1');
    // A polled value does not change the version of the configuration.
    expect((await admin.fetch(networkDevice, ids[0]!)).version).toBe(1);
    expect((await shown()).status).toBe(0);
    await contact(ids[1]!, 'l-2');
    expect((await shown()).status).toBe(1);
    const { results } = await filteredList('/logging/event', `name==CONTACT_ESTABLISHED;elementID==${ids[0]}`);
    expect(results).toMatchObject([{ eventFormatString: 'Contact to l-1 established.' }]);
    const { establishedEvent } = await admin.fetch(networkDevice, ids[0]!);
    expect(establishedEvent).toMatchObject({ timeOfEvent: expect.stringMatching(/Z$/) });
    expect((await shown()).establishedEvent).toMatchObject({ timeOfEvent: expect.stringMatching(/\+0000$/) });
  });

  test('an edited label survives an inventory poll, unless the device properties configure otherwise', async () => {
    const id = await newDevice({ name: 'named', containerID: 1 });
    const storeAlias = (alias: string) =>
      transact((tx) =>
        storeInventory(tx, { id, name: 'named' } as never, {
          identity: undefined,
          interfaces: [
            {
              ifIndex: 1,
              name: 'Gi0/1',
              alias,
              description: '',
              kind: 'physical',
              adminStatus: 1,
              operStatus: 1,
              mac: null,
              ip: null,
              vlan: null,
              speedBps: 0,
              bridgePort: null,
            } as never,
          ],
          vlans: [],
          neighbours: [],
          purge: false,
        }),
      );
    const label = async () => (await admin.get(`/device/port/by-device?deviceID=${id}`)).body.results![0]!.label;
    await storeAlias('first');
    await storeAlias('second');
    expect(await label()).toBe('first');
    const path = '/device/properties';
    expect((await admin.post(path, { preservePortNames: false })).code).toBe(200);
    await storeAlias('third');
    expect(await label()).toBe('third');
  });

  test('a format with q=0 is not used, and a compressed body is 415', async () => {
    const answer = (accept: string) => negotiate(undefined, accept, {}).answer;
    expect(answer('application/json;q=0, */*')).toBe('xml');
    expect(answer('*/*')).toBe('json');
    expect(() => answer('application/json;q=0, application/xml;q=0, */*')).toThrow('Accept');
    const reply = await admin.call('POST', '/device/container', Buffer.from([0x1f, 0x8b]), {
      'content-encoding': 'gzip',
    });
    expect(reply.code).toBe(415);
  });

  test('error messages name the invalid value and the limit', async () => {
    const errorMessageOf = async (filter: string) => (await filteredList('/adapter', filter)).errorMessage;
    expect(await errorMessageOf('id==9007199254740993')).toContain('9007199254740993 is beyond 2^53 - 1');
    const threshold = await admin.post('/logging/event-types/thresholds', [{ name: 'NONE', warning: 1 }]);
    expect(threshold.body.errorMessage).toMatch(/^name: there is no threshold NONE/);
    const wrong = await admin.post('/device/container', { name: 'x', protocol: 'SNMP' });
    expect(wrong.text).toContain('has 4 characters; at most 1 is allowed');
  });
});
