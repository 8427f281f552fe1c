import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../../test/world/databases.ts';
import { promised } from '../../../test/world/patience.ts';
import { world } from '../../../test/world/world.ts';

/** The number of hosts that the domain guide requires. `HOSTS=1000000` tests the maximum of a cell, and takes minutes to fill. */
const hosts = Number(process.env.HOSTS ?? 200_000);
const adapters = hosts * 1.5;
const users = hosts / 10;
const switches = 200;
const rounds = 40;

/** Creates hosts with one or two adapters each, two of five connected, with owners and with addresses in a /12. */
const fillSql = [
  `insert into network_device (name, status, container_id, driver, device_type, protocol, description, note, mibs, snmp_port, radius_enabled, coa_port,
     when_undecided, managed, enforcement_methods, bounce_after_vlan_change, send_default_vlan, vlans, contact_polling_enabled, contact_polling_interval,
     l2_polling_enabled, l2_polling_interval, l3_polling_enabled, l3_polling_interval, l3_polling_priority)
   select 'switch-' || n, 1, 1, 'qbridge', 'switch', 'SNMP_V2C', '', '', '[]', 161, false, 3799,
     'SILENT', true, '[]', true, false, '[]', false, 600, false, 600, false, 1800, 'MEDIUM' from generate_series(1, ${switches}) n`,
  `insert into port (device_id, name, ifname, ifindex, port_id, port_type, status, connection_state, ifadmin_status, ifoper_status, uplink_disabled, label,
     ifdescr, default_vlan, current_vlan, current_cli, notes, last_change_summary, ifspeed, ip, phys_addr, yams_event_tag)
   select d.id, 'Gi1/0/' || n, 'Gi1/0/' || n, n, n, 0, 1, 0, 1, 1, false, '', '', '', '', '', '', '', '', '', '', ''
   from network_device d, generate_series(1, 48) n`,
  `insert into user_account (user_id, first_name, last_name, email, source, state, must_change_password, role_id, role_source)
   select 'user-' || n, 'First' || n, 'Last' || n, 'user' || n || '@example.org', 'LOCAL', 'ENABLED', false, r.id, 'DEFAULT'
   from generate_series(1, ${users}) n, role r where r.name = 'NAC-Default'`,
  `insert into host (host_name, type, enabled, authenticated, role_id, role_source, owner_id, device_type, operating_system, creation_time,
     agent_update_attempts, managed_by_mdm, scan_required, re_validation, re_validation_interval, attributes)
   select 'host-' || md5(n::text), 1 + n % 3, true, false, r.id, 'DEFAULT', (select min(u.id) from user_account u where u.user_id like 'user-%') + n % ${users},
     t.id, (array['Windows 11', 'macOS 15', 'Debian 12'])[1 + n % 3], now(), 0, false, false, false, 0, '[]'
   from generate_series(1, ${hosts}) n, role r, device_type t where r.name = 'NAC-Default' and t.tag = 'unknown'`,
  `insert into adapter (physical_address, host_id, media_type, enabled, creation_time, auth_type, attributes)
   select upper(regexp_replace(lpad(to_hex(n), 12, '0'), '(..)(..)(..)(..)(..)(..)', '\\1:\\2:\\3:\\4:\\5:\\6')),
     (select min(h.id) from host h) + n % ${hosts}, 'WIRED', true, now(), 'NONE', '[]'
   from generate_series(1, ${adapters}) n`,
  `insert into ip_mac (ip, mac, device_id) select '10.16.0.0'::inet + (a.id % 1000000), a.physical_address, 0 from adapter a`,
  `insert into connection_active (mac, device_id, port_id, vlan)
   select a.physical_address, p.device_id, p.id, '20'
   from adapter a join (select p.*, row_number() over () as n from port p) p on p.n = 1 + a.id / 5 % ${switches * 48} where a.id % 5 < 2`,
];

/** Creates the trigram indexes again after all rows are inserted: filling them row by row takes minutes. */
async function fill(client: pg.Client): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename in ('host', 'user_account') and indexdef like '%trgm%'`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (const statement of fillSql) await client.query(statement);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('vacuum analyze');
}

describe(`among ${hosts} hosts with ${adapters} adapters`, async () => {
  const database = await migratedDatabase();
  const { admin } = await world({ database });

  beforeAll(async () => {
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    try {
      await fill(client);
    } finally {
      await client.end();
    }
  }, 900_000);

  const ninetyFifth = async (what: string, pathOf: (n: number) => string): Promise<number> => {
    const times: number[] = [];
    for (let n = 0; n < rounds; n++) {
      const began = performance.now();
      const reply = await admin.get(pathOf(n));
      times.push(performance.now() - began);
      expect([reply.code, Number(reply.body.filtered) > 0], reply.text.slice(0, 200)).toEqual([200, true]);
    }
    const ms = times.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95)]!;
    console.log(`95th percentile of ${what}: ${ms.toFixed(1)} ms`);
    return ms;
  };

  test.each([
    ['the beginning of a MAC address', (n: number) => `00:00:00:00:${(n + 1).toString(16).padStart(2, '0')}`],
    ['a user', (n: number) => `user-${users / 4 + n}`],
    ['a network', (n: number) => `10.16.${n + 1}.0/24`],
  ])('searching by %s takes less than 100 ms', async (what, textOf) => {
    const ms = await ninetyFifth(
      `a search by ${what}`,
      (n) => `/host/search?count=20&q=${encodeURIComponent(textOf(n))}`,
    );
    expect(ms).toBeLessThan(promised(100));
  });

  // Regression: a page read all connections of the cell to show which of its hundred hosts are connected, and took a second.
  test.each(['/host', '/adapter'])('a page of a hundred of %s takes less than 50 ms', async (path) => {
    const ms = await ninetyFifth(`a page of ${path}`, () => `${path}?count=100`);
    expect(ms).toBeLessThan(promised(50));
  });
});
