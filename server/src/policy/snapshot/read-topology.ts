import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { container } from '../../device/container/container.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { port, ssidPortType } from '../../device/port/port.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { LoopShare } from '../../kernel/values/loop-share.ts';
import { type ContainerNode, type DeviceNode, type PortNode, Topology } from '../decide/decide.service.ts';

const reason = 'decisions read every place; explanations omit the names that their reader may not view';
const everyContainer = everyRow(container, reason);
const everyDevice = everyRow(networkDevice, reason);
const everyPort = everyRow(port, reason);

/** Rows that are read at once: they occupy the event loop for a few milliseconds. */
const sliceRows = 1_000;

const groupsOf = (code: number, row: string): string =>
  `array(select m.group_id from group_member m where m.element_type = ${code} and m.member_id = ${row}.id)`;

/** A table of the topology: the SQL that reads its rows, and the functions that store or remove a row. */
interface Source<Row extends { id: number }> {
  /** Selects the rows, as `r`. */
  sql: string;
  set(topology: Topology, row: Row): void;
  remove(topology: Topology, id: number): void;
}

const containers: Source<ContainerNode> = {
  sql: `select r.id, r.name, r.parent_id as "parentID" from ${everyContainer} r`,
  set: (topology, row) => topology.setContainer(row),
  remove: (topology, id) => topology.removeContainer(id),
};

const devices: Source<DeviceNode> = {
  sql: `select r.id, r.name, r.container_id as "containerID", r.managed as "isManaged", r.send_default_vlan as "sendDefaultVlan", r.radius_enabled as "isRadiusClient",
    r.device_type as "deviceType", r.model, ${groupsOf(elementCodes.DEVICE, 'r')} as groups from ${everyDevice} r`,
  set: (topology, row) => topology.setDevice(row),
  remove: (topology, id) => topology.removeDevice(id),
};

const ports: Source<PortNode> = {
  sql: `select r.id, r.device_id as "deviceID", r.name, case r.port_type when ${ssidPortType} then r.name end as ssid,
    exists (select from port_uplink u where u.port_id = r.id) as "isUplink", r.default_vlan as "defaultVlan",
    ${groupsOf(elementCodes.PORT, 'r')} as groups from ${everyPort} r`,
  set: (topology, row) => topology.setPort(row),
  remove: (topology, id) => topology.removePort(id),
};

/** The tables of the topology, by their name in the change feed. */
const sources = { container: containers, network_device: devices, port: ports };
type TableName = keyof typeof sources;
export const topologyTables = Object.keys(sources) as TableName[];

/** Loads the complete topology, some rows at a time. */
export async function readTopology(client: pg.ClientBase): Promise<Topology> {
  const topology = new Topology();
  for (const name of topologyTables) await readAll(client, topology, name, sources[name] as Source<{ id: number }>);
  return topology;
}

async function readAll(
  client: pg.ClientBase,
  topology: Topology,
  table: TableName,
  { sql, set }: Source<{ id: number }>,
): Promise<void> {
  const share = new LoopShare();
  for (let after = 0; ; ) {
    const { rows } = await client.query<{ id: number }>({
      name: `snapshot.all-${table}`,
      text: `${sql} where r.id > $1 order by r.id limit ${sliceRows}`,
      values: [after],
    });
    await eachInTurn(share, rows, (row) => set(topology, row));
    if (rows.length < sliceRows) return;
    after = rows.at(-1)!.id;
  }
}

/** The table and id of a changed row of the topology. */
export interface ChangedRow {
  table: TableName;
  id: number;
}

/** Returns a new topology with the changed rows read again; `before` stays unchanged. */
export async function changedTopology(
  client: pg.ClientBase,
  before: Topology,
  changes: readonly ChangedRow[],
): Promise<Topology> {
  if (changes.length === 0) return before;
  const topology = new Topology(before);
  const share = new LoopShare();
  for (const name of topologyTables) {
    const { sql, set, remove } = sources[name] as Source<{ id: number }>;
    const ids = changes.flatMap(({ table, id }) => (table === name ? [id] : []));
    for (let start = 0; start < ids.length; start += sliceRows) {
      const slice = ids.slice(start, start + sliceRows);
      const { rows } = await client.query<{ id: number }>({
        name: `snapshot.some-${name}`,
        text: `${sql} where r.id = any($1::bigint[])`,
        values: [slice],
      });
      const removedIDs = new Set(slice);
      await eachInTurn(share, rows, (row) => {
        set(topology, row);
        removedIDs.delete(row.id);
      });
      for (const id of removedIDs) remove(topology, id);
    }
  }
  return topology;
}

async function eachInTurn<Row>(share: LoopShare, rows: readonly Row[], work: (row: Row) => void): Promise<void> {
  for (const row of rows) {
    work(row);
    if (share.isUsedUp()) await share.pause();
  }
}
