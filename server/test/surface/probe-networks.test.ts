import { describe, expect, test } from 'vitest';
import { container } from '../../src/device/container/container.ts';
import { adapter } from '../../src/host/adapter/adapter.ts';
import { openProtocols } from '../../src/node/open-protocols.ts';
import { outboundGuard } from '../../src/protocols/outbound/outbound.ts';
import { probeGuard } from '../../src/protocols/outbound/probe-guard.ts';
import { loopback, world } from '../world/world.ts';

/** Outside the networks of the deployment no probe is started, and the response contains the reason. */
describe('a deployment that names the networks to probe', async () => {
  const outbound = { allow: [], refuse: [] };
  const { admin } = await world({
    parts: openProtocols(probeGuard({ ...outbound, networks: loopback }), outboundGuard(outbound)),
  });
  const stray = '203.0.113.220';
  const reason = `Probing ${stray} is refused: it is outside the networks that this deployment may probe (127.0.0.0/8, ::1/128). The deployment setting probeNetworks decides.`;
  const place = await admin.create(container, { name: 'Nowhere' });

  test('refuses a network scan of an adapter outside of them', async () => {
    const [here, outside] = [
      await admin.create(adapter, { physicalAddress: '00:50:C2:78:00:01', ipaddress: '127.0.0.99' }),
      await admin.create(adapter, { physicalAddress: '00:50:C2:78:00:02', ipaddress: stray }),
    ];
    for (const id of [[outside], [here, outside]])
      expect(await admin.post('/adapter/run-network-scan', { id })).toMatchObject({
        code: 422,
        body: { status: 'rejected', errorMessage: reason },
      });
    expect((await admin.get('/system/background-task?filter=message==Scan*')).body.results).toEqual([]);
  });

  test('refuses a discovery of addresses outside of them, even if only one is outside', async () => {
    const discover = (ranges: object[]) =>
      admin.post('/device/discovery/discover', { containerID: place, ranges, credentials: [], addPingable: true });
    expect(await discover([{ start: stray, end: stray }])).toMatchObject({ code: 422, body: { errorMessage: reason } });
    expect(await discover([{ start: '127.255.255.250', end: '128.0.0.1' }])).toMatchObject({
      code: 422,
      body: { errorMessage: expect.stringContaining('Probing 128.0.0.0 in 127.255.255.250 to 128.0.0.1 is refused') },
    });
  });

  test('refuses a device outside of them that would be pinged, unless contact polling is off', async () => {
    const device = { name: 'pinged elsewhere', ipAddress: stray, containerID: place, deviceType: 'ups' };
    expect(await admin.post('/device/pingable', device)).toMatchObject({ code: 422, body: { errorMessage: reason } });
    const modelled = await admin.post('/device/pingable', { ...device, contactPollingEnabled: false });
    expect(modelled.code, modelled.text).toBe(201);
    const path = '/device/pingable/' + String(modelled.headers.location).split('/').at(-1);
    expect(await admin.post(path, { description: 'Second floor' })).toMatchObject({ code: 200 });
    expect(await admin.post(path, { contactPollingEnabled: true })).toMatchObject({
      code: 422,
      body: { errorMessage: reason },
    });
  });

  test('refuses to test the credentials of a device outside of them', async () => {
    const device = {
      name: 'elsewhere',
      ipAddress: stray,
      containerID: place,
      snmpProtocol: 'V2C',
      snmpSecurityStrings: ['public'],
    };
    expect(await admin.post('/device/snmp?validate=true', device)).toMatchObject({
      code: 422,
      body: { errorMessage: reason },
    });
  });
});
