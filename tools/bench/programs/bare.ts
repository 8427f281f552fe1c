import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The bare limit: node:http, named prepared statements through pg, JSON.stringify, and nothing else.
 * It answers the same records as the service, without authentication, checks, counts, logs or audit.
 */
const [url, connections] = process.argv.slice(2) as [string, string];

// Ids are numbers in the record; everything else is as pg gives it, instants as Date.
pg.types.setTypeParser(20, Number);
const pool = new pg.Pool({ connectionString: url, max: Number(connections), options: '-c jit=off' });

const select = `select p.id as dbid, p.port_type as "portType", p.name, p.port_id as "portID", coalesce(nullif(p.label, ''), p.name) as "displayName",
  d.name as "deviceName", p.device_id as "deviceID", p.status, d.container_id as "domainID", p.ip, p.phys_addr as "physAddr", p.label,
  p.connection_state as "connectionState", p.default_vlan as "defaultVlan", p.current_vlan as "currentVlan", p.current_cli as "currentCli", p.notes,
  p.last_modified_by as "lastModifiedBy", p.last_change_summary as "lastChangeSummary", p.last_modified_date as "lastModifiedDate", p.ifname, p.ifindex,
  p.ifspeed, p.ifdescr, p.ifadmin_status as "ifadminStatus", p.ifoper_status as "ifoperStatus", p.audit_tag as "yamsEventTag", p.audit_action as "auditAction",
  p.audit_text as "auditText", p.audit_id as "auditID", p.uplink_disabled as "uplinkDisabled"
from port p
join network_device d on d.id = p.device_id`;

interface Row {
  [column: string]: unknown;
}

const recordOf = (row: Row) => ({
  dbid: row.dbid,
  legacyDBID: row.dbid,
  portType: row.portType,
  name: row.name,
  portID: row.portID,
  displayName: row.displayName,
  deviceName: row.deviceName,
  deviceID: row.deviceID,
  status: row.status,
  domainID: row.domainID,
  ip: row.ip,
  physAddr: row.physAddr,
  label: row.label,
  connectionState: row.connectionState,
  defaultVlan: row.defaultVlan,
  currentVlan: row.currentVlan,
  currentCli: row.currentCli,
  notes: row.notes,
  lastModifiedBy: row.lastModifiedBy,
  lastChangeSummary: row.lastChangeSummary,
  lastModifiedDate: row.lastModifiedDate,
  displayable: row.portType !== 4,
  ifname: row.ifname,
  ifindex: row.ifindex,
  ifspeed: row.ifspeed,
  ifdescr: row.ifdescr,
  ifadminStatus: row.ifadminStatus,
  ifoperStatus: row.ifoperStatus,
  yamsEventTag: row.yamsEventTag,
  auditObj: {
    user: row.lastModifiedBy,
    action: row.auditAction,
    timestamp: row.lastModifiedDate,
    liveObj: { yamsEventTag: row.yamsEventTag, auditObj: `${row.name}: ${row.auditText}` },
    auditDBID: row.auditID,
    liveDBID: row.dbid,
    yamsEventTag: row.yamsEventTag,
    auditObj: `${row.name}: ${row.auditText}`,
  },
  uplinkDisabled: row.uplinkDisabled,
});

/** One named statement for each kind of request. */
function statementFor(path: string): { name: string; text: string; values: unknown[] } {
  const id = /^\/api\/v2\/device\/port\/(\d+)$/.exec(path);
  if (id) return { name: 'one', text: `${select} where p.id = $1`, values: [Number(id[1])] };
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  const limit = Number(query.get('count'));
  const filter = query.get('filter');
  if (filter)
    return {
      name: 'device',
      text: `${select} where p.device_id = $1 order by p.id limit $2`,
      values: [Number(filter.slice('deviceID=='.length)), limit],
    };
  return {
    name: 'walk',
    text: `${select} where p.id > $1 order by p.id limit $2`,
    values: [Number(query.get('after') ?? 0), limit],
  };
}

const server = createServer((request, response) => {
  pool.query<Row>(statementFor(request.url!)).then(
    ({ rows }) => {
      const body = JSON.stringify({ status: 'success', errorMessage: null, results: rows.map(recordOf) });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    },
    (error: Error) => {
      response.writeHead(500);
      response.end(error.message);
    },
  );
});
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
// It does not outlive whoever started it.
process.on('disconnect', () => process.exit(0)).on('SIGTERM', () => process.exit(0));
