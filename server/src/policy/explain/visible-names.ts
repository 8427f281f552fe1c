import type { Context } from '../../context.ts';
import { container } from '../../device/container/container.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { port } from '../../device/port/port.ts';
import type { Collection } from '../../kernel/declare/declaration.ts';
import { quoted, snakeCase } from '../../kernel/declare/names.ts';
import { allows, type Rights } from '../../kernel/declare/permissions.ts';
import { group } from '../../system/group/group.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';
import { authenticationPolicy } from '../authentication-policy/authentication-policy.ts';
import type { ExplainedDecision, NamedElement } from '../decide/decide.service.ts';
import { logicalNetwork } from '../logical-network/logical-network.ts';
import { role } from '../role/role.ts';
import { roleMapping } from '../role-mapping/role-mapping.ts';

type Kind = NamedElement['kind'];

/** The collection that contains the names of each kind of element. */
const recordsOf: Partial<Record<Kind, Collection>> = {
  role,
  group,
  container,
  device: networkDevice,
  port,
  'device group': group,
  'port group': group,
  'role mapping': roleMapping,
  'access policy': accessPolicy,
  'authentication policy': authenticationPolicy,
  'logical network': logicalNetwork,
  'access configuration': accessConfiguration,
};

/** Returns the current name of an element; undefined if the caller may not view it. */
export type Names = (element: NamedElement) => string | undefined;

const isElement = (value: object): value is NamedElement => 'kind' in value && 'id' in value && 'name' in value;

/** Yields every element in decisions. */
function* elementsIn(value: unknown): Generator<NamedElement> {
  if (typeof value !== 'object' || value === null) return;
  if (isElement(value) && Object.hasOwn(recordsOf, value.kind)) yield value;
  else for (const part of Object.values(value)) yield* elementsIn(part);
}

/** Reads the names of the elements in decisions that the caller may view. */
export async function visibleNames(
  context: Context,
  rights: Rights,
  decisions: readonly ExplainedDecision[],
): Promise<Names> {
  const idsByCollection = new Map<Collection, Set<number>>();
  for (const { kind, id } of elementsIn(
    decisions.map(({ trace, reason, logicalNetwork, value }) => [trace, reason, logicalNetwork, value?.element]),
  )) {
    const records = recordsOf[kind]!;
    if (!allows(rights, records.permission, 'view')) continue;
    const ids = idsByCollection.get(records) ?? new Set();
    idsByCollection.set(records, ids.add(id));
  }
  const names = new Map<Collection, Map<number, string>>();
  for (const [records, ids] of idsByCollection) {
    const rows = await context.query<{ id: number; name: string }>(
      `select r.id, r.${quoted(snakeCase(records.label))} as name from ${context.visible(records)} r where r.id = any($1::bigint[])`,
      [[...ids]],
    );
    names.set(records, new Map(rows.map(({ id, name }) => [id, name])));
  }
  return ({ kind, id }) => {
    const records = recordsOf[kind];
    return records && names.get(records)?.get(id);
  };
}
