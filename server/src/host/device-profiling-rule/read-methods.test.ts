import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitting } from '../../../test/conformance/checks/values.ts';
import { manyRuns } from '../../../test/world/test-speed.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { Method } from './device-profiling-rule.ts';
import { methodData, methodTypes } from './methods.ts';
import { faultInPattern } from './re2.ts';
import { readMethods, ruleState, summaryOfMethods } from './read-methods.ts';

/** One valid `data` for each type, as the table of the contract describes it. */
const valid: Record<string, Record<string, unknown>> = {
  OUI: { filters: [{ field: 'vendorName', value: 'Zebra*' }] },
  DHCP: { filters: [{ vendorClass: 'MSFT 5.0', hostName: 'pc-*' }] },
  ACTIVE: { os: ['Linux'] },
  TCP: { ports: '80,443,9100' },
  UDP: { ports: '161', mode: 'ANY' },
  SNMP: { oid: '1.3.6.1.2.1.1.1.0', operator: 'CONTAINS', value: 'JetDirect', credentials: { community: 'public' } },
  HTTP: { match: ['Login'] },
  SSH: { userName: 'probe', password: 'a-password' },
  BANNER: { port: 25, match: ['220'] },
  IP: { ranges: [{ startIP: '10.0.0.1', endIP: '10.0.0.9' }] },
  LOC: { ssids: ['Guest'] },
  RADIUS: { attributes: [{ name: 'Calling-Station-Id', operator: 'EXISTS' }] },
  LLDP: { capabilities: ['TELEPHONE'] },
  AGENT: {},
  MDM: { compliant: true },
  UA: { regex: 'Android|iPhone' },
  TRAFFIC: { flows: [{ protocol: 'TCP', dstPort: 443 }] },
};

const readMethod = (shortName: string, data: Record<string, unknown>, enabled = true): Method =>
  readMethods([{ methodType: { shortName }, data, enabled }])[0]!;

/** Returns the pointers of all faults. */
function faultsOf(...methods: Parameters<typeof readMethods>[0]): string[] {
  try {
    readMethods(methods);
    return [];
  } catch (error) {
    return (error as Failure).faults.map(({ pointer }) => pointer);
  }
}

const dataFaults = (shortName: string, data: Record<string, unknown>) => faultsOf({ methodType: { shortName }, data });

describe('methods', () => {
  test('have seventeen types, each with its own id, names and priority', () => {
    expect(methodTypes.map(({ id }) => id)).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    for (const key of ['name', 'shortName', 'priority'] as const)
      expect(new Set(methodTypes.map((type) => type[key])).size).toBe(17);
    const allowedProperties = new Set(methodTypes.flatMap(({ takes }) => takes));
    expect([...allowedProperties].sort()).toEqual(Object.keys(methodData.properties).sort());
  });

  test.each(Object.entries(valid))('%s accepts its data, and refuses data of other types', (shortName, data) => {
    const type = methodTypes.find((methodType) => methodType.shortName === shortName)!;
    expect(readMethod(shortName, data)).toMatchObject({
      methodType: { id: type.id },
      methodTypeString: shortName,
      data,
    });
    const otherProperties = Object.entries(methodData.properties).filter(([name]) => !type.takes.includes(name));
    for (const [key, shape] of otherProperties)
      expect(dataFaults(shortName, { ...data, [key]: fitting(shape) })).toEqual([`/methods/0/data/${key}`]);
    for (const key of type.needs ?? []) {
      const { [key]: _, ...rest } = data;
      expect(dataFaults(shortName, rest)).toEqual([`/methods/0/data/${key}`]);
    }
  });

  test('select the type by id, name or short name, which must agree', () => {
    for (const methodType of [{ id: 4 }, { name: 'tcp ports' }, { shortName: 'tcp' }, { id: 4, shortName: 'TCP' }])
      expect(readMethods([{ methodType, data: { ports: '1' } }])[0]!.methodTypeString).toBe('TCP');
    for (const methodType of [{}, { id: 18 }, { shortName: 'X' }, { id: 4, shortName: 'UDP' }])
      expect(faultsOf({ methodType, data: { ports: '1' } })).toEqual(['/methods/0/methodType']);
  });

  test('allow each type only once', () => {
    const tcp = { methodType: { id: 4 }, data: { ports: '1' } };
    expect(faultsOf(tcp, tcp)).toEqual(['/methods/1/methodType']);
  });

  test('fill in the defaults of their type', () => {
    expect(readMethod('TCP', { ports: '80' }).data).toEqual({ ports: '80', mode: 'ALL' });
    expect(readMethod('ACTIVE', { os: ['x'] }).data).toEqual({ os: ['x'], maxAgeMinutes: 1_440 });
    expect(readMethod('SSH', { userName: 'x' }).data).toEqual({ userName: 'x', port: 22 });
    expect(readMethod('AGENT', {})).toMatchObject({ enabled: true, version: 0, encrypted: false });
  });

  test('refuse data that could match no device', () => {
    const refused: [string, Record<string, unknown>, string][] = [
      ['OUI', { filters: [] }, '/filters'],
      ['OUI', { filters: [{ field: 'vendorName' }] }, '/filters/0'],
      ['OUI', { filters: [{ field: 'vendorName', value: 'x', hostName: 'y' }] }, '/filters/0'],
      ['DHCP', { filters: [{}] }, '/filters/0'],
      ['DHCP', { filters: [{ value: 'x' }] }, '/filters/0'],
      ['DHCP', {}, ''],
      ['DHCP', { matchType: false }, ''],
      ['ACTIVE', { os: [] }, ''],
      ['TCP', { ports: '80,70000' }, '/ports'],
      ['UDP', { ports: '0' }, '/ports'],
      ['IP', { ranges: [{ startIP: '10.0.0.9', endIP: '10.0.0.1' }] }, '/ranges/0'],
      ['IP', { ranges: [{ startIP: '10.0.0.9', endIP: '2001:db8::1' }] }, '/ranges/0'],
      ['IP', {}, ''],
      ['SNMP', { oid: '1.3', operator: 'EQUALS' }, '/value'],
      ['SNMP', { oid: '1.3', operator: 'EXISTS', value: 'x' }, '/value'],
      ['SNMP', { oid: '1.3', operator: 'REGEX', value: '(' }, '/value'],
      ['RADIUS', { attributes: [{ name: 'x', operator: 'REGEX', value: '(?=y)' }] }, '/attributes/0/value'],
      ['RADIUS', { attributes: [{ name: 'x', value: 'y' }] }, '/attributes/0/operator'],
      ['UA', { regex: '(a)\\1' }, '/regex'],
      ['LLDP', { capabilities: [] }, ''],
      ['TRAFFIC', { flows: [{}] }, '/flows/0'],
      ['TRAFFIC', { flows: [{ dstAddress: 'nowhere' }] }, '/flows/0/dstAddress'],
    ];
    for (const [shortName, data, pointer] of refused)
      expect(dataFaults(shortName, data), `${shortName} ${JSON.stringify(data)}`).toContain(
        `/methods/0/data${pointer}`,
      );
    expect(dataFaults('IP', { ranges: [{ startIP: '2001:db8::1', endIP: '2001:db8::ff' }] })).toEqual([]);
    expect(dataFaults('DHCP', { matchType: true })).toEqual([]);
    expect(dataFaults('TRAFFIC', { flows: [{ dstAddress: '10.0.0.0/8' }] })).toEqual([]);
  });

  test('with credentials are marked as encrypted and evaluated last', () => {
    const [plain, secret] = [readMethod('HTTP', { match: ['x'] }), readMethod('HTTP', { match: ['x'], password: 'y' })];
    expect([plain.encrypted, secret.encrypted]).toEqual([false, true]);
    const highest = Math.max(...methodTypes.map(({ priority }) => priority));
    expect(plain.priority).toBeLessThanOrEqual(highest);
    expect(secret.priority).toBeGreaterThan(highest);
    expect(readMethod('SNMP', valid.SNMP!).encrypted).toBe(true);
    expect(readMethod('SNMP', { oid: '1.3', credentials: { userName: 'x' } }).encrypted).toBe(false);
  });

  test('summarise the enabled ones in the order of evaluation', () => {
    const methods = [
      readMethod('TCP', { ports: '9100' }),
      readMethod('DHCP', valid.DHCP!),
      readMethod('OUI', valid.OUI!),
      readMethod('AGENT', {}, false),
    ];
    expect(summaryOfMethods(methods)).toBe('OUI, DHCP, TCP 9100');
    expect(summaryOfMethods([])).toBe('');
  });

  test('set the state of the rule together with its other fields', () => {
    const rule = {
      enabled: true,
      methods: [readMethod('AGENT', {})],
      addToGroup: false,
      groupId: 0,
      addToDomain: false,
      domainId: 0,
    };
    expect(ruleState(rule)).toBe('ACTIVE');
    expect(ruleState({ ...rule, enabled: false, addToGroup: true })).toBe('DISABLED');
    expect(ruleState({ ...rule, addToGroup: true })).toBe('INVALID');
    expect(ruleState({ ...rule, addToGroup: true, groupId: 5 })).toBe('ACTIVE');
    expect(ruleState({ ...rule, addToDomain: true })).toBe('INVALID');
    for (const [shortName, data] of [
      ['SSH', { userName: 'x' }],
      ['SNMP', { oid: '1.3' }],
      ['SNMP', { oid: '1.3', version: 'V3', credentials: { community: 'x' } }],
      ['LOC', { containerIDs: [] }],
    ] as const) {
      expect(ruleState({ ...rule, methods: [readMethod(shortName, data)] }), shortName).toBe('INVALID');
      expect(ruleState({ ...rule, methods: [readMethod(shortName, data, false)] }), shortName).toBe('ACTIVE');
    }
  });
});

describe('a regular expression', () => {
  test.each([
    'Android|iPhone',
    '^HP (Jet|Laser)?Direct$',
    '[\\w.-]+\\.example',
    '(?:a|b){2,3}',
    '(?i:x)y',
    '(?<os>Win)',
    '[^a\\]]',
    'x*?',
    '',
  ])('%s is accepted', (source) => expect(faultInPattern(source)).toBeUndefined());

  test.each([
    ['(a)\\1', 'contains a backreference'],
    ['(?<a>x)\\k<a>', 'contains a backreference'],
    ['a(?=b)', 'contains a lookahead'],
    ['a(?!b)', 'contains a lookahead'],
    ['(?<=a)b', 'contains a lookahead or lookbehind'],
    ['(?<!a)b', 'contains a lookahead or lookbehind'],
    ['(', 'is not a valid regular expression'],
    ['a{2', 'is not a valid regular expression'],
    ['a{1001}', 'repeats'],
    ['a{1,2000}', 'repeats'],
    ['[]', 'contains an empty character class'],
    ['[^]', 'contains an empty character class'],
    ['\\u0041', 'escape'],
    ['\\cA', 'escape'],
    ['[[:alpha:]]', 'contains a named character class'],
    ['(?>a)', 'group'],
  ])('%s is refused: it %s', (source, words) => {
    expect(faultInPattern(source)).toContain(words);
  });

  test('is accepted or refused for any text without an exception, and compiles if accepted', () => {
    const piece = fc.constantFrom(
      'a',
      '[',
      ']',
      '(',
      ')',
      '?',
      '\\',
      '^',
      '{',
      '}',
      ',',
      '2',
      '1',
      '<',
      '=',
      '!',
      ':',
      '|',
      '*',
      'k',
      '-',
      'x',
      'é',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        (source) => {
          if (faultInPattern(source) !== undefined) return;
          new RegExp(source, 'u');
          // No unsupported syntax was accepted: outside of classes there is no lookaround and no backreference.
          const bare = source.replaceAll(/\\[^1-9k]/g, '').replaceAll(/\[[^\]]*\]/g, '');
          expect(bare).not.toMatch(/\\[1-9k]|\(\?<?[=!]/);
        },
      ),
      { numRuns: manyRuns(5_000) },
    );
  });
});
