import type * as engineOfTree from '../../src/policy/decide/decide.service.ts';
import type {
  AdapterFacts,
  ConnectionFacts,
  ContainerNode,
  DecisionContext,
  DeviceNode,
  GroupEdge,
  HostFacts,
  PolicySet,
  PortNode,
  Topology,
  UserFacts,
} from '../../src/policy/decide/decide.service.ts';

/** Facts of one adapter as in the tables: groups are direct memberships, the place is an id. */
export interface RawConnection
  extends Omit<ConnectionFacts, 'containers' | 'device' | 'port' | 'type' | 'authenticatedBy'>,
    Pick<DecisionContext, 'atMs' | 'adapter' | 'host' | 'loggedOnUser' | 'owner'> {
  deviceID: number;
  portID: number | null;
  /** True if the caller passed attributes of a RADIUS request. */
  isByRequest: boolean;
}

/** All inputs of decisions, as plain records. */
export interface DecisionWorld {
  set: PolicySet;
  containers: ContainerNode[];
  devices: DeviceNode[];
  ports: PortNode[];
  /** Edges between groups of hosts and of users; those of devices and ports are in the set. */
  hostGroupEdges: GroupEdge[];
  connections: RawConnection[];
}

export function fillTopology(topology: Topology, { containers, devices, ports }: DecisionWorld): void {
  for (const container of containers) topology.setContainer(container);
  for (const device of devices) topology.setDevice(device);
  for (const port of ports) topology.setPort(port);
}

/** Returns groups with their ancestors, like the closure table. */
function withParents(groups: readonly number[], edges: readonly GroupEdge[]): number[] {
  const reached = new Set(groups);
  for (const group of reached) for (const { parentID, childID } of edges) if (childID === group) reached.add(parentID);
  return [...reached].sort((a, b) => a - b);
}

/** The functions of the engine that run before the decision; a trial passes a copy with a fault. */
export type ContextEngine = Pick<typeof engineOfTree, 'connectionType' | 'loginForDecision' | 'authenticatedBy'>;

/** Returns the context of a connection, as it is read from the database and the topology. */
export function contextOf(
  world: DecisionWorld,
  raw: RawConnection,
  topology: Topology,
  engine: ContextEngine,
): DecisionContext {
  const closed = <T extends AdapterFacts | HostFacts | UserFacts>(facts: T): T => ({
    ...facts,
    groups: withParents(facts.groups, world.hostGroupEdges),
  });
  const { atMs, adapter, host, loggedOnUser, owner, deviceID, portID, isByRequest, ...connection } = raw;
  const place = topology.placeOfDevice(deviceID, portID === null ? null : topology.port(portID));
  if (!place) throw new Error(`device ${deviceID} is not in the topology`);
  const type = engine.connectionType(place, adapter.login.authType, isByRequest);
  const login = engine.loginForDecision(type, adapter.login);
  return {
    atMs,
    adapter: closed({ ...adapter, login }),
    host: closed(host),
    loggedOnUser: loggedOnUser && closed(loggedOnUser),
    owner: owner && closed(owner),
    connection: { ...connection, ...place, type, authenticatedBy: engine.authenticatedBy(login) },
  };
}
