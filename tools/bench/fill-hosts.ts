import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadVendors } from '@portreeve/server/host/adapter/vendors.ts';
import type pg from 'pg';
import type { FilledDatabase } from './fill.ts';
import { devicesSql } from './fill-ports.ts';
import { startNode } from './node.ts';
import { onDatabaseUrl } from './on-database-url.ts';
import { adaptersPerHost, macOf, onlineShare } from './subjects/adapter.ts';
import { osTag, ownerOf } from './subjects/host.ts';
import { familySize, rareTextOf, rareTextSql } from './subjects/subject.ts';

/** How long an import of hosts took, and COPY of the same rows. */
export interface ImportFigures {
  hosts: number;
  adapters: number;
  /** From the first sent byte until the end of the last task. */
  importSeconds: number;
  /** COPY of the same rows by psql into tables with the same indexes, and into tables without any. */
  copySeconds: number;
  plainCopySeconds: number;
}

export const importName = 'import';

/** A million lines would exceed the size limit of one file. */
const linesPerFile = 250_000;

/** Hosts with one adapter each. */
function* hostLines(first: number, last: number): Generator<string> {
  yield 'adap.mac,adap.ip,adap.media,host.host,host.devType,host.os,host.serial,user.uid,user.fn\n';
  for (let id = first; id <= last; id++) {
    const owner = ownerOf(Math.ceil(id / familySize));
    const ip = `10.${id >> 16}.${(id >> 8) & 255}.${id & 255}`;
    yield `${macOf(id)},${ip},WIRED,pc-${rareTextOf(id)},${osTag},Windows 11,SN${id},${owner},Ward\n`;
  }
}

/** Second adapters of existing hosts. */
function* siblingLines(hosts: number, first: number, last: number): Generator<string> {
  yield 'adap.mac,siblings\n';
  for (let n = first; n <= last; n++) yield `${macOf(n * 5)},${macOf(hosts + n)}\n`;
}

function* filesOf(hosts: number): Generator<{ name: string; lines: Iterable<string> }> {
  const siblings = Math.round(hosts * (adaptersPerHost - 1));
  for (let first = 1; first <= hosts; first += linesPerFile)
    yield { name: `hosts-${first}.csv`, lines: hostLines(first, Math.min(hosts, first + linesPerFile - 1)) };
  for (let first = 1; first <= siblings; first += linesPerFile)
    yield {
      name: `siblings-${first}.csv`,
      lines: siblingLines(hosts, first, Math.min(siblings, first + linesPerFile - 1)),
    };
}

const chunkLines = 5_000;

async function* chunksOf(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  let chunk: string[] = [];
  for (const line of lines) {
    chunk.push(line);
    if (chunk.length < chunkLines) continue;
    yield Buffer.from(chunk.join(''));
    chunk = [];
  }
  yield Buffer.from(chunk.join(''));
}

/** Sends one file and waits until its task is over. */
async function importFile(node: { port: number; token: string }, name: string, lines: Iterable<string>): Promise<void> {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${node.port}${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${node.token}` },
    });
  const reply = await ask(`/api/v2/host/import-hosts?fileName=${name}`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: chunksOf(lines),
    duplex: 'half',
  });
  if (reply.status !== 202) throw new Error(`${name} was answered ${reply.status}: ${await reply.text()}`);
  const location = reply.headers.get('location')!;
  for (;;) {
    const { results } = (await (await ask(location)).json()) as { results: [{ state: string; report: unknown }] };
    const [{ state, report }] = results;
    if (state === 'COMPLETED') return;
    if (state === 'FAILED' || state === 'CANCELLED') throw new Error(`${name} ${state}: ${JSON.stringify(report)}`);
    await sleep(100);
  }
}

/** Fills a database with hosts and adapters through the API of a node, and connects one in five to a port. */
export async function fillHosts(
  database: FilledDatabase,
  folder: string,
  say: (line: string) => void,
): Promise<ImportFigures> {
  const { size: hosts, ownerUrl } = database;
  const node = await startNode(database, { administrator: true, first: (tx) => loadVendors(tx) });
  let importSeconds = 0;
  try {
    const started = performance.now();
    for (const { name, lines } of filesOf(hosts)) {
      await importFile({ port: node.port, token: node.token }, name, lines);
      say(`${name} is imported after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    }
    importSeconds = (performance.now() - started) / 1_000;
  } finally {
    await node.close();
  }
  const copied = await copyTimes(database, folder);
  await onDatabaseUrl(ownerUrl, async (client) => {
    await client.query(onlineSql(hosts));
    await verify(client, hosts);
  });
  const figures = { hosts, adapters: Math.round(hosts * adaptersPerHost), importSeconds, ...copied };
  say(importLine(figures));
  return figures;
}

export const importWords = ['Rows', 'Through the API', 'COPY, same indexes', 'COPY, no index', 'Ratio'] as const;

/** Returns the number of rows, and the rows per second of each way; the ratio is that of the first two. */
export function importCells({
  hosts,
  adapters,
  importSeconds,
  copySeconds,
  plainCopySeconds,
}: ImportFigures): string[] {
  const words = (n: number) => Math.round(n).toLocaleString('en');
  const rate = (seconds: number) => `${words((hosts + adapters) / seconds)} a second`;
  const rows = `${words(hosts)} hosts and ${words(adapters)} adapters`;
  return [
    rows,
    rate(importSeconds),
    rate(copySeconds),
    rate(plainCopySeconds),
    (copySeconds / importSeconds).toFixed(2),
  ];
}

/** Returns the line with all results; there is no goal. */
function importLine(figures: ImportFigures): string {
  const cells = importCells(figures);
  const figureTexts = importWords.slice(0, -1).map((word, index) => `${word.toLowerCase()} ${cells[index]}`);
  return `${importName}: ratio ${cells.at(-1)} (no goal); ${figureTexts.join(', ')}`;
}

/** Measures COPY of the imported rows to a file and into separate tables, by psql. */
async function copyTimes(
  { ownerUrl }: FilledDatabase,
  folder: string,
): Promise<Pick<ImportFigures, 'copySeconds' | 'plainCopySeconds'>> {
  const times = { copySeconds: 0, plainCopySeconds: 0 };
  for (const table of ['host', 'adapter']) {
    const file = join(folder, table);
    await psql(ownerUrl, `copy ${table} to stdout`, undefined, file);
    for (const [which, including] of [
      ['copySeconds', 'including all'],
      ['plainCopySeconds', 'including defaults'],
    ] as const) {
      await onDatabaseUrl(ownerUrl, (client) => client.query(`create table bench_copy (like ${table} ${including})`));
      const started = performance.now();
      await psql(ownerUrl, 'copy bench_copy from stdin', file);
      times[which] += (performance.now() - started) / 1_000;
      await onDatabaseUrl(ownerUrl, (client) => client.query('drop table bench_copy'));
    }
    if ((await stat(file)).size === 0) throw new Error(`${table} was empty`);
  }
  return times;
}

async function psql(url: string, command: string, input?: string, output?: string): Promise<void> {
  const inputFile = input ? await open(input) : undefined;
  const outputFile = output ? await open(output, 'w') : undefined;
  const child = spawn('psql', ['--no-psqlrc', '--quiet', '--dbname', url, '--command', command], {
    stdio: [inputFile?.fd ?? 'ignore', outputFile?.fd ?? 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  await inputFile?.close();
  await outputFile?.close();
  if (code !== 0) throw new Error(`psql ended with code ${code}: ${command}`);
}

/**
 * SQL that connects hosts, 250 on each device, each on a port of its own, and adds the spare host and the spare adapter
 * of the last host.
 */
const onlineSql = (hosts: number): string => {
  const online = hosts * onlineShare;
  return `
  ${devicesSql(online / familySize)}

  insert into port (id, port_type, name, port_id, device_id, status, ip, phys_addr, label, connection_state, default_vlan, current_vlan, current_cli,
    notes, last_change_summary, ifname, ifindex, ifspeed, ifdescr, ifadmin_status, ifoper_status, uplink_disabled, yams_event_tag)
  select n, 0, 'Gi1/0/' || p.index, p.index::text, 1 + (n - 1) / ${familySize}, 1, '', '', '', 1, '10', '10', '', '', '', 'Gi1/0/' || p.index, p.index::text,
    '1000000000', 'Gigabit Ethernet ' || p.index, 1, 1, false, ''
  from generate_series(1, ${online}::bigint) n cross join lateral (select 1 + (n - 1) % ${familySize} as index) p;

  insert into connection_active (mac, device_id, port_id, vlan) select a.physical_address, 1 + (a.id - 1) / ${familySize}, a.id, '10' from adapter a where a.id <= ${online};

  insert into host select (jsonb_populate_record(null::host, to_jsonb(h) || jsonb_build_object('id', ${hosts + 1}, 'host_name', 'spare', 'owner_id', null))).* from host h where h.id = 1;
  insert into adapter select (jsonb_populate_record(null::adapter, to_jsonb(a) || jsonb_build_object('id', ${Math.round(hosts * adaptersPerHost) + 1}, 'physical_address', '00:1E:00:00:00:01', 'host_id', ${hosts}))).*
  from adapter a where a.id = 1;
  select setval(pg_get_serial_sequence('host', 'id'), ${hosts} + 10), setval(pg_get_serial_sequence('adapter', 'id'), ${Math.round(hosts * adaptersPerHost)} + 10),
    setval(pg_get_serial_sequence('port', 'id'), ${online} + 10);`;
};

/** Checks the ids, names and addresses that the loads expect. */
async function verify(client: pg.Client, hosts: number): Promise<void> {
  const { rows } = await client.query<{ wrong: string }>(
    `select count(*) as wrong from host h left join user_account u on u.id = h.owner_id
     where h.id <= ${hosts} and (h.host_name is distinct from 'pc-' || ${rareTextSql('h.id')} or u.user_id is distinct from 'ward-' || 1 + (h.id - 1) / ${familySize})`,
  );
  if (rows[0]!.wrong !== '0') throw new Error(`${rows[0]!.wrong} hosts differ from their lines`);
  const { rows: adapters } = await client.query<{ id: string; mac: string }>(
    'select a.id, a.physical_address as mac from adapter a tablesample system (1) where a.id <= $1 limit 10000',
    [Math.round(hosts * adaptersPerHost)],
  );
  const stray = adapters.find(({ id, mac }) => macOf(Number(id)) !== mac);
  if (stray || adapters.length === 0) throw new Error(`adapter ${stray?.id} differs from its line`);
}
