import { familySize, rareTextOf, type Subject } from './subject.ts';

const select = (
  rows: string,
): string => `select r.id as dbid, r.port_type as "portType", r.name, r.port_id as "portID", coalesce(nullif(r.label, ''), r.name) as "displayName",
  d.name as "deviceName", r.device_id as "deviceID", r.status, d.container_id as "domainID", r.ip, r.phys_addr as "physAddr", r.label,
  r.connection_state as "connectionState", r.default_vlan as "defaultVlan", r.current_vlan as "currentVlan", r.current_cli as "currentCli", r.notes,
  r.last_modified_by as "lastModifiedBy", r.last_change_summary as "lastChangeSummary", r.last_modified_date as "lastModifiedDate", r.ifname, r.ifindex,
  r.ifspeed, r.ifdescr, r.ifadmin_status as "ifadminStatus", r.ifoper_status as "ifoperStatus", r.audit_tag as "yamsEventTag", r.audit_action as "auditAction",
  r.audit_text as "auditText", r.audit_id as "auditID", r.uplink_disabled as "uplinkDisabled"
from ${rows} r
join network_device d on d.id = r.device_id`;

const recordOf = (row: Readonly<Record<string, unknown>>): object => ({
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

export const port: Subject = {
  name: 'port',
  plural: 'ports',
  path: '/device/port',
  filling: 'ports',
  permissions: { devices: { view: true } },
  rows: (size) => size,
  families: (size) => size / familySize,
  familyFilter: (device) => `deviceID==${device}`,
  rareFilter: (id) => `text==${rareTextOf(id)}`,
  rareText: 'whose label holds eight given characters',
  captured: { dbid: '(\\d+)', lastChangeSummary: 'change (\\d+)' },
  changeSql: `update port set version = version + 1, last_change_summary = 'change ' || version + 1, last_modified_date = now()
    where id = $1 returning version`,
  bare: { select, recordOf, isFamily: 'r.device_id = $1' },
};
