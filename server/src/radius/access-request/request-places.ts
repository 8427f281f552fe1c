import { everyRow, type Runtime, type WriteTx } from '../../context.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { port, ssidPortType, unknownPort, virtualPortType } from '../../device/port/port.ts';
import { observeSsids } from '../../device/ssid/ssid.service.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import type { Place, PortNode, Topology } from '../../policy/decide/decide.service.ts';
import type { Snapshot } from '../../policy/snapshot/snapshot.service.ts';
import { radiusPortUnresolved } from '../radius-response/radius-response.events.ts';
import type { AccessDevice } from './access-devices.ts';
import type { AccessRequest } from './parse-access-request.ts';

const everyPort = everyRow(port, 'a RADIUS request is decided independently of who may view the port');

/** Limit on the wireless networks of a device; requests from further ones are at its port `unknown`. */
const ssidsMax = 200;
const rememberedMax = 100_000;
/** Time for which the port `unknown` is cached for a request: the next poll may store the actual port. */
const unknownMs = 10_000;

interface PlaceOfRequest {
  snapshot: Snapshot;
  place: Place;
}

type PortSelector = Pick<AccessRequest, 'ssid' | 'portName' | 'portNumber'>;

/** Names take precedence over numbers, which devices may change at a restart. */
const portSql = `select p.id from ${everyPort} p
where p.device_id = $1 and p.port_type <> ${ssidPortType} and p.status <> 4 and (p.ifname = $2 or p.ifdescr = $2 or p.ifindex = $3)
order by p.ifname = $2 desc, p.ifdescr = $2 desc, p.id limit 1`;

const namedSql = `select p.id from ${everyPort} p where p.device_id = $1 and p.ifname = $2`;

const ssidCountSql = `select count(*) as count from ${everyPort} p where p.device_id = $1 and p.port_type = ${ssidPortType}`;

/** Finds the port of a request. Adds a new wireless network as a port; an unknown wired port is the port `unknown`. */
export class RequestPlaces {
  readonly #runtime: Runtime;
  readonly #latest: () => Promise<Snapshot>;
  readonly #monotonicMs: () => number;
  /** Valid while the topology has the same node: a change of the port replaces its node. */
  readonly #cachedPorts = new Map<string, { node: PortNode; untilMs: number }>();

  constructor(runtime: Runtime, latest: () => Promise<Snapshot>, monotonicMs: () => number) {
    this.#runtime = runtime;
    this.#latest = latest;
    this.#monotonicMs = monotonicMs;
  }

  /** Returns the place with its snapshot, a newer one if the port was added for this request. */
  async of(snapshot: Snapshot, device: AccessDevice, request: AccessRequest): Promise<PlaceOfRequest> {
    const { topology } = snapshot;
    const key = JSON.stringify([device.id, request.ssid, request.portName, request.portNumber]);
    const cachedPort = this.#cachedPorts.get(key);
    if (cachedPort && this.#monotonicMs() < cachedPort.untilMs && topology.port(cachedPort.node.id) === cachedPort.node)
      return { snapshot, place: placeOf(topology, cachedPort.node) };
    const id = (await this.#stored(device, request)) ?? (await this.#added(device, request));
    const current = topology.port(id) ? snapshot : await this.#latest();
    const node = current.topology.port(id);
    if (!node) throw new Error(`port ${id} of ${device.name} is not in the topology yet`);
    this.#remember(key, node);
    return { snapshot: current, place: placeOf(current.topology, node) };
  }

  /** Returns the place without adding ports; without a stored port, it has none. */
  async known(snapshot: Snapshot, device: AccessDevice, request: AccessRequest): Promise<PlaceOfRequest> {
    const { topology } = snapshot;
    const id =
      (await this.#stored(device, request)) ?? (request.ssid === null ? await this.#unknown(device) : undefined);
    const place = topology.placeOfDevice(device.id, id === undefined ? null : topology.port(id));
    if (!place) throw new Error(`device ${device.name} is not in the topology yet`);
    return { snapshot, place };
  }

  #remember(key: string, node: PortNode): void {
    this.#cachedPorts.delete(key);
    const untilMs = node.name === unknownPort ? this.#monotonicMs() + unknownMs : Number.POSITIVE_INFINITY;
    this.#cachedPorts.set(key, { node, untilMs });
    if (this.#cachedPorts.size > rememberedMax) this.#cachedPorts.delete(this.#cachedPorts.keys().next().value!);
  }

  async #stored({ id }: AccessDevice, { ssid, portName, portNumber }: PortSelector): Promise<number | undefined> {
    const { pool } = this.#runtime;
    const { rows } =
      ssid === null
        ? await pool.query<{ id: number }>({ name: 'radius.port', text: portSql, values: [id, portName, portNumber] })
        : await pool.query<{ id: number }>({ name: 'radius.ssid', text: namedSql, values: [id, `ssid:${ssid}`] });
    return rows[0]?.id;
  }

  async #unknown({ id }: AccessDevice): Promise<number | undefined> {
    const { rows } = await this.#runtime.pool.query<{ id: number }>(namedSql, [id, unknownPort]);
    return rows[0]?.id;
  }

  #added(device: AccessDevice, request: AccessRequest): Promise<number> {
    return this.#runtime.transact(systemOrigin('radius'), async (tx) => {
      const isSsid = request.ssid !== null && (await ssidsOf(tx, device)) < ssidsMax;
      return isSsid ? addSsid(tx, device, request.ssid!, request.bssid) : findUnknown(tx, device, request);
    });
  }
}

function placeOf(topology: Topology, node: PortNode): Place {
  const place = topology.placeOfPort(node.id);
  if (!place) throw new Error(`the device of port ${node.id} is gone`);
  return place;
}

async function ssidsOf({ client }: WriteTx, { id }: AccessDevice): Promise<number> {
  const { rows } = await client.query<{ count: number }>(ssidCountSql, [id]);
  return Number(rows[0]!.count);
}

async function addSsid(tx: WriteTx, device: AccessDevice, name: string, bssid: string | null): Promise<number> {
  await observePorts(tx.client, [{ deviceID: device.id, name, portType: ssidPortType, status: 1 }]);
  await observeSsids(tx, device, [{ name, bssid, security: 'UNKNOWN' }]);
  return portNamed(tx, device, `ssid:${name}`);
}

async function findUnknown(
  tx: WriteTx,
  device: AccessDevice,
  { portName, portNumber, ssid }: PortSelector,
): Promise<number> {
  await observePorts(tx.client, [{ deviceID: device.id, name: unknownPort, portType: virtualPortType, status: 1 }]);
  const { rowCount } = await tx.client.query(
    `insert into radius_port_unresolved as u (device_id) values ($1)
     on conflict (device_id) do update set reported_at = now() where u.reported_at < now() - interval '1 day'`,
    [device.id],
  );
  if (rowCount === 1)
    await tx.emit({
      type: radiusPortUnresolved,
      element: { id: device.id, name: device.name },
      attributes: { port: ssid ?? portName ?? portNumber ?? 'none' },
    });
  return portNamed(tx, device, unknownPort);
}

async function portNamed({ client }: WriteTx, { id, name }: AccessDevice, ifname: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>(namedSql, [id, ifname]);
  if (!rows[0]) throw new Error(`the port ${ifname} of ${name} was not added`);
  return rows[0].id;
}
