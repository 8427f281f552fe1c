import { createHash } from 'node:crypto';
import { migratedDatabase, testPostgres } from '@portreeve/server/testing/databases.ts';
import { ownerRole, type Postgres, serviceRole } from '@portreeve/testbed/postgres.ts';
import pg from 'pg';

/** Ports of each device, in a row of ids: device 1 has the ports 1 to 250. */
export const portsEach = 250;

/** A filled database, as owner and as service. */
export interface FilledDatabase {
  name: string;
  ports: number;
  ownerUrl: string;
  serviceUrl: string;
}

/** The label of a port holds eight hexadecimal digits that no other label holds: multiplying by an odd number loses nothing. */
const labelFactor = 2_654_435_761n;

export const rareTextOf = (id: number): string =>
  ((BigInt(id) * labelFactor) % 4_294_967_296n).toString(16).padStart(8, '0');

/** Beyond the ports that are drawn from stands one more, on a device of its own, which the writer replaces all the time. */
export const sparePorts = 1;

const fillSql = (ports: number): string => `
  -- Watched by nobody: what is measured must not be polled meanwhile.
  insert into network_device (id, status, name, ip_address, container_id, driver, device_type, protocol, description, note, mibs, snmp_port,
    radius_enabled, coa_port, when_undecided, managed, enforcement_methods, bounce_after_vlan_change, send_default_vlan, vlans,
    contact_polling_enabled, contact_polling_interval, l2_polling_enabled, l2_polling_interval, l3_polling_enabled, l3_polling_interval, l3_polling_priority)
  select n, 1, 'switch-' || n, ('10.' || n / 65536 || '.' || (n / 256) % 256 || '.' || n % 256)::inet, (select min(c.id) from container c),
    'ping', 'switch', 'PING', '', '', '[]', 161, false, 3799, 'SILENT', false, '[]', true, false, '[]', false, 600, false, 600, false, 1800, 'MEDIUM'
  from generate_series(1, ${ports / portsEach + 1}) n;

  insert into port (id, last_modified_date, audit_tag, audit_text, port_type, name, port_id, device_id, status, ip, phys_addr, label,
    connection_state, default_vlan, current_vlan, current_cli, notes, last_change_summary, ifname, ifindex, ifspeed, ifdescr,
    ifadmin_status, ifoper_status, uplink_disabled)
  select n, timestamptz '2026-01-01Z' + n * interval '1 second', 'PORT_CREATED', 'created', 0, p.name, p.ifindex::text, 1 + (n - 1) / ${portsEach},
    1 + n % 2, '', upper('02:' || substr(p.mac, 1, 2) || ':' || substr(p.mac, 3, 2) || ':' || substr(p.mac, 5, 2) || ':' || substr(p.mac, 7, 2) || ':' || substr(p.mac, 9, 2)),
    'room ' || lpad(to_hex((n::numeric * ${labelFactor} % 4294967296)::bigint), 8, '0'),
    n % 8, (10 + n % 40)::text, (10 + n % 40)::text, '', '', 'change 1', p.name, p.ifindex::text, '1000000000', 'Gigabit Ethernet ' || p.ifindex, 1, 1 + n % 2, false
  from generate_series(1, ${ports}::bigint) n
  cross join lateral (select 10000 + (n - 1) % ${portsEach} as ifindex, 'GigabitEthernet' || 1 + (n - 1) % ${portsEach} / 48 || '/0/' || 1 + (n - 1) % ${portsEach} % 48 as name, md5(n::text) as mac) p;

  insert into port (id, port_type, name, port_id, device_id, status, ip, phys_addr, label, connection_state, default_vlan, current_vlan, current_cli,
    notes, last_change_summary, ifname, ifindex, ifspeed, ifdescr, ifadmin_status, ifoper_status, uplink_disabled)
  values (${ports + 1}, 0, 'spare', '1', ${ports / portsEach + 1}, 1, '', '', '', 0, '', '', '', '', 'change 1', 'spare', '1', '0', '', 1, 1, false);

  -- As a cell that is some days old: the feed is purged and the counters are folded.
  truncate change_feed;
  insert into row_count (table_name, slice, rows) select d.table_name, d.slice, sum(d.delta) from row_count_delta d group by d.table_name, d.slice
  on conflict (table_name, slice) do update set rows = row_count.rows + excluded.rows;
  truncate row_count_delta;
  select setval(pg_get_serial_sequence('port', 'id'), ${ports} + 10), setval(pg_get_serial_sequence('network_device', 'id'), ${ports / portsEach} + 10);`;

/** A database with so many ports, cloned from one that is filled once for each state of the migrations and kept. */
export async function filledDatabase(
  ports: number,
  say: (line: string) => void,
): Promise<FilledDatabase & { drop(): Promise<void> }> {
  const postgres = await testPostgres();
  const template = await filledTemplate(postgres, ports, say);
  const name = `bench_${process.pid}_${ports}`;
  const drop = () => administer(postgres, (client) => client.query(`drop database if exists ${name} with (force)`));
  await drop();
  await administer(postgres, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  return {
    name,
    ports,
    ownerUrl: postgres.url(ownerRole, name),
    serviceUrl: postgres.url(serviceRole, name),
    drop: async () => void (await drop()),
  };
}

async function filledTemplate(postgres: Postgres, ports: number, say: (line: string) => void): Promise<string> {
  const migrated = await migratedDatabase();
  try {
    const { rows } = await onDatabaseUrl(migrated.ownerUrl, (client) =>
      client.query<{ state: string }>(`select string_agg(m.sha256, ',' order by m.name) as state from migration m`),
    );
    const state = createHash('sha256')
      .update(`${rows[0]!.state}${fillSql(ports)}`)
      .digest('hex')
      .slice(0, 12);
    const template = `bench_template_${state}_${ports}`;
    const known = await administer(postgres, (client) =>
      client.query('select from pg_database where datname = $1', [template]),
    );
    if (known.rowCount === 1) return template;
    const started = performance.now();
    await onDatabaseUrl(migrated.ownerUrl, async (client) => {
      await client.query(fillSql(ports));
      await client.query('vacuum (freeze, analyze)');
    });
    await administer(postgres, async (client) => {
      await dropOlderTemplates(client, ports);
      await client.query(`alter database ${migrated.name} rename to ${template}`);
    });
    say(
      `filled ${ports.toLocaleString('en')} ports in ${((performance.now() - started) / 1_000).toFixed(1)} s; kept as ${template}`,
    );
    return template;
  } finally {
    await migrated.drop();
  }
}

/** Those of earlier migrations are of no use any more, and large. */
async function dropOlderTemplates(client: pg.Client, ports: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select d.datname as name from pg_database d where d.datname ~ ('^bench_template_[0-9a-f]{12}_' || $1::text || '$')`,
    [ports],
  );
  for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
}

const administer = async <T>(postgres: Postgres, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  onDatabaseUrl(postgres.url(ownerRole, 'postgres'), work);

export async function onDatabaseUrl<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
