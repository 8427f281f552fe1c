import { typeLabelOf } from './attributes.ts';
import { type CompiledCondition, compileCondition } from './condition.ts';
import type { Check, NamedElement, Phrase } from './decision.ts';
import type { DecisionContext } from './facts.ts';
import type { Criteria, Schedule, Where } from './policy-set.ts';
import { scheduleHolds, writeLocalTime, writeSchedule, type ZoneOffsets } from './schedule.ts';
import type { ContainerChain } from './topology.ts';

/** Returns the name of a record that criteria refer to by id. */
export type NameOf = (kind: NamedElement['kind'], id: number) => NamedElement;

/** The facts of a connection and values derived from them, computed once for all policy lists. */
export interface Situation {
  context: DecisionContext;
  roleID: number;
  /** Groups of adapter, host and effective user, including their ancestors. */
  groups: readonly number[];
  /** Groups of the port, including their ancestors. */
  portGroups: readonly number[];
  deviceGroups: readonly number[];
  isDevice: boolean;
}

/** An entry of a ranked list: a policy, or a role mapping. */
export interface Entry {
  element: NamedElement;
  rank: number;
  enabled: boolean;
  /** True if the entry applies to hosts of type 3, 4 and 5 only. */
  devicesOnly: boolean;
  criteria: Criteria;
}

interface CompiledEntry extends Entry {
  filters: readonly (readonly CompiledCondition[])[];
  expectedRoles: readonly Phrase[];
  expectedGroups: readonly Phrase[];
  expectedWhere: readonly Phrase[];
  expectedWhen: readonly Phrase[];
}

type Bits = Uint32Array;

/** Actual values of a connection, as texts that the checks of all entries share. */
export interface SharedActuals {
  role: Check['actual'];
  groups: Check['actual'];
  where: Check['actual'];
  when: Check['actual'];
  deviceCheck: Check;
}

const deviceLabels = ['Registered Device', 'IP Phone', 'Device in Topology'];
const expectedDevices = deviceLabels.map((label) => `host.typeLabel EQ ${label}`);

/** Returns the place of a connection for the trace: device and port, its SSID, the containers from the nearest outwards. */
function whereActual({ connection: { device, port, ssid, containers } }: DecisionContext): readonly Phrase[] {
  const deviceName: NamedElement = { kind: 'device', id: device.id, name: device.name };
  return [
    port ? [deviceName, ' ', { kind: 'port', id: port.id, name: port.name }] : deviceName,
    ...(ssid === null ? [] : [`SSID: ${ssid}`]),
    ...containers.map(({ id, name }): Phrase => ['container: ', { kind: 'container', id, name }]),
  ];
}

export function sharedActuals(
  { context, roleID, groups, isDevice }: Situation,
  nameOf: NameOf,
  zone: ZoneOffsets,
): SharedActuals {
  const label = typeLabelOf(context.host.type);
  return {
    role: { one: nameOf('role', roleID) },
    groups: { list: groups.map((id) => nameOf('group', id)) },
    where: { list: whereActual(context) },
    when: { one: writeLocalTime(zone, context.atMs) },
    deviceCheck: {
      section: 'attributes',
      expected: expectedDevices,
      actual: label === null ? null : { one: label },
      ok: isDevice,
    },
  };
}

const isAnywhere = ({ containers, deviceGroups, portGroups, ssids }: Where): boolean =>
  containers.length + deviceGroups.length + portGroups.length + ssids.length === 0;

function compileEntry(entry: Entry, nameOf: NameOf): CompiledEntry {
  const { who, where, when } = entry.criteria;
  const elementsOf = (kind: NamedElement['kind'], ids: readonly number[]) => ids.map((id) => nameOf(kind, id));
  const labelledElementsOf = (kind: NamedElement['kind'], ids: readonly number[]) =>
    elementsOf(kind, ids).map((element): Phrase => [`${kind}: `, element]);
  return {
    ...entry,
    filters: who.attributes.map(({ conditions }) => conditions.map(compileCondition)),
    expectedRoles: elementsOf('role', who.roles),
    expectedGroups: elementsOf('group', who.groups),
    expectedWhere: [
      ...labelledElementsOf('container', where.containers),
      ...labelledElementsOf('device group', where.deviceGroups),
      ...labelledElementsOf('port group', where.portGroups),
      ...where.ssids.map((ssid) => `SSID: ${ssid}`),
    ],
    expectedWhen: [writeSchedule(when)],
  };
}

/** The entries whose sections match a connection, as one bit per entry. */
interface Sections {
  roles: Bits;
  groups: readonly Bits[];
  where: readonly Bits[];
  when: Bits;
}

const unionAt = (lists: readonly Bits[], word: number): number => {
  let union = 0;
  for (let index = 0; index < lists.length; index++) union |= lists[index]![word]!;
  return union;
};

/**
 * A compiled ranked list. For each role, group, container, device group, port group and SSID a bit set has the entries that accept it.
 * The candidates for a connection are the intersection of such sets; attributes are compared for candidates only.
 */
export class RankedList {
  readonly entries: readonly CompiledEntry[];
  readonly #words: number;
  readonly #enabled: Bits;
  readonly #devicesOnly: Bits;
  readonly #anyRole: Bits;
  readonly #byRole = new Map<number, Bits>();
  readonly #anyGroup: Bits;
  readonly #byGroup = new Map<number, Bits>();
  readonly #anywhere: Bits;
  readonly #byContainer = new Map<number, Bits>();
  readonly #byDeviceGroup = new Map<number, Bits>();
  readonly #byPortGroup = new Map<number, Bits>();
  readonly #bySsid = new Map<string, Bits>();
  /** The entries of each distinct schedule. */
  readonly #schedules: { schedule: Schedule; bits: Bits }[] = [];
  readonly #zone: ZoneOffsets;
  #when: { minute: number; bits: Bits } = { minute: Number.NaN, bits: new Uint32Array(0) };
  readonly #containerBits = new WeakMap<ContainerChain, Bits[]>();
  readonly #deviceGroupBits = new WeakMap<readonly number[], Bits[]>();
  readonly #portGroupBits = new WeakMap<readonly number[], Bits[]>();

  constructor(entries: readonly Entry[], nameOf: NameOf, zone: ZoneOffsets) {
    this.entries = entries.map((entry) => compileEntry(entry, nameOf)).sort((a, b) => a.rank - b.rank);
    this.#zone = zone;
    this.#words = Math.ceil(entries.length / 32);
    const bits = () => new Uint32Array(this.#words);
    this.#enabled = bits();
    this.#devicesOnly = bits();
    this.#anyRole = bits();
    this.#anyGroup = bits();
    this.#anywhere = bits();
    const schedules = new Map<string, Bits>();
    this.entries.forEach((entry, index) => {
      const { who, where, when } = entry.criteria;
      const put = (into: Bits) => {
        into[index >>> 5]! |= 1 << (index & 31);
      };
      const putEach = <Key>(into: Map<Key, Bits>, keys: readonly Key[]) => {
        for (const key of keys) {
          if (!into.has(key)) into.set(key, bits());
          put(into.get(key)!);
        }
      };
      if (entry.enabled) put(this.#enabled);
      if (entry.devicesOnly) put(this.#devicesOnly);
      if (who.roles.length === 0) put(this.#anyRole);
      putEach(this.#byRole, who.roles);
      if (who.groups.length === 0) put(this.#anyGroup);
      putEach(this.#byGroup, who.groups);
      if (isAnywhere(where)) put(this.#anywhere);
      putEach(this.#byContainer, where.containers);
      putEach(this.#byDeviceGroup, where.deviceGroups);
      putEach(this.#byPortGroup, where.portGroups);
      putEach(this.#bySsid, where.ssids);
      const key = when.alwaysOn ? 'always' : `${when.daysOfWeek} ${when.startTimeOfDay} ${when.endTimeOfDay}`;
      if (!schedules.has(key)) {
        schedules.set(key, bits());
        this.#schedules.push({ schedule: when, bits: schedules.get(key)! });
      }
      put(schedules.get(key)!);
    });
    for (const some of this.#byRole.values())
      for (let word = 0; word < this.#words; word++) some[word]! |= this.#anyRole[word]!;
  }

  /** Returns the entries whose schedule holds. Cached per minute: schedules and zone offsets are multiples of a minute. */
  #scheduled(atMs: number): Bits {
    const minute = Math.floor(atMs / 60_000);
    if (this.#when.minute !== minute) {
      const bits = new Uint32Array(this.#words);
      for (const { schedule, bits: some } of this.#schedules)
        if (scheduleHolds(schedule, this.#zone, atMs))
          for (let word = 0; word < this.#words; word++) bits[word]! |= some[word]!;
      this.#when = { minute, bits };
    }
    return this.#when.bits;
  }

  #sections({ context, roleID, groups, portGroups, deviceGroups }: Situation): Sections {
    const { connection } = context;
    return {
      roles: this.#byRole.get(roleID) ?? this.#anyRole,
      groups: [this.#anyGroup, ...bitsOfKeys(this.#byGroup, groups)],
      where: [
        this.#anywhere,
        ...cachedBits(
          this.#containerBits,
          connection.containers,
          () => connection.containers.map(({ id }) => id),
          this.#byContainer,
        ),
        ...cachedBits(this.#deviceGroupBits, deviceGroups, () => deviceGroups, this.#byDeviceGroup),
        ...cachedBits(this.#portGroupBits, portGroups, () => portGroups, this.#byPortGroup),
        ...(connection.ssid === null ? [] : bitsOfKeys(this.#bySsid, [connection.ssid])),
      ],
      when: this.#scheduled(context.atMs),
    };
  }

  /** Returns the first enabled entry that matches; null if there is none. */
  firstMatch(situation: Situation): CompiledEntry | null {
    if (this.#words === 0) return null;
    const { roles, groups, where, when } = this.#sections(situation);
    for (let word = 0; word < this.#words; word++) {
      let candidates = this.#enabled[word]! & roles[word]! & when[word]!;
      if (!situation.isDevice) candidates &= ~this.#devicesOnly[word]!;
      if (candidates !== 0) candidates &= unionAt(where, word);
      if (candidates !== 0) candidates &= unionAt(groups, word);
      while (candidates !== 0) {
        const bit = 31 - Math.clz32(candidates & -candidates);
        const entry = this.entries[(word << 5) | bit]!;
        if (filtersMatch(entry, situation.context)) return entry;
        candidates &= candidates - 1;
      }
    }
    return null;
  }

  /** Returns every entry with its checks, in order. */
  checks(
    situation: Situation,
    actuals: SharedActuals,
  ): { entry: CompiledEntry; matches: boolean; checks: readonly Check[] }[] {
    if (this.#words === 0) return [];
    const { roles, groups, where, when } = this.#sections(situation);
    const groupWords = Uint32Array.from({ length: this.#words }, (_, word) => unionAt(groups, word));
    const whereWords = Uint32Array.from({ length: this.#words }, (_, word) => unionAt(where, word));
    return this.entries.map((entry, index) => {
      const word = index >>> 5;
      const bit = 1 << (index & 31);
      const { who, when: schedule } = entry.criteria;
      const checks: Check[] = [];
      let matches = true;
      const add = (check: Check) => {
        checks.push(check);
        if (!check.ok) matches = false;
      };
      if (entry.devicesOnly) add(actuals.deviceCheck);
      if (who.roles.length > 0)
        add({
          section: 'roles',
          expected: entry.expectedRoles,
          actual: actuals.role,
          ok: (roles[word]! & bit) !== 0,
        });
      if (who.groups.length > 0)
        add({
          section: 'groups',
          expected: entry.expectedGroups,
          actual: actuals.groups,
          ok: (groupWords[word]! & bit) !== 0,
        });
      if (entry.filters.length > 0) for (const check of attributeChecks(entry, situation.context)) add(check);
      if (entry.expectedWhere.length > 0)
        add({
          section: 'where',
          expected: entry.expectedWhere,
          actual: actuals.where,
          ok: (whereWords[word]! & bit) !== 0,
        });
      if (!schedule.alwaysOn)
        add({ section: 'when', expected: entry.expectedWhen, actual: actuals.when, ok: (when[word]! & bit) !== 0 });
      return { entry, matches, checks };
    });
  }
}

function bitsOfKeys<Key>(sets: ReadonlyMap<Key, Bits>, keys: readonly Key[]): Bits[] {
  const bits: Bits[] = [];
  if (sets.size === 0) return bits;
  for (const key of keys) {
    const some = sets.get(key);
    if (some) bits.push(some);
  }
  return bits;
}

/** Returns the bit sets of a list of ids, cached by the list because many connections share it. */
function cachedBits<Key extends object>(
  cache: WeakMap<Key, Bits[]>,
  key: Key,
  ids: () => readonly number[],
  sets: ReadonlyMap<number, Bits>,
): Bits[] {
  let bits = cache.get(key);
  if (!bits) {
    bits = bitsOfKeys(sets, ids());
    cache.set(key, bits);
  }
  return bits;
}

/** True if all conditions of one filter hold. An entry without filters matches every connection. */
const filtersMatch = ({ filters }: CompiledEntry, context: DecisionContext): boolean =>
  filters.length === 0 || filters.some((conditions) => conditions.every((condition) => condition.holds(context)));

/** Returns the checks of the filter that matched, or those of all filters if none did. With several filters, each check has its filter's number. */
function attributeChecks(entry: CompiledEntry, context: DecisionContext): Check[] {
  const all: Check[] = [];
  for (const [index, conditions] of entry.filters.entries()) {
    const checks = conditions.map((condition): Check => {
      const { actual, holds } = condition.evaluate(context);
      const expected =
        entry.filters.length === 1 ? condition.expected : [`filter ${index + 1}: ${condition.expected[0]}`];
      return {
        section: 'attributes',
        expected,
        actual: actual === null ? null : typeof actual === 'string' ? { one: actual } : { list: actual },
        ok: holds,
      };
    });
    if (checks.every(({ ok }) => ok)) return checks;
    all.push(...checks);
  }
  return all;
}
