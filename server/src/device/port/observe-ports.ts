import type pg from 'pg';
import { checkValue, everyRow } from '../../context.ts';
import type { Field } from '../../kernel/declare/field.ts';
import { literal, quoted, snakeCase } from '../../kernel/declare/names.ts';
import type { Fault } from '../../kernel/failure.ts';
import { port } from './port.ts';

const everyPort = everyRow(port, 'a poll is work of the service');

/** Data of one port from a poll, a trap or the demonstration data. All rows of one call must have the same fields. */
export interface SeenPort {
  deviceID: number;
  /** ifName, or the name of the SSID or VPN entry. */
  name: string;
  /** 1 SSID and 2 VPN are matched by their name, all others by their ifName; absent: an interface. */
  portType?: number;
  ifindex?: string;
  status?: number;
  ip?: string;
  physAddr?: string;
  connectionState?: number;
  currentVlan?: string;
  currentCli?: string;
  lastChangeSummary?: string;
  ifspeed?: string;
  ifdescr?: string;
  ifadminStatus?: number;
  ifoperStatus?: number;
  /** Stored when the port is created; later the administrator's value stays. */
  label?: string;
  defaultVlan?: string;
}

const rowsMax = 10_000;
const fields: Readonly<Record<string, Field>> = port.fields;
const prefixes: Readonly<Record<number, string>> = { 1: 'ssid:', 2: 'vpn:' };
const stored = Object.entries(fields).filter(([, field]) => field.stored && !field.reference);
const isObserved = (name: string): boolean => fields[name]?.observed === true;

/** Returns the fields of the record that the row contains, with the fields that identify the port. */
function recordOf(row: SeenPort): Record<string, unknown> {
  const prefix = prefixes[row.portType ?? 0];
  const portName = prefix ? `${prefix}${row.name}` : row.name;
  const portID = prefix ? portName : row.ifindex;
  return { ...row, ifname: portName, ...(portID !== undefined && { portID }) };
}

/** Normalises every field; an invalid value is a bug of the caller. */
function checked(row: SeenPort): Record<string, unknown> {
  const faults: Fault[] = [];
  const { deviceID, ...record } = recordOf(row);
  const values = Object.entries(record).map(([name, value]) => {
    if (!fields[name]) throw new Error(`a port has no field ${name}`);
    return [name, checkValue(fields[name].shape, value, `/${name}`, faults)] as const;
  });
  if (faults[0]) throw new Error(`port ${row.name} of device ${deviceID}: ${faults[0].message}`);
  return { deviceID, ...Object.fromEntries(values) };
}

/**
 * Stores observed ports in one statement: inserts new ones, and updates the observed fields of the others where they
 * differ. The table's trigger writes a feed entry for each; they get neither a new version nor an audit row.
 */
export async function observePorts(
  client: pg.PoolClient | pg.Pool,
  rows: readonly SeenPort[],
): Promise<{ added: number; changed: number }> {
  if (rows.length === 0) return { added: 0, changed: 0 };
  if (rows.length > rowsMax) throw new Error(`at most ${rowsMax} ports are written at once, not ${rows.length}`);
  const records = rows.map(checked);
  const names = Object.keys(records[0]!);
  if (records.some((record) => Object.keys(record).sort().join() !== names.toSorted().join()))
    throw new Error('the ports of one call name different fields');
  const { rows: answer } = await client.query<{ added: number; changed: number }>(statementFor(names), [
    JSON.stringify(records),
  ]);
  return answer[0]!;
}

const columnType = (name: string): string => (fields[name]!.shape.kind === 'integer' ? 'integer' : 'text');

function statementFor(names: readonly string[]): string {
  const observedNames = names.filter((name) => name !== 'deviceID');
  const column = (name: string) => quoted(snakeCase(name));
  const typed = observedNames.map((name) => `${quoted(name)} ${columnType(name)}`);
  // Device and ifname identify the port, so they never change.
  const updatedNames = observedNames.filter((name) => isObserved(name) && name !== 'ifname');
  const initial = stored.map(([name, { default: value }]) => {
    if (observedNames.includes(name)) return `s.${quoted(name)}`;
    return typeof value === 'string' ? literal(value) : String(value);
  });
  const storedColumns = updatedNames.map((name) => `p.${column(name)}`).join(', ');
  const reported = updatedNames.map((name) => `s.${quoted(name)}`).join(', ');
  return `with seen as (
      select * from jsonb_to_recordset($1::jsonb) s("deviceID" bigint, ${typed.join(', ')})
    ), changed as (
      update ${everyPort} p set ${updatedNames.map((name) => `${column(name)} = s.${quoted(name)}`).join(', ')}
      from seen s
      where p.device_id = s."deviceID" and p.ifname = s.ifname and (${storedColumns}) is distinct from (${reported})
      returning p.id
    ), added as (
      insert into ${everyPort} (device_id, ${stored.map(([name]) => column(name)).join(', ')})
      select s."deviceID", ${initial.join(', ')}
      from seen s
      where not exists (select from ${everyPort} p where p.device_id = s."deviceID" and p.ifname = s.ifname)
      on conflict (device_id, ifname) do nothing
      returning id
    )
    select (select count(*) from added)::integer as added, (select count(*) from changed)::integer as changed`;
}
