import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { adapter } from '../../host/adapter/adapter.ts';

describe('operations on devices and hosts that do not change their records', async () => {
  const { admin } = await world({ jobs: 'enqueue' });

  const executed = async (table: string) => {
    const filter = encodeURIComponent(`action==EXECUTE;auditObjectType.dbTableName==${table}`);
    return (await admin.get(`/logging/audit?filter=${filter}`)).body.results!;
  };
  const post = async (path: string, body?: object) => {
    const reply = await admin.post(path, body);
    expect(reply.body.status, reply.text).toBe('success');
    return { requestID: reply.headers['x-request-id'], sourceAddress: '127.0.0.1', user: 'system-administrator-1' };
  };
  const device = async (name: string, ipAddress: string) => {
    const requestBody = { name, ipAddress, containerID: 1, deviceType: 'Camera', contactPollingEnabled: false };
    const { headers } = await admin.post('/device/pingable', requestBody);
    return Number(String(headers.location).split('/').at(-1));
  };

  test('are in the audit log once per record, with user, address and request', async () => {
    const ids = [await device('cam-1', '192.0.2.11'), await device('cam-2', '192.0.2.12')];
    const request = await post('/device/resync-interfaces', { id: ids, purge: true });
    const purged = { ...request, summary: 'read interfaces; delete ports and SSIDs that are gone', method: 'POST' };
    expect(await executed('network_device')).toMatchObject([
      { ...purged, auditObjectName: 'cam-2', liveDBID: ids[1] },
      { ...purged, auditObjectName: 'cam-1', liveDBID: ids[0] },
    ]);

    const mac = '00:50:C2:77:00:09';
    const adapterID = await admin.create(adapter, { physicalAddress: mac });
    const scan = await post('/adapter/run-network-scan', { id: [adapterID], intensity: 'LIGHT' });
    expect(await executed('adapter')).toMatchObject([
      { ...scan, auditObjectName: mac, liveDBID: adapterID, summary: 'scan ports: LIGHT' },
    ]);
  });

  test('include the start and stop of a scan or a discovery', async () => {
    const started = await post('/device/l3scan/start');
    const stopped = await post('/device/l3scan/stop');
    expect(await executed('l3_scan')).toMatchObject([
      { ...stopped, summary: 'stop' },
      { ...started, summary: 'start: all SNMP devices' },
    ]);
    await post('/device/discovery/discover', {
      containerID: 1,
      ranges: [{ cidr: '198.51.100.0/30' }],
      credentials: [{ snmpProtocol: 'V2C', snmpSecurityStrings: ['a-community'] }],
    });
    expect(await executed('discovery_run')).toEqual([]);
    const stop = await post('/device/discovery/discover/stop', { containerID: 1 });
    expect(await executed('discovery_run')).toMatchObject([{ ...stop, summary: 'stop' }]);
  });
});
