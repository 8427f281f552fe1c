import { BlockList, isIPv6 } from 'node:net';
import type {
  AccessConfiguration,
  AccessValue,
  AttributeFilter,
  Condition,
  GroupEdge,
  LogicalNetwork,
  Policy,
  Schedule,
  UserFacts,
  Where,
  WrittenCheck,
  WrittenEntry,
  ZoneOffsets,
} from '../../src/policy/decide/decide.service.ts';
import type { DecisionWorld, RawConnection } from './world.ts';

/** The parts of a decision on which both engines must agree. */
export interface ComparableDecision {
  isByRadius: boolean;
  outcome: string;
  accessState: string | null;
  step: number;
  policyID: number | null;
  policyName: string | null;
  configurationID: number | null;
  logicalNetwork: string | null;
  value: { accessType: string; accessValue: string; source: string; element: string | null } | null;
  isUnresolved: boolean;
  firewallTagIDs: number[];
  sessionTimeoutSeconds: number | null;
  userName: string | null;
  families: Record<string, { policyID: number; name: string; configurationID: number } | null>;
  trace: WrittenEntry[];
}

type Scalar = string | number | boolean;
type Raw = Scalar | readonly string[] | null | undefined;

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const labels = ['', 'Rogue', 'Registered Host', 'Registered Device', 'IP Phone', 'Device in Topology'];

/** Returns the wall-clock time, as the UTC fields of a Date. */
function wallClock(zone: ZoneOffsets, atMs: number): Date {
  let offset = zone.changes[0]!.offsetMinutes;
  for (const change of zone.changes) if (change.atMs <= atMs) offset = change.offsetMinutes;
  return new Date(atMs + offset * minuteMs);
}

/** A window belongs to the day on which it starts: today, or yesterday if it runs past midnight. */
export function slowScheduleHolds(schedule: Schedule, zone: ZoneOffsets, atMs: number): boolean {
  if (schedule.alwaysOn) return true;
  const wall = wallClock(zone, atMs);
  const length =
    schedule.endTimeOfDay < schedule.startTimeOfDay
      ? schedule.endTimeOfDay + 1_440 - schedule.startTimeOfDay
      : schedule.endTimeOfDay - schedule.startTimeOfDay;
  for (const daysAgo of [0, 1]) {
    const day = new Date(wall.getTime() - daysAgo * dayMs).getUTCDay();
    if ((schedule.daysOfWeek & (2 ** day)) === 0) continue;
    const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes() + daysAgo * 1_440;
    if (minute >= schedule.startTimeOfDay && minute < schedule.startTimeOfDay + length) return true;
  }
  return false;
}

/** Searches minute by minute. */
function slowBoundary(schedule: Schedule, zone: ZoneOffsets, atMs: number): number | null {
  if (schedule.alwaysOn) return null;
  const now = slowScheduleHolds(schedule, zone, atMs);
  for (
    let minute = Math.floor(atMs / minuteMs) + 1;
    minute * minuteMs < Math.min(atMs + 35 * dayMs, zone.toMs);
    minute++
  )
    if (slowScheduleHolds(schedule, zone, minute * minuteMs) !== now) return minute * minuteMs;
  return null;
}

/** Fills a table of which beginnings of the pattern match which beginnings of the text. */
export function slowLike(pattern: string, text: string): boolean {
  const [p, t] = [[...pattern.toLowerCase()], [...text.toLowerCase()]];
  const table: boolean[][] = Array.from({ length: p.length + 1 }, () => Array<boolean>(t.length + 1).fill(false));
  table[0]![0] = true;
  for (let i = 1; i <= p.length; i++)
    for (let j = 0; j <= t.length; j++) {
      if (p[i - 1] === '*') table[i]![j] = table[i - 1]![j]! || (j > 0 && table[i]![j - 1]!);
      else table[i]![j] = j > 0 && table[i - 1]![j - 1]! && (p[i - 1] === '?' || p[i - 1] === t[j - 1]);
    }
  return table[p.length]![t.length]!;
}

function slowSubnet(network: string, address: string): boolean {
  const [base, prefix] = network.split('/') as [string, string | undefined];
  if (isIPv6(base) !== isIPv6(address)) return false;
  const family = isIPv6(base) ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(base, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  return list.check(address, family);
}

/** Returns groups and all groups around them, by trying every edge until nothing is added. */
function nested(groups: readonly number[], edges: readonly GroupEdge[]): number[] {
  const all = [...groups];
  for (let grew = true; grew; ) {
    grew = false;
    for (const edge of edges)
      if (all.includes(edge.childID) && !all.includes(edge.parentID)) {
        all.push(edge.parentID);
        grew = true;
      }
  }
  return all;
}

const many = (value: Raw): Scalar[] =>
  Array.isArray(value) ? [...value] : value === null || value === undefined ? [] : [value as Scalar];

/**
 * The nine steps of the specification over plain records, without preparation: every value is looked up again each
 * time.
 */
class SlowEngine {
  readonly #world: DecisionWorld;
  readonly #raw: RawConnection;

  constructor(world: DecisionWorld, raw: RawConnection) {
    this.#world = world;
    this.#raw = raw;
  }

  get #set() {
    return this.#world.set;
  }

  get #user(): UserFacts | null {
    if (this.#raw.loggedOnUser) return this.#raw.loggedOnUser;
    if (this.#raw.owner) return this.#raw.owner;
    return null;
  }

  get #port() {
    return this.#world.ports.find(({ id }) => id === this.#raw.portID) ?? null;
  }

  get #device() {
    return this.#world.devices.find(({ id }) => id === this.#raw.deviceID)!;
  }

  get #containers() {
    const chain = [];
    let id: number | null = this.#device.containerID;
    while (id !== null) {
      const container: { id: number; name: string; parentID: number | null } = this.#world.containers.find(
        (candidate) => candidate.id === id,
      )!;
      chain.push(container);
      id = container.parentID;
    }
    return chain;
  }

  get #role() {
    let id = this.#set.defaultRoleID;
    if (this.#raw.host.roleID !== null) id = this.#raw.host.roleID;
    if (this.#raw.loggedOnUser && this.#raw.loggedOnUser.roleID !== null) id = this.#raw.loggedOnUser.roleID;
    return this.#set.roles.find((role) => role.id === id)!;
  }

  get #groups(): number[] {
    const direct = [...this.#raw.adapter.groups, ...this.#raw.host.groups, ...(this.#user ? this.#user.groups : [])];
    return [...new Set(nested(direct, this.#world.hostGroupEdges))].sort((a, b) => a - b);
  }

  get #portGroups(): number[] {
    return this.#port ? nested(this.#port.groups, this.#set.groupEdges) : [];
  }

  get #deviceGroups(): number[] {
    return nested(this.#device.groups, this.#set.groupEdges);
  }

  #groupName = (id: number): string => this.#set.groups.find((group) => group.id === id)!.name;

  #isIn(groups: readonly number[], tag: string): boolean {
    return groups.some((id) => this.#set.groups.some((group) => group.id === id && group.tag === tag));
  }

  #isEnforced(what: 'dead-end' | 'remediation' | 'registration' | 'authentication' | 'role'): boolean {
    if (this.#raw.isEnforcedEverywhere) return true;
    if (what === 'dead-end' && this.#isIn(this.#deviceGroups, 'enforce-dead-end-device')) return true;
    return this.#isIn(this.#portGroups, `enforce-${what}`);
  }

  get #isEnforcedSomehow(): boolean {
    return (['dead-end', 'remediation', 'registration', 'authentication', 'role'] as const).some((what) =>
      this.#isEnforced(what),
    );
  }

  get #isAuthenticated(): boolean {
    const { authenticated, authenticatedUntilMs } = this.#raw.host;
    return authenticated && (authenticatedUntilMs === null || this.#raw.atMs < authenticatedUntilMs);
  }

  /** Returns the value of an attribute. */
  #attribute(name: string): Raw {
    const { host, adapter, radius } = this.#raw;
    const dot = name.indexOf('.');
    const [area, key] = [name.slice(0, dot), name.slice(dot + 1)];
    if (area === 'host') {
      if (key === 'typeLabel') return labels[host.type];
      if (key === 'registered') return host.type !== 1;
      if (key === 'health') return host.health;
      if (key === 'authenticated') return this.#isAuthenticated;
      if (key === 'operatingSystem') return host.values.operatingSystem;
      if (key === 'maxThreat') return host.values.maxThreat;
      if (key === 'application') return host.values.application;
      if (key === 'registeredAt') return host.values.registeredAt;
      if (key.startsWith('attributes.'))
        for (const attribute of host.ownAttributes)
          if (attribute.name === key.slice('attributes.'.length)) return attribute.value;
    }
    if (area === 'adapter') {
      if (key === 'physicalAddress') return adapter.mac;
      if (key === 'ipaddress') return adapter.values.ipaddress;
      if (key === 'randomized') return adapter.values.randomized;
      if (key === 'authType') return this.#login.authType;
      if (key === 'outerEapType') return this.#login.outerEapType;
      if (key === 'innerEapType') return this.#login.innerEapType;
    }
    if (area === 'user' && this.#user) {
      if (key === 'userID') return this.#user.userID;
      if (key === 'source') return this.#user.source;
      if (key === 'loggedOn') return this.#raw.loggedOnUser !== null;
      if (key === 'directory.department') return this.#user.directory?.get('department');
    }
    if (area === 'connection') {
      if (key === 'type') return this.#type;
      if (key === 'authenticatedBy') {
        const { authType, outerEapType } = this.#login;
        if (authType === 'NONE' || authType === 'MAB') return 'NONE';
        return outerEapType === 'TLS' ? 'CERTIFICATE' : 'LOCAL';
      }
      if (key === 'vlan') return this.#raw.vlan;
      if (key === 'deviceModel') return this.#device.model;
    }
    if (area === 'radius') return radius?.get(key);
    return null;
  }

  #conditionHolds({ attribute, op, value }: Condition): boolean {
    const actual = many(this.#attribute(attribute)).filter((scalar, _, all) => !(all.length === 1 && scalar === ''));
    if (actual.length === 0) return op === 'NOT_SET';
    const expectedValues = many(value);
    const isTime = attribute === 'host.registeredAt';
    const same = actual.some((a) => expectedValues.some((w) => `${a}`.toLowerCase() === `${w}`.toLowerCase()));
    const alike = actual.some((a) => expectedValues.some((w) => slowLike(`${w}`, `${a}`)));
    const number = (scalar: Scalar): number => {
      if (isTime) return typeof scalar === 'string' ? new Date(scalar).getTime() : Number(scalar);
      return `${scalar}`.trim() === '' ? Number.NaN : Number(scalar);
    };
    const ordered = (holds: (a: number, w: number) => boolean) =>
      actual.some((a) => expectedValues.some((w) => holds(number(a), number(w))));
    const ages = actual.map((a) => this.#raw.atMs - (typeof a === 'string' ? new Date(a).getTime() : Number(a)));
    const limitMs = Number(expectedValues[0]) * minuteMs;
    if (op === 'EQ' || op === 'IN') return same;
    if (op === 'NE' || op === 'NOT_IN') return !same;
    if (op === 'LIKE') return alike;
    if (op === 'NOT_LIKE') return !alike;
    if (op === 'GT') return ordered((a, w) => a > w);
    if (op === 'GE') return ordered((a, w) => a >= w);
    if (op === 'LT') return ordered((a, w) => a < w);
    if (op === 'LE') return ordered((a, w) => a <= w);
    if (op === 'IN_SUBNET')
      return actual.some((a) =>
        expectedValues.some((w) => /^[\d.]+$|:/.test(`${a}`) && isAddress(`${a}`) && slowSubnet(`${w}`, `${a}`)),
      );
    if (op === 'OLDER_THAN') return ages.some((age) => age > limitMs);
    if (op === 'NEWER_THAN') return ages.some((age) => age <= limitMs);
    return op === 'IS_SET';
  }

  #attributeChecks(filters: readonly AttributeFilter[]): WrittenCheck[] {
    let shown = filters.map((filter, index) => ({ filter, index }));
    const matching = shown.find(({ filter }) =>
      filter.conditions.every((condition) => this.#conditionHolds(condition)),
    );
    if (matching) shown = [matching];
    const checks: WrittenCheck[] = [];
    for (const { filter, index } of shown)
      for (const condition of filter.conditions) {
        const value = this.#attribute(condition.attribute);
        let actual: string | string[] | null = null;
        if (Array.isArray(value) && value.length > 0) actual = value.map(String);
        else if (!Array.isArray(value) && value !== null && value !== undefined && value !== '')
          actual =
            condition.attribute === 'host.registeredAt' ? new Date(Number(value)).toISOString() : `${value as Scalar}`;
        const operand =
          condition.op === 'IS_SET' || condition.op === 'NOT_SET' ? '' : ` ${many(condition.value).join(', ')}`;
        checks.push({
          section: 'attributes',
          expected: [
            `${filters.length > 1 ? `filter ${index + 1}: ` : ''}${condition.attribute} ${condition.op}${operand}`,
          ],
          actual,
          ok: this.#conditionHolds(condition),
        });
      }
    return checks;
  }

  #roleCheck(roles: readonly number[]): WrittenCheck {
    return {
      section: 'roles',
      expected: roles.map((id) => this.#set.roles.find((role) => role.id === id)!.name),
      actual: this.#role.name,
      ok: roles.includes(this.#role.id),
    };
  }

  #whereChecks(where: Where): WrittenCheck[] {
    const expected = [
      ...where.containers.map(
        (id) => `container: ${this.#world.containers.find((candidate) => candidate.id === id)!.name}`,
      ),
      ...where.deviceGroups.map((id) => `device group: ${this.#groupName(id)}`),
      ...where.portGroups.map((id) => `port group: ${this.#groupName(id)}`),
      ...where.ssids.map((ssid) => `SSID: ${ssid}`),
    ];
    if (expected.length === 0) return [];
    const actual = [this.#port ? `${this.#device.name} ${this.#port.name}` : this.#device.name];
    if (this.#raw.ssid !== null) actual.push(`SSID: ${this.#raw.ssid}`);
    for (const { name } of this.#containers) actual.push(`container: ${name}`);
    const ok =
      this.#containers.some(({ id }) => where.containers.includes(id)) ||
      this.#deviceGroups.some((id) => where.deviceGroups.includes(id)) ||
      this.#portGroups.some((id) => where.portGroups.includes(id)) ||
      where.ssids.some((ssid) => ssid === this.#raw.ssid);
    return [{ section: 'where', expected, actual, ok }];
  }

  #whenCheck(when: Schedule): WrittenCheck {
    const two = (number: number) => `${number}`.padStart(2, '0');
    const clock = (minutes: number) => `${two((minutes - (minutes % 60)) / 60)}:${two(minutes % 60)}`;
    const days = weekdays.filter((_, day) => (when.daysOfWeek & (2 ** day)) !== 0);
    const daysText = days.length === 7 ? 'daily' : days.length === 0 ? 'no day' : days.join(' ');
    const wall = wallClock(this.#set.zone, this.#raw.atMs);
    return {
      section: 'when',
      expected: [`${daysText} ${clock(when.startTimeOfDay)}-${clock(when.endTimeOfDay)}`],
      actual: `${weekdays[wall.getUTCDay()]} ${two(wall.getUTCHours())}:${two(wall.getUTCMinutes())}`,
      ok: slowScheduleHolds(when, this.#set.zone, this.#raw.atMs),
    };
  }

  #policyChecks({ criteria: { who, where, when } }: Policy): WrittenCheck[] {
    const checks: WrittenCheck[] = [];
    if (who.roles.length > 0) checks.push(this.#roleCheck(who.roles));
    if (who.groups.length > 0)
      checks.push({
        section: 'groups',
        expected: who.groups.map(this.#groupName),
        actual: this.#groups.map(this.#groupName),
        ok: this.#groups.some((id) => who.groups.includes(id)),
      });
    if (who.attributes.length > 0) checks.push(...this.#attributeChecks(who.attributes));
    checks.push(...this.#whereChecks(where));
    if (!when.alwaysOn) checks.push(this.#whenCheck(when));
    return checks;
  }

  /** Searches port, SSID of the device, device, nearest container upwards, default. */
  #lookUp(network: LogicalNetwork) {
    const configurationOf = (elementType: string, elementID: number | undefined) =>
      this.#set.logicalNetworkConfigurations.find(
        (row) => row.logicalNetworkID === network.id && row.elementType === elementType && row.elementID === elementID,
      );
    const port = this.#port;
    const ofPort = port && configurationOf('PORT', port.id);
    if (ofPort) return { row: ofPort, enforcement: ofPort.accessEnforcement, source: 'PORT', element: port.name };
    const ofSsid = port && port.ssid !== null && configurationOf('SSID', port.id);
    if (ofSsid) return { row: ofSsid, enforcement: ofSsid.accessEnforcement, source: 'SSID', element: port.ssid };
    const ofDevice = configurationOf('DEVICE', this.#device.id);
    if (ofDevice)
      return { row: ofDevice, enforcement: ofDevice.accessEnforcement, source: 'DEVICE', element: this.#device.name };
    for (const container of this.#containers) {
      const row = configurationOf('CONTAINER', container.id);
      if (row) return { row, enforcement: row.accessEnforcement, source: 'CONTAINER', element: container.name };
    }
    if (network.defaultValue === null) return null;
    return {
      row: { ...network.defaultValue, firewallTagIDs: [] },
      enforcement: 'ENFORCE',
      source: 'DEFAULT',
      element: null,
    };
  }

  #network(accessState: string): LogicalNetwork {
    return this.#set.logicalNetworks.find((network) => network.accessState === accessState)!;
  }

  #portDefault(): ComparableDecision['value'] {
    const vlan = this.#port ? this.#port.defaultVlan : '';
    if (vlan === '') return null;
    if (this.#isRadius && !this.#device.sendDefaultVlan) return null;
    const accessType = Number.isNaN(Number(vlan)) ? 'VLAN_NAME' : 'VLAN_ID';
    return { accessType, accessValue: vlan, source: 'PORT', element: this.#port!.name };
  }

  /**
   * A RADIUS client gets every access in a reply, another device by SNMP or CLI unless the decision is made for a
   * request.
   */
  get #isRadius(): boolean {
    if (this.#raw.adapter.login.authType === 'VPN') return true;
    return this.#device.isRadiusClient || this.#raw.isByRequest;
  }

  get #type(): string {
    const { authType } = this.#raw.adapter.login;
    if (authType === 'VPN') return 'VPN';
    const protocol = this.#isRadius ? (authType === 'DOT1X' ? '8021X' : 'MAB') : 'SNMP';
    return this.#port?.ssid ? `WIRELESS_${protocol}` : `WIRED_${protocol}`;
  }

  /** MAC authentication has no login; otherwise the adapter repeats its last one. */
  get #login() {
    const isPortal = this.#raw.adapter.login.authType === 'PORTAL';
    if (this.#type.endsWith('MAB') && !isPortal) return { authType: 'MAB', outerEapType: null, innerEapType: null };
    return this.#raw.adapter.login;
  }

  /** Steps 2 to 5, 6 to 8: the access value of the network, or its absence, completes the result. */
  #giveNetwork(result: ComparableDecision, network: LogicalNetwork): ComparableDecision {
    const networkValue = this.#lookUp(network);
    const withNetwork = { ...result, logicalNetwork: network.name };
    if (!networkValue) {
      if (result.outcome === 'ISOLATE') return { ...withNetwork, outcome: 'DENY', isUnresolved: true };
      return { ...withNetwork, isUnresolved: true, value: this.#portDefault() };
    }
    return this.#give(withNetwork, networkValue);
  }

  #give(
    result: ComparableDecision,
    {
      row,
      enforcement,
      source,
      element,
    }: {
      row: AccessValue & { firewallTagIDs: readonly number[] };
      enforcement: string;
      source: string;
      element: string | null;
    },
  ): ComparableDecision {
    if (enforcement === 'DENY' || row.accessType === 'DENY') {
      let value: ComparableDecision['value'] = null;
      if (!this.#isRadius) {
        const deadEnd = this.#lookUp(this.#network('DEAD_END'));
        if (deadEnd && deadEnd.enforcement === 'ENFORCE' && deadEnd.row.accessType !== 'DENY')
          value = {
            accessType: deadEnd.row.accessType,
            accessValue: deadEnd.row.accessValue,
            source: deadEnd.source,
            element: deadEnd.element,
          };
      }
      return { ...result, outcome: 'DENY', value, sessionTimeoutSeconds: null };
    }
    const firewallTagIDs = [...new Set([...result.firewallTagIDs, ...row.firewallTagIDs])].sort((a, b) => a - b);
    if (enforcement === 'BYPASS') return { ...result, firewallTagIDs };
    return {
      ...result,
      firewallTagIDs,
      value: { accessType: row.accessType, accessValue: row.accessValue, source, element },
    };
  }

  #giveDirect(result: ComparableDecision, value: AccessValue): ComparableDecision {
    return this.#give(
      { ...result, accessState: 'PRODUCTION' },
      { row: { ...value, firewallTagIDs: [] }, enforcement: 'ENFORCE', source: 'DIRECT', element: null },
    );
  }

  #giveConfiguration(
    result: ComparableDecision,
    configuration: AccessConfiguration,
    boundaryMs: number | null,
  ): ComparableDecision {
    const limits: number[] = [];
    if (configuration.sessionTimeoutMinutes > 0) limits.push(configuration.sessionTimeoutMinutes * 60);
    if (boundaryMs !== null) limits.push(Math.ceil((boundaryMs - this.#raw.atMs) / 1_000));
    const withConfiguration = {
      ...result,
      configurationID: configuration.id,
      firewallTagIDs: [...configuration.firewallTagIDs].sort((a, b) => a - b),
      sessionTimeoutSeconds: limits.length === 0 ? null : Math.min(...limits),
    };
    if (configuration.type === 'DIRECT') return this.#giveDirect(withConfiguration, configuration.directConfiguration!);
    const network = this.#set.logicalNetworks.find(({ id }) => id === configuration.logicalNetworkID)!;
    return this.#giveNetwork({ ...withConfiguration, accessState: network.accessState }, network);
  }

  /** Returns records by rank, each with its checks. */
  #ranked<T extends { rank: number }>(records: readonly T[], checksOf: (record: T) => WrittenCheck[]) {
    return [...records].sort((a, b) => a.rank - b.rank).map((record) => ({ record, checks: checksOf(record) }));
  }

  #family(policies: readonly Policy[], kind: string, step: number | null, trace: WrittenEntry[]): Policy | null {
    let winner: Policy | null = null;
    for (const { record, checks } of this.#ranked(policies, (policy) => this.#policyChecks(policy))) {
      const matches = checks.every(({ ok }) => ok);
      const { id, name, rank } = record;
      let result: WrittenEntry['result'];
      if (!record.enabled) result = 'DISABLED';
      else if (winner) result = matches ? 'NOT_REACHED_WOULD_MATCH' : 'NOT_REACHED';
      else result = matches ? 'MATCH' : 'NO_MATCH';
      if (result === 'MATCH') winner = record;
      trace.push({ step, kind, id, name, rank, result, checks });
    }
    return winner;
  }

  decide(): ComparableDecision {
    const { atMs, host, adapter, owner, loggedOnUser } = this.#raw;
    const set = this.#set;
    const trace: WrittenEntry[] = [];
    const otherEntries: WrittenEntry[] = [];
    const empty: ComparableDecision = {
      isByRadius: this.#isRadius,
      outcome: 'GRANT',
      accessState: null,
      step: 0,
      policyID: null,
      policyName: null,
      configurationID: null,
      logicalNetwork: null,
      value: null,
      isUnresolved: false,
      firewallTagIDs: [],
      sessionTimeoutSeconds: null,
      userName: loggedOnUser ? loggedOnUser.userID : owner ? owner.userID : null,
      families: {},
      trace: [],
    };
    let decided: ComparableDecision | null = null;
    const enter = (
      entry: Omit<WrittenEntry, 'result'>,
      isEnforced: boolean,
      give: () => ComparableDecision,
      isDisabled = false,
    ): void => {
      const matches = entry.checks.every(({ ok }) => ok);
      let result: WrittenEntry['result'] = matches ? 'MATCH' : 'NO_MATCH';
      if (decided) result = matches ? 'NOT_REACHED_WOULD_MATCH' : 'NOT_REACHED';
      if (!isEnforced) result = 'SKIPPED_NOT_ENFORCED_HERE';
      if (isDisabled) result = 'DISABLED';
      if (result === 'MATCH') decided = give();
      trace.push({ ...entry, result });
    };
    const step = (
      number: number,
      kind: string,
      name: string,
      isEnforced: boolean,
      checks: WrittenCheck[],
      give: () => ComparableDecision,
    ) => enter({ step: number, kind, id: null, name, rank: null, checks }, isEnforced, give);
    const isolate = (number: number, accessState: string) => () =>
      this.#giveNetwork({ ...empty, step: number, outcome: 'ISOLATE', accessState }, this.#network(accessState));

    // 1
    const isUplink = this.#port?.isUplink === true;
    const { isManaged } = this.#device;
    step(
      1,
      'NOT_GOVERNED',
      'Not governed',
      true,
      [
        {
          section: 'where',
          expected: ['port: uplink', 'device: not managed'],
          actual: [isUplink ? 'port: uplink' : 'port: edge', isManaged ? 'device: managed' : 'device: not managed'],
          ok: isUplink || !isManaged,
        },
      ],
      () => ({ ...empty, step: 1, outcome: 'NOT_ENFORCED' }),
    );

    // 2
    const isOutside = host.profilingSchedule !== null && !slowScheduleHolds(host.profilingSchedule, set.zone, atMs);
    step(
      2,
      'DISABLED',
      'Disabled',
      true,
      [
        {
          section: 'attributes',
          expected: [
            'adapter.enabled: false',
            'host.enabled: false',
            'owner.enabled: false',
            'profiling schedule: outside',
          ],
          actual: [
            `adapter.enabled: ${adapter.enabled}`,
            `host.enabled: ${host.enabled}`,
            `owner.enabled: ${owner === null ? 'no owner' : owner.enabled}`,
            `profiling schedule: ${host.profilingSchedule === null ? 'none' : isOutside ? 'outside' : 'inside'}`,
          ],
          ok: !adapter.enabled || !host.enabled || (owner !== null && !owner.enabled) || isOutside,
        },
      ],
      () => {
        if (this.#isEnforced('dead-end')) return isolate(2, 'DEAD_END')();
        if (this.#isRadius) return { ...empty, step: 2, outcome: 'DENY', accessState: 'DEAD_END' };
        return { ...empty, step: 2, outcome: 'NOT_ENFORCED' };
      },
    );

    // 3
    const exceptions = this.#groups.filter((id) => this.#isIn([id], 'forced-remediation-exceptions'));
    step(
      3,
      'AT_RISK',
      'At risk',
      this.#isEnforced('remediation'),
      [
        {
          section: 'attributes',
          expected: ['host.health EQ AT_RISK'],
          actual: host.health,
          ok: host.health === 'AT_RISK',
        },
        {
          section: 'groups',
          expected: ['not in Forced Remediation Exceptions'],
          actual: exceptions.map(this.#groupName),
          ok: exceptions.length === 0,
        },
        {
          section: 'attributes',
          expected: ['quarantine: on'],
          actual: set.isQuarantineEnabled ? 'on' : 'off',
          ok: set.isQuarantineEnabled,
        },
      ],
      isolate(3, 'QUARANTINE'),
    );

    // 4
    const isExpired = host.expiresAtMs !== null && host.expiresAtMs <= atMs;
    step(
      4,
      'NOT_REGISTERED',
      'Not registered',
      this.#isEnforced('registration'),
      [
        {
          section: 'attributes',
          expected: ['host.typeLabel: Rogue', 'registration: expired'],
          actual: [`host.typeLabel: ${labels[host.type]}`, `registration: ${isExpired ? 'expired' : 'valid'}`],
          ok: host.type === 1 || isExpired,
        },
      ],
      isolate(4, 'REGISTRATION'),
    );

    // 5
    const authentication = this.#family(set.families.authentication, 'AUTHENTICATION', 5, trace);
    const demanded = authentication
      ? set.authenticationConfigurations.find(({ id }) => id === authentication.configurationID)!
      : null;
    const checks: WrittenCheck[] = [
      {
        section: 'attributes',
        expected: ['host.authenticated EQ false'],
        actual: `${this.#isAuthenticated}`,
        ok: !this.#isAuthenticated,
      },
      {
        section: 'attributes',
        expected: ['an authentication policy that demands it'],
        actual: authentication ? authentication.name : null,
        ok: demanded?.enableAuthentication === true,
      },
    ];
    if (demanded?.enableAuthentication) {
      const sinceMs = this.#raw.sinceMs === null ? atMs : this.#raw.sinceMs;
      const endMs = sinceMs + demanded.timeInProductionBeforeAuthentication * minuteMs;
      checks.push({
        section: 'attributes',
        expected: ['grace time over'],
        actual: new Date(endMs).toISOString(),
        ok: atMs >= endMs,
      });
    }
    step(
      5,
      'NOT_AUTHENTICATED',
      'Not authenticated',
      this.#isEnforced('authentication'),
      checks,
      isolate(5, 'AUTHENTICATION'),
    );

    // 6
    const isByRole = this.#isEnforced('role');
    const mappings = this.#ranked(set.roleMappings, (mapping) => [
      ...(mapping.appliesTo === 'DEVICES'
        ? [
            {
              section: 'attributes' as const,
              expected: [
                'host.typeLabel EQ Registered Device',
                'host.typeLabel EQ IP Phone',
                'host.typeLabel EQ Device in Topology',
              ],
              actual: labels[host.type]!,
              ok: [3, 4, 5].includes(host.type),
            },
          ]
        : []),
      this.#roleCheck([mapping.roleID]),
      ...this.#whereChecks(mapping.where),
    ]);
    for (const { record, checks: ofMapping } of mappings) {
      const { id, name, rank } = record;
      enter({ step: 6, kind: 'ROLE_MAPPING', id, name, rank, checks: ofMapping }, isByRole, () => {
        const result = { ...empty, step: 6, policyID: id, policyName: name };
        if (record.directConfiguration) return this.#giveDirect(result, record.directConfiguration);
        return this.#giveConfiguration(
          result,
          set.accessConfigurations.find((candidate) => candidate.id === record.accessConfigurationID)!,
          null,
        );
      });
    }

    // 7
    for (const { record, checks: ofPolicy } of this.#ranked(set.accessPolicies, (policy) =>
      this.#policyChecks(policy),
    )) {
      const { id, name, rank } = record;
      enter(
        { step: 7, kind: 'ACCESS', id, name, rank, checks: ofPolicy },
        isByRole,
        () =>
          this.#giveConfiguration(
            { ...empty, step: 7, policyID: id, policyName: name },
            set.accessConfigurations.find((candidate) => candidate.id === record.configurationID)!,
            slowBoundary(record.criteria.when, set.zone, atMs),
          ),
        !record.enabled,
      );
    }

    // 8
    const guest = this.#network('GUEST');
    const guestValue = this.#lookUp(guest);
    step(
      8,
      'GUEST_DEFAULT',
      'Guest default',
      this.#isEnforcedSomehow,
      [
        {
          section: 'attributes',
          expected: ['user.source EQ GUEST'],
          actual: this.#user ? this.#user.source : null,
          ok: this.#user !== null && this.#user.source === 'GUEST',
        },
        {
          section: 'where',
          expected: [`value of ${guest.name}`],
          actual: guestValue ? `${guestValue.row.accessType} ${guestValue.row.accessValue}`.trim() : null,
          ok: guestValue !== null,
        },
      ],
      () => this.#giveNetwork({ ...empty, step: 8, accessState: 'GUEST' }, guest),
    );

    // 9
    step(9, 'PORT_DEFAULT', 'Port default', true, [], () =>
      this.#isEnforcedSomehow
        ? { ...empty, step: 9, accessState: 'PRODUCTION', value: this.#portDefault() }
        : { ...empty, step: 9, outcome: 'NOT_ENFORCED' },
    );

    const short = (policy: Policy | null) =>
      policy && { policyID: policy.id, name: policy.name, configurationID: policy.configurationID };
    const families = {
      authentication: short(authentication),
      compliance: short(this.#family(set.families.compliance, 'COMPLIANCE', null, otherEntries)),
      portal: short(this.#family(set.families.portal, 'PORTAL', null, otherEntries)),
      supplicant: short(this.#family(set.families.supplicant, 'SUPPLICANT', null, otherEntries)),
    };
    return { ...decided!, families, trace: [...trace, ...otherEntries] };
  }
}

const isAddress = (text: string): boolean => isIPv6(text) || /^\d+\.\d+\.\d+\.\d+$/.test(text);

export const slowDecision = (world: DecisionWorld, raw: RawConnection): ComparableDecision =>
  new SlowEngine(world, raw).decide();
