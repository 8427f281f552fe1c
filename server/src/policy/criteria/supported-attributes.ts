import { type Attribute, attributeOf, attributes, type Operator, operatorsOf } from '../decide/decide.service.ts';

/** Attributes of the specification whose values come from resources that are not served yet: agents, MDM, scans, directories. */
const unfilled: ReadonlySet<string> = new Set([
  'host.agentPlatform',
  'host.agentVersion',
  'host.lastAgentContact',
  'host.managedByMDM',
  'host.mdmCompliant',
  'host.mdmCompromised',
  'host.lastScan',
  'host.application',
  'host.maxThreat',
  'adapter.dpcRuleName',
  'user.position',
  'user.securityAccess',
  'connection.realm',
]);

const isUnfilled = (name: string): boolean => unfilled.has(name) || name.startsWith('user.directory.');

/** Names that the administrator or RADIUS chooses. */
const ownName = /^(?:radius\.[A-Za-z0-9_.-]{1,120}|host\.attributes\..{1,80}|user\.directory\..{1,80})$/su;

type Known = { attribute: Attribute } | { fault: 'unknown' | 'unfilled' };

/** Returns an attribute that conditions may use, or the reason why it is not supported. */
export function supportedAttribute(name: string): Known {
  const attribute = attributes.get(name) ?? (ownName.test(name) ? attributeOf(name) : undefined);
  if (!attribute) return { fault: 'unknown' };
  return isUnfilled(name) ? { fault: 'unfilled' } : { attribute };
}

export interface AttributeChoice {
  name: string;
  type: string;
  operators: readonly Operator[];
  values: readonly string[];
}

/** Returns the attributes that a form offers. A star stands for a name that the administrator or RADIUS chooses. */
export const attributeChoices = (): AttributeChoice[] => [
  ...[...attributes]
    .filter(([name]) => !isUnfilled(name))
    .map(([name, { type, values = [] }]) => ({ name, type: type.toUpperCase(), operators: operatorsOf[type], values })),
  ...['host.attributes.*', 'radius.*'].map((name) => ({ name, type: 'TEXT', operators: operatorsOf.text, values: [] })),
];
