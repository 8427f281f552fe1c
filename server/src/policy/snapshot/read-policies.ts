import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { container } from '../../device/container/container.ts';
import { group } from '../../system/group/group.ts';
import type {
  AccessConfiguration,
  AuthenticationConfiguration,
  GroupEdge,
  GroupRecord,
  LogicalNetwork,
  LogicalNetworkConfiguration,
  Named,
  Policy,
  PolicySet,
  RoleMapping,
  Where,
  ZoneOffsets,
} from '../decide/decide.service.ts';
import { defaultRole } from '../role/role.ts';

const reason = 'decisions read every name; explanations omit those that their reader may not view';
const everyContainer = everyRow(container, reason);
const everyGroup = everyRow(group, reason);

const networksSql = `select n.id, n.name, n.access_state as "accessState", n.default_value as "defaultValue" from logical_network n order by n.id`;

const valuesSql = `select v.id, v.logical_network_id as "logicalNetworkID", v.element_type as "elementType", v.element_id as "elementID",
  v.access_enforcement as "accessEnforcement", v.access_type as "accessType", v.access_value as "accessValue",
  v.radius_attr_group_id as "radiusAttrGroupID", v.cli_apply as "cliApply", v.cli_undo as "cliUndo", v.firewall_tag_ids as "firewallTagIDs"
from logical_network_configuration v order by v.id`;

const configurationsSql = `select c.id, c.name, c.type, c.logical_network_id as "logicalNetworkID",
  c.direct_configuration as "directConfiguration", c.firewall_tag_ids as "firewallTagIDs", c.session_timeout_minutes as "sessionTimeoutMinutes"
from access_configuration c order by c.id`;

const mappingsSql = `select m.id, m.name, m.rank, m.role_id as "roleID", m."where", m.applies_to as "appliesTo",
  m.access_configuration_id as "accessConfigurationID", m.direct_configuration as "directConfiguration"
from role_mapping m order by m.rank`;

const policiesSql = (table: string, configuration: string): string =>
  `select p.id, p.name, p.rank, p.enabled, p.criteria, p.${configuration} as "configurationID" from ${table} p order by p.rank`;

const authenticationsSql = `select c.id, c.name, c.enable_authentication as "enableAuthentication",
  c.time_in_production_before_authentication as "timeInProductionBeforeAuthentication"
from authentication_configuration c order by c.id`;

const rolesSql = 'select r.id, r.name from role r order by r.id';

const edgesSql = `select e.parent_id as "parentID", e.child_id as "childID" from group_edge e
join ${everyGroup} g on g.id = e.parent_id where g.type in ('DEVICE', 'PORT')`;

const groupsSql = `select g.id, g.name, g.tag from ${everyGroup} g where g.tag is not null or g.id = any($1::bigint[])`;

const containersSql = `select c.id, c.name from ${everyContainer} c where c.id = any($1::bigint[])`;

/** Reads all configured data that decisions use, except the topology, as the transaction sees it. */
export async function readPolicySet(client: pg.ClientBase, zone: ZoneOffsets): Promise<PolicySet> {
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;
  const [cell] = await query<{ generation: number; landscape: number }>(
    'select g.generation, cell_landscape() as landscape from policy_generation g',
  );
  const accessPolicies = await query<Policy>(policiesSql('access_policy', 'access_configuration_id'));
  const authentication = await query<Policy>(policiesSql('authentication_policy', 'authentication_configuration_id'));
  const roleMappings = await query<RoleMapping>(mappingsSql);
  const roles = await query<Named>(rolesSql);
  const usedPlaces = namedPlaces([...accessPolicies, ...authentication], roleMappings);
  return {
    generation: cell!.generation,
    landscape: cell!.landscape,
    zone,
    // Always on until the setting Quarantine is served.
    isQuarantineEnabled: true,
    roles,
    defaultRoleID: roles.find(({ name }) => name === defaultRole)!.id,
    groups: await query<GroupRecord>(groupsSql, [usedPlaces.groups]),
    groupEdges: await query<GroupEdge>(edgesSql),
    containers: await query<Named>(containersSql, [usedPlaces.containers]),
    logicalNetworks: await query<LogicalNetwork>(networksSql),
    logicalNetworkConfigurations: await query<LogicalNetworkConfiguration>(valuesSql),
    accessConfigurations: await query<AccessConfiguration>(configurationsSql),
    authenticationConfigurations: await query<AuthenticationConfiguration>(authenticationsSql),
    roleMappings,
    accessPolicies,
    families: { authentication, compliance: [], portal: [], supplicant: [] },
  };
}

/** Returns the groups and containers that criteria refer to. */
function namedPlaces(policies: readonly Policy[], mappings: readonly RoleMapping[]) {
  const groups = new Set<number>();
  const containers = new Set<number>();
  const addPlaces = ({ containers: places, deviceGroups, portGroups }: Where) => {
    for (const id of places) containers.add(id);
    for (const id of [...deviceGroups, ...portGroups]) groups.add(id);
  };
  for (const { criteria } of policies) {
    addPlaces(criteria.where);
    for (const id of criteria.who.groups) groups.add(id);
  }
  for (const { where } of mappings) addPlaces(where);
  return { groups: [...groups], containers: [...containers] };
}
