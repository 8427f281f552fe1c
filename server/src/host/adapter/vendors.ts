import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { copyIn, copyLine, everyRow, readCsv, type WriteTx } from '../../context.ts';
import { adapter } from './adapter.ts';

const everyAdapter = everyRow(adapter, 'the vendor list is loaded by the service');

/** The folder in which Debian's package ieee-data installs the registries: MA-L (24 bits), MA-M (28), MA-S (36) and IAB, the predecessor of MA-S. */
export const registryFolder = '/usr/share/ieee-data';
const registries = ['oui.csv', 'mam.csv', 'oui36.csv', 'iab.csv'] as const;
const nameMax = 200;

interface RegistryFile {
  name: string;
  bytes: number;
  modifiedMs: number;
}

/** `741AE09` → `74:1A:E0:9`. */
const prefixOf = (assignment: string): string =>
  assignment
    .toUpperCase()
    .match(/.{1,2}/g)!
    .join(':');

/** Returns the prefixes of a registry with their vendors. The few prefixes with several vendors have all names, separated by a slash. */
export async function readRegistry(path: string): Promise<Map<string, string>> {
  const vendors = new Map<string, string>();
  for await (const { cells } of readCsv(createReadStream(path))) {
    const [, assignment = '', organization = ''] = cells;
    if (!/^[0-9A-Fa-f]{6,9}$/.test(assignment)) continue;
    const code = prefixOf(assignment);
    const name = organization.trim().replaceAll(/\s+/g, ' ');
    const storedName = vendors.get(code);
    const isNew = storedName !== undefined && !storedName.split(' / ').includes(name);
    vendors.set(
      code,
      (storedName === undefined ? name : isNew ? `${storedName} / ${name}` : storedName).slice(0, nameMax),
    );
  }
  return vendors;
}

async function filesOf(folder: string): Promise<RegistryFile[]> {
  return Promise.all(
    registries.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return { name, bytes: size, modifiedMs: Math.floor(mtimeMs) };
    }),
  );
}

/** Loads the registries if their files changed. Returns the number of prefixes, or undefined if no file changed. */
export async function loadVendors(tx: WriteTx, folder = registryFolder): Promise<number | undefined> {
  const { client } = tx;
  const files = await filesOf(folder);
  const { rows: storedFiles } = await client.query<RegistryFile>(
    `select f.name, f.bytes, f.modified_ms as "modifiedMs" from oui_file f`,
  );
  const isUnchanged = (file: RegistryFile) =>
    storedFiles.some(
      ({ name, bytes, modifiedMs }) => name === file.name && bytes === file.bytes && modifiedMs === file.modifiedMs,
    );
  if (files.every(isUnchanged)) return undefined;
  const vendors = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { name } of files) {
    const registry = await readRegistry(join(folder, name));
    counts.set(name, registry.size);
    for (const [code, vendor] of registry) vendors.set(code, vendor);
  }
  await client.query('create temporary table oui_new (code text primary key, name text not null) on commit drop');
  const lines = [...vendors].map((cells) => copyLine(cells)).join('');
  await copyIn(client, 'copy oui_new (code, name) from stdin', [Buffer.from(lines)]);
  await client.query('delete from oui_prefix p where not exists (select from oui_new n where n.code = p.code)');
  await client.query(`insert into oui_prefix as p (code, name) select n.code, n.name from oui_new n
    on conflict (code) do update set name = excluded.name where p.name <> excluded.name`);
  await client.query(
    `insert into oui_file (name, bytes, modified_ms, prefixes)
     select f.name, f.bytes, f."modifiedMs", f.prefixes
     from jsonb_to_recordset($1::jsonb) f(name text, bytes bigint, "modifiedMs" bigint, prefixes integer)
     on conflict (name) do update set bytes = excluded.bytes, modified_ms = excluded.modified_ms, prefixes = excluded.prefixes, loaded_at = now()`,
    [JSON.stringify(files.map((file) => ({ ...file, prefixes: counts.get(file.name) })))],
  );
  return vendors.size;
}

const adaptersAtOnce = 20_000;

/** Updates the vendors of the next adapters. Returns the id to continue after, or undefined at the end. */
export async function nameVendors({ client }: WriteTx, after: number): Promise<number | undefined> {
  const { rows } = await client.query<{ last: number | null }>(
    `with page as (select a.id, a.physical_address from ${everyAdapter} a where a.id > $1 order by a.id limit ${adaptersAtOnce}),
     renamed as (
       update ${everyAdapter} a set vendor_name = v.name, vendor_oui = v.code
       from page p left join lateral mac_vendor(p.physical_address) v on true
       where a.id = p.id and (a.vendor_name, a.vendor_oui) is distinct from (v.name, v.code)
     )
     select max(p.id) as last from page p`,
    [after],
  );
  return rows[0]!.last ?? undefined;
}
