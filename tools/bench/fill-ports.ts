import { familySize, rareTextSql } from './subjects/subject.ts';

/** Returns SQL that creates devices with 250 ports each. */
export const fillPortsSql = (ports: number): string => `
  ${devicesSql(ports / familySize + 1)}

  insert into port (id, last_modified_date, audit_tag, audit_text, port_type, name, port_id, device_id, status, ip, phys_addr, label,
    connection_state, default_vlan, current_vlan, current_cli, notes, last_change_summary, ifname, ifindex, ifspeed, ifdescr,
    ifadmin_status, ifoper_status, uplink_disabled, yams_event_tag)
  select n, timestamptz '2026-01-01Z' + n * interval '1 second', 'PORT_CREATED', 'created', 0, p.name, p.ifindex::text, 1 + (n - 1) / ${familySize},
    1 + n % 2, '', upper('02:' || substr(p.mac, 1, 2) || ':' || substr(p.mac, 3, 2) || ':' || substr(p.mac, 5, 2) || ':' || substr(p.mac, 7, 2) || ':' || substr(p.mac, 9, 2)),
    'room ' || ${rareTextSql('n')},
    n % 8, (10 + n % 40)::text, (10 + n % 40)::text, '', '', 'change 1', p.name, p.ifindex::text, '1000000000', 'Gigabit Ethernet ' || p.ifindex, 1, 1 + n % 2, false, 'PORT_CREATED'
  from generate_series(1, ${ports}::bigint) n
  cross join lateral (select 10000 + (n - 1) % ${familySize} as ifindex, 'GigabitEthernet' || 1 + (n - 1) % ${familySize} / 48 || '/0/' || 1 + (n - 1) % ${familySize} % 48 as name, md5(n::text) as mac) p;

  insert into port (id, port_type, name, port_id, device_id, status, ip, phys_addr, label, connection_state, default_vlan, current_vlan, current_cli,
    notes, last_change_summary, ifname, ifindex, ifspeed, ifdescr, ifadmin_status, ifoper_status, uplink_disabled, yams_event_tag)
  values (${ports + 1}, 0, 'spare', '1', ${ports / familySize + 1}, 1, '', '', '', 0, '', '', '', '', 'change 1', 'spare', '1', '0', '', 1, 1, false, '');

  select setval(pg_get_serial_sequence('port', 'id'), ${ports} + 10), setval(pg_get_serial_sequence('network_device', 'id'), ${ports / familySize} + 10);`;

/** Returns SQL that creates devices 1 to n without polling, which would disturb the measurement. */
export const devicesSql = (devices: number): string => `
  insert into network_device (id, status, name, ip_address, container_id, driver, device_type, protocol, description, note, mibs, snmp_port,
    radius_enabled, coa_port, when_undecided, managed, enforcement_methods, bounce_after_vlan_change, send_default_vlan, vlans,
    contact_polling_enabled, contact_polling_interval, l2_polling_enabled, l2_polling_interval, l3_polling_enabled, l3_polling_interval, l3_polling_priority)
  select n, 1, 'switch-' || n, ('10.' || n / 65536 || '.' || (n / 256) % 256 || '.' || n % 256)::inet, (select min(c.id) from container c),
    'ping', 'switch', 'PING', '', '', '[]', 161, false, 3799, 'SILENT', false, '[]', true, false, '[]', false, 600, false, 600, false, 1800, 'MEDIUM'
  from generate_series(1, ${devices}) n;`;
