import { BlockList, isIPv6 } from 'node:net';
import { holdsSecrets, missing, nameOf } from '../../context.ts';
import type { Shape } from '../../kernel/declare/shape.ts';
import { type Fault, invalid } from '../../kernel/failure.ts';
import { isNetworkOrAddress } from '../../kernel/values/address.ts';
import type { Method } from './device-profiling-rule.ts';
import { type MethodType, methodData, methodTypes, withCredentials } from './methods.ts';
import { faultInPattern } from './re2.ts';

type Data = Record<string, unknown>;

/** A method as a client sends it. */
export interface SentMethod {
  enabled?: boolean;
  methodType: Partial<Method['methodType']>;
  version?: number;
  data?: Data;
}

/** The methods as they are stored, with all that follows from their type; what does not fit it is refused, each fault by its place. */
export function readMethods(sent: readonly SentMethod[]): Method[] {
  const faults: Fault[] = [];
  const seen = new Set<number>();
  const methods = sent.flatMap((one, index) => {
    const at = `/methods/${index}`;
    const type = typeOf(one.methodType, `${at}/methodType`, faults);
    if (!type) return [];
    if (seen.has(type.id)) faults.push(wrong(`${at}/methodType`, `the type ${type.shortName} is used twice`));
    seen.add(type.id);
    return [methodOf(type, one, `${at}/data`, faults)];
  });
  if (faults.length > 0) throw invalid(faults);
  return methods;
}

const wrong = (pointer: string, message: string): Fault => ({ pointer, message: `${nameOf(pointer)}: ${message}.` });

/** Any of the three names it; all that are given must mean the same. */
function typeOf(sent: SentMethod['methodType'], at: string, faults: Fault[]): MethodType | undefined {
  const given = Object.entries(sent) as [keyof Method['methodType'], string | number][];
  const same = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase();
  const type = methodTypes.find((each) => given.every(([key, value]) => same(each[key], value)));
  if (type && given.length > 0) return type;
  faults.push(wrong(at, `expected one of ${methodTypes.map(({ shortName }) => shortName).join(', ')}`));
  return undefined;
}

function methodOf(type: MethodType, sent: SentMethod, at: string, faults: Fault[]): Method {
  const { id, name, shortName } = type;
  const data = { ...type.defaults, ...sent.data };
  faults.push(...dataFaults(type, data, at));
  const encrypted = hasSecret(methodData, data);
  return {
    enabled: sent.enabled ?? true,
    methodType: { id, name, shortName },
    version: sent.version ?? 0,
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

function dataFaults(type: MethodType, data: Data, at: string): Fault[] {
  const strange = Object.keys(data).filter((key) => !type.takes.includes(key));
  const { needs = [], needsOneOf } = type;
  if (strange.length > 0)
    return strange.map((key) =>
      wrong(`${at}/${key}`, `not allowed for a method of type ${type.shortName}; allowed are ${type.takes.join(', ')}`),
    );
  return [
    ...needs.filter((key) => !isGiven(data[key])).map((key) => missing(`${at}/${key}`)),
    ...(needsOneOf && !needsOneOf.some((key) => isGiven(data[key]))
      ? [wrong(at, `requires ${needsOneOf.join(' or ')}`)]
      : []),
    ...filterFaults(type, data, `${at}/filters`),
    ...portFaults(data.ports, `${at}/ports`),
    ...rangeFaults(data.ranges, `${at}/ranges`),
    ...comparisonFaults(data, at),
    ...each(data.attributes).flatMap((one, index) => comparisonFaults(one, `${at}/attributes/${index}`)),
    ...(data.regex === undefined ? [] : patternFaults(data.regex, `${at}/regex`)),
    ...flowFaults(data.flows, `${at}/flows`),
  ];
}

const each = (items: unknown): Data[] => (items ?? []) as Data[];

function filterFaults({ filterTakes = [], shortName }: MethodType, data: Data, at: string): Fault[] {
  return each(data.filters).flatMap((filter, index) => {
    const keys = Object.keys(filter);
    const strange = keys.find((key) => !filterTakes.includes(key));
    const isUnrestricted = shortName === 'OUI' ? keys.length === filterTakes.length : keys.length > 0;
    if (!strange && isUnrestricted) return [];
    const words = shortName === 'OUI' ? filterTakes.join(' and ') : `at least one of ${filterTakes.join(', ')}`;
    return [wrong(`${at}/${index}`, `a filter of type ${shortName} has ${words}, and nothing else`)];
  });
}

const portFaults = (ports: unknown, at: string): Fault[] =>
  String(ports ?? '1')
    .split(',')
    .filter((port) => Number(port) < 1 || Number(port) > 65_535)
    .map((port) => wrong(at, `${port} is not a valid port; allowed is 1 to 65535`));

function rangeFaults(ranges: unknown, at: string): Fault[] {
  const isRange = ({ startIP, endIP }: { startIP: string; endIP: string }) => {
    if (isIPv6(startIP) !== isIPv6(endIP)) return false;
    try {
      new BlockList().addRange(startIP, endIP, isIPv6(startIP) ? 'ipv6' : 'ipv4');
      return true;
    } catch {
      // The list refuses a range that ends before it starts.
      return false;
    }
  };
  return ((ranges ?? []) as { startIP: string; endIP: string }[])
    .map((range, index) => ({ range, index }))
    .filter(({ range }) => !isRange(range))
    .map(({ index }) => wrong(`${at}/${index}`, 'expected two addresses of the same family, the lower one first'));
}

/** An operator compares with something, unless it only asks whether there is an answer. */
function comparisonFaults({ operator, value }: Data, at: string): Fault[] {
  if (operator === undefined && value === undefined) return [];
  if (operator === 'EXISTS')
    return value === undefined ? [] : [wrong(`${at}/value`, 'the operator EXISTS takes no value; leave it out')];
  if (operator === undefined) return [missing(`${at}/operator`)];
  if (value === undefined) return [missing(`${at}/value`)];
  return operator === 'REGEX' ? patternFaults(value, `${at}/value`) : [];
}

function patternFaults(source: unknown, at: string): Fault[] {
  const fault = faultInPattern(String(source));
  return fault ? [wrong(at, `this ${fault}`)] : [];
}

const flowFaults = (flows: unknown, at: string): Fault[] =>
  each(flows).flatMap((flow, index) => {
    if (Object.keys(flow).length === 0)
      return [wrong(`${at}/${index}`, 'a flow needs a protocol, an address or a port')];
    return flow.dstAddress === undefined || isNetworkOrAddress(String(flow.dstAddress))
      ? []
      : [wrong(`${at}/${index}/dstAddress`, 'expected an address or a network')];
  });

/** Whether a method has the references and secrets without which it cannot pass. */
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

/** What a rule is to the profiling engine. */
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
  return lacksPlace || rule.methods.some((one) => one.enabled && !isComplete(one)) ? 'INVALID' : 'ACTIVE';
}

/** `OUI, DHCP, TCP 9100`: the enabled methods, in the order they are evaluated. */
export const summaryOfMethods = (methods: readonly Method[]): string =>
  methods
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ methodTypeString, data }) => (data.ports ? `${methodTypeString} ${data.ports}` : methodTypeString))
    .join(', ');
