import { BlockList, isIPv6 } from 'node:net';
import { holdsSecrets, missing, nameOf } from '../../context.ts';
import type { Shape } from '../../kernel/declare/shape.ts';
import { type Fault, invalid } from '../../kernel/failure.ts';
import { isNetworkOrAddress } from '../../kernel/values/address.ts';
import type { Method } from './device-profiling-rule.ts';
import { type MethodType, methodData, methodTypes, withCredentials } from './methods.ts';
import { faultInPattern } from './re2.ts';

type Data = Record<string, unknown>;

/** A method in a request. */
export interface SentMethod {
  enabled?: boolean;
  methodType: Partial<Method['methodType']>;
  version?: number;
  data?: Data;
}

/** Returns the methods as they are stored, with the values that follow from their types. Throws all faults with their positions. */
export function readMethods(requestedMethods: readonly SentMethod[]): Method[] {
  const faults: Fault[] = [];
  const usedTypes = new Set<number>();
  const methods = requestedMethods.flatMap((requestedMethod, index) => {
    const pointer = `/methods/${index}`;
    const type = typeOf(requestedMethod.methodType, `${pointer}/methodType`, faults);
    if (!type) return [];
    if (usedTypes.has(type.id))
      faults.push(faultAt(`${pointer}/methodType`, `the type ${type.shortName} is used twice`));
    usedTypes.add(type.id);
    return [methodOf(type, requestedMethod, `${pointer}/data`, faults)];
  });
  if (faults.length > 0) throw invalid(faults);
  return methods;
}

const faultAt = (pointer: string, message: string): Fault => ({ pointer, message: `${nameOf(pointer)}: ${message}.` });

/** Returns the type that the id, name or short name selects. If several are sent, they must agree. */
function typeOf(requestedType: SentMethod['methodType'], pointer: string, faults: Fault[]): MethodType | undefined {
  const criteria = Object.entries(requestedType) as [keyof Method['methodType'], string | number][];
  const same = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase();
  const type = methodTypes.find((candidate) => criteria.every(([key, value]) => same(candidate[key], value)));
  if (type && criteria.length > 0) return type;
  faults.push(faultAt(pointer, `expected one of ${methodTypes.map(({ shortName }) => shortName).join(', ')}`));
  return undefined;
}

function methodOf(type: MethodType, requestedMethod: SentMethod, pointer: string, faults: Fault[]): Method {
  const { id, name, shortName } = type;
  const data = { ...type.defaults, ...requestedMethod.data };
  faults.push(...dataFaults(type, data, pointer));
  const encrypted = hasSecret(methodData, data);
  return {
    enabled: requestedMethod.enabled ?? true,
    methodType: { id, name, shortName },
    version: requestedMethod.version ?? 0,
    encrypted,
    priority: type.priority + (encrypted ? withCredentials : 0),
    methodTypeString: shortName,
    data,
  };
}

function hasSecret(shape: Shape, value: unknown): boolean {
  if (value === undefined || !holdsSecrets(shape)) return false;
  if (shape.kind !== 'object') return value !== '';
  return Object.entries(value as Data).some(([key, entry]) => hasSecret(shape.properties[key]!, entry));
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

function dataFaults(type: MethodType, data: Data, pointer: string): Fault[] {
  const disallowedKeys = Object.keys(data).filter((key) => !type.takes.includes(key));
  const { needs = [], needsOneOf } = type;
  if (disallowedKeys.length > 0)
    return disallowedKeys.map((key) =>
      faultAt(
        `${pointer}/${key}`,
        `not allowed for a method of type ${type.shortName}; allowed are ${type.takes.join(', ')}`,
      ),
    );
  return [
    ...needs.filter((key) => !isGiven(data[key])).map((key) => missing(`${pointer}/${key}`)),
    ...(needsOneOf && !needsOneOf.some((key) => isGiven(data[key]))
      ? [faultAt(pointer, `requires ${needsOneOf.join(' or ')}`)]
      : []),
    ...filterFaults(type, data, `${pointer}/filters`),
    ...portFaults(data.ports, `${pointer}/ports`),
    ...rangeFaults(data.ranges, `${pointer}/ranges`),
    ...comparisonFaults(data, pointer),
    ...itemsOf(data.attributes).flatMap((attribute, index) =>
      comparisonFaults(attribute, `${pointer}/attributes/${index}`),
    ),
    ...(data.regex === undefined ? [] : patternFaults(data.regex, `${pointer}/regex`)),
    ...flowFaults(data.flows, `${pointer}/flows`),
  ];
}

const itemsOf = (items: unknown): Data[] => (items ?? []) as Data[];

function filterFaults({ filterTakes = [], shortName }: MethodType, data: Data, pointer: string): Fault[] {
  return itemsOf(data.filters).flatMap((filter, index) => {
    const keys = Object.keys(filter);
    const disallowedKey = keys.find((key) => !filterTakes.includes(key));
    const isUnrestricted = shortName === 'OUI' ? keys.length === filterTakes.length : keys.length > 0;
    if (!disallowedKey && isUnrestricted) return [];
    const words = shortName === 'OUI' ? filterTakes.join(' and ') : `at least one of ${filterTakes.join(', ')}`;
    return [
      faultAt(`${pointer}/${index}`, `a filter of type ${shortName} must have ${words}, and no other properties`),
    ];
  });
}

const portFaults = (ports: unknown, pointer: string): Fault[] =>
  String(ports ?? '1')
    .split(',')
    .filter((port) => Number(port) < 1 || Number(port) > 65_535)
    .map((port) => faultAt(pointer, `${port} is not a valid port; allowed is 1 to 65535`));

function rangeFaults(ranges: unknown, pointer: string): Fault[] {
  const isRange = ({ startIP, endIP }: { startIP: string; endIP: string }) => {
    if (isIPv6(startIP) !== isIPv6(endIP)) return false;
    try {
      new BlockList().addRange(startIP, endIP, isIPv6(startIP) ? 'ipv6' : 'ipv4');
      return true;
    } catch {
      // BlockList throws if a range ends before it starts.
      return false;
    }
  };
  return ((ranges ?? []) as { startIP: string; endIP: string }[])
    .map((range, index) => ({ range, index }))
    .filter(({ range }) => !isRange(range))
    .map(({ index }) =>
      faultAt(`${pointer}/${index}`, 'expected two addresses of the same family, the lower one first'),
    );
}

/** Returns the faults of an operator and its value. All operators except EXISTS need a value. */
function comparisonFaults({ operator, value }: Data, pointer: string): Fault[] {
  if (operator === undefined && value === undefined) return [];
  if (operator === 'EXISTS')
    return value === undefined ? [] : [faultAt(`${pointer}/value`, 'the operator EXISTS takes no value; leave it out')];
  if (operator === undefined) return [missing(`${pointer}/operator`)];
  if (value === undefined) return [missing(`${pointer}/value`)];
  return operator === 'REGEX' ? patternFaults(value, `${pointer}/value`) : [];
}

function patternFaults(source: unknown, pointer: string): Fault[] {
  const fault = faultInPattern(String(source));
  return fault ? [faultAt(pointer, `this ${fault}`)] : [];
}

const flowFaults = (flows: unknown, pointer: string): Fault[] =>
  itemsOf(flows).flatMap((flow, index) => {
    if (Object.keys(flow).length === 0)
      return [faultAt(`${pointer}/${index}`, 'a flow needs a protocol, an address or a port')];
    return flow.dstAddress === undefined || isNetworkOrAddress(String(flow.dstAddress))
      ? []
      : [faultAt(`${pointer}/${index}/dstAddress`, 'expected an address or a network')];
  });

/** True if a method has the references and secrets that it needs to match. */
function isComplete({ methodTypeString, data }: Method): boolean {
  switch (methodTypeString) {
    case 'LOC':
      return Object.values(data).some(isGiven);
    case 'SSH':
      return Boolean(data.password);
    case 'SNMP': {
      const { community, userName } = (data.credentials ?? {}) as Data;
      return Boolean(data.version === 'V3' ? userName : community);
    }
    default:
      return true;
  }
}

/** Returns the state of a rule: whether it is evaluated, disabled, or skipped as invalid. */
export function ruleState(rule: {
  enabled: boolean;
  methods: readonly Method[];
  addToGroup: boolean;
  groupId: number;
  addToDomain: boolean;
  domainId: number;
}): 'ACTIVE' | 'DISABLED' | 'INVALID' {
  if (!rule.enabled) return 'DISABLED';
  const lacksPlace = (rule.addToGroup && rule.groupId === 0) || (rule.addToDomain && rule.domainId === 0);
  return lacksPlace || rule.methods.some((method) => method.enabled && !isComplete(method)) ? 'INVALID' : 'ACTIVE';
}

/** `OUI, DHCP, TCP 9100`: the enabled methods, in the order they are evaluated. */
export const summaryOfMethods = (methods: readonly Method[]): string =>
  methods
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ methodTypeString, data }) => (data.ports ? `${methodTypeString} ${data.ports}` : methodTypeString))
    .join(', ');
