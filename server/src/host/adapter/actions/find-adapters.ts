import { action, idListShape, listQueryOf, readIdList, usageShape } from '../../../context.ts';
import { port } from '../../../device/port/port.ts';
import { allows } from '../../../kernel/declare/permissions.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import { forbidden, notFound } from '../../../kernel/failure.ts';
import { usageInGroups } from '../../../system/group/group.service.ts';
import { host } from '../../host/host.ts';
import { adapter } from '../adapter.ts';

const { id } = shapes;

const usage = action(adapter, {
  name: 'usage',
  method: 'GET',
  path: '/{id}/usage',
  doc: 'List the groups that contain an adapter',
  result: usageShape,
  run: (call, context) => usageInGroups(adapter, call, context),
});

const forHost = action(adapter, {
  name: 'for-host',
  method: 'GET',
  path: '/for-host',
  doc: 'List the adapters of a host',
  query: { hostID: { shape: { ...id, doc: 'The host.' }, required: true } },
  listed: true,
  counted: true,
  result: 'record',
  errors: ['not-found', 'too-expensive'],
  async run(call, { list }) {
    const { hostID, ...query } = call.query;
    const { filtered: visibleHosts } = await list(host, { filter: [`id==${hostID}`], start: 0, count: 0 });
    if (visibleHosts === 0) throw notFound(host.title, hostID);
    const { records, ...page } = await list(
      adapter,
      listQueryOf({ ...call, query }, (parameters) => `r.host_id = ${parameters.add(hostID, '::bigint')}`),
    );
    return { results: records, ...page };
  },
});

const connectedToPorts = action(adapter, {
  name: 'connected-to-ports',
  method: 'GET',
  path: '/connected-to-ports',
  doc: 'List the adapters connected to these ports now',
  query: { portID: { shape: idListShape('The ports.'), required: true } },
  listed: true,
  counted: true,
  result: 'record',
  errors: ['too-expensive'],
  async run(call, { list }) {
    const { portID, ...query } = call.query;
    const ports = readIdList(portID, 'portID');
    const { records, ...page } = await list(
      adapter,
      listQueryOf(
        { ...call, query },
        (parameters) =>
          `r.physical_address in (select c.mac from connection_active c where c.port_id = any(${parameters.add(ports, '::bigint[]')}))`,
      ),
    );
    return { results: records, ...page };
  },
});

const getPort = action(adapter, {
  name: 'get-port',
  method: 'GET',
  path: '/{id}/get-port',
  doc: 'Return the port that an adapter is connected to',
  query: {
    last: { shape: { kind: 'flag', doc: 'If it is not connected: return the port it was last connected to.' } },
  },
  // The same record that the port resource returns.
  result: {
    kind: 'object',
    name: 'PortOfAdapter',
    properties: Object.fromEntries(Object.entries(port.fields).map(([name, { shape }]) => [name, shape])),
  },
  async run({ id: adapterID, query, caller }, { list }) {
    const { records: adapters } = await list(adapter, { filter: [`id==${adapterID}`], start: 0, count: 1 });
    const [record] = adapters;
    if (!record) throw notFound(adapter.title, adapterID);
    if (record.portID === null || !(record.connected || query.last === true)) return [];
    if (!allows(caller.rights, port.permission, 'view')) throw forbidden(port.permission, 'view');
    return (await list(port, { filter: [`dbid==${record.portID}`], start: 0, count: 1 })).records;
  },
});

export const findAdapters = [usage, forHost, connectedToPorts, getPort];
