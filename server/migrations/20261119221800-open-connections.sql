-- The details of connections that the connection log shows while they are open and stores when they end: names are those of this moment.
-- Plain left joins by unique keys: a read that needs none of a table's columns does not read that table.
create view connection_open as
select c.id, log_time(c.id) as at, null::xid8 as txid, cell_landscape() as landscape, null::timestamptz(3) as end_time,
  h.id as host_id, nullif(h.host_name, '') as host_name, a.id as adapter_id, c.mac,
  coalesce(c.ip, (select m.ip from ip_mac m where m.mac = c.mac order by m.last_seen desc, m.ip limit 1)) as ip,
  u.id as user_id, left(h.logged_on_user_id, 253) as user_name,
  c.device_id, coalesce(d.name, '') as device_name, c.port_id, coalesce(p.name, '') as port_name,
  case p.port_type when 1 then left(regexp_replace(p.ifname, '^ssid:', ''), 32) end as ssid,
  left(concat_ws(' / ', k.name, d.name, p.name), 512) as location,
  case
    when c.source <> 'SNMP' and a.auth_type = 'VPN' then 'VPN'
    else (case p.port_type when 1 then 'WIRELESS' else 'WIRED' end)
      || (case when c.source = 'SNMP' then '_SNMP' when a.auth_type = 'DOT1X' then '_8021X' else '_MAB' end)
  end as connection_type,
  case when c.source <> 'SNMP' then coalesce(a.inner_eap_type, a.outer_eap_type) end as eap_type,
  c.session_id, c.multi_session_id,
  x.desired ->> 'accessState' as access_state, left(x.desired -> 'logicalNetwork' ->> 'name', 120) as logical_network,
  (x.desired ->> 'policyID')::bigint as policy_id, left(x.desired ->> 'policyName', 120) as policy_name,
  left(x.desired ->> 'message', 2000) as decision_reason, x.generation,
  nullif(c.vlan_at_start, '') as vlan_at_start, nullif(c.vlan, '') as vlan, c.vlan_changes::bigint as vlan_changes,
  c.input_octets, c.output_octets, null::text as disconnect_reason, c.source
from connection_active c
left join adapter a on a.physical_address = c.mac and a.landscape = cell_landscape()
left join host h on h.id = a.host_id
left join user_account u on lower(u.user_id) = lower(h.logged_on_user_id)
left join network_device d on d.id = c.device_id
left join port p on p.id = c.port_id
left join container k on k.id = d.container_id
left join adapter_access x on x.adapter_id = a.id and x.decided_at >= c.since and c.source <> 'SNMP';

-- Open connections have none.
alter table connection_log alter column disconnect_reason drop not null;

-- Connections of one roaming session.
create index connection_log_multi_session_id_ix on connection_log (multi_session_id, id desc);
