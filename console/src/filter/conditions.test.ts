import { describe, expect, test } from 'vitest';
import { type Condition, elementOf, filterElements, filterOfElements } from './conditions.ts';

const condition = (field: string, comparison: Condition['comparison'], ...values: string[]): Condition => ({
  field,
  comparison,
  values,
});

describe('a filter', () => {
  test.each<[string, (readonly Condition[] | undefined)[]]>([
    ['', []],
    ['name==core-*', [[condition('name', 'is', 'core-*')]]],
    ['role!=Staff;connected==true', [[condition('role', 'isNot', 'Staff')], [condition('connected', 'is', 'true')]]],
    ['role=out=(Staff,"Night shift")', [[condition('role', 'isNot', 'Staff', 'Night shift')]]],
    [
      '(a==1,b!=2);c>=3',
      [[condition('a', 'is', '1'), condition('b', 'isNot', '2')], [condition('c', 'isAtLeast', '3')]],
    ],
    ['a==1,b==2', [[condition('a', 'is', '1'), condition('b', 'is', '2')]]],
    ['owner=isnull=true', [[condition('owner', 'isEmpty')]]],
    ['lastSeen=ge=-24h', [[condition('lastSeen', 'isAtLeast', '-24h')]]],
    ['name=="a;b,(c"', [[condition('name', 'is', 'a;b,(c')]]],
    ['name=="say \\"yes\\""', [[condition('name', 'is', 'say "yes"')]]],
    ['(a==1;b==2),c==3', [undefined]],
    ['((a==1,b==2);c==3);d==4', [undefined, [condition('d', 'is', '4')]]],
    ['adapter.accessState==QUARANTINE', [[condition('adapter.accessState', 'is', 'QUARANTINE')]]],
  ])('%j is parsed', (filter, expected) => {
    const elements = filterElements(filter);
    expect(elements.map(({ anyOf }) => anyOf)).toEqual(expected);
    // An unchanged filter keeps its text.
    expect(filterOfElements(elements)).toBe(filter);
  });

  test.each<[readonly (readonly Condition[])[], string]>([
    [[[condition('role', 'isNot', 'Staff')]], 'role!=Staff'],
    [[[condition('role', 'isNot', 'Staff', 'Night shift')]], 'role=out=(Staff,"Night shift")'],
    [[[condition('a', 'is', '1'), condition('b', 'isEmpty')]], 'a==1,b=isnull=true'],
    [[[condition('a', 'is', '1'), condition('b', 'is', '2')], [condition('c', 'isLess', '3')]], '(a==1,b==2);c<3'],
    [[[condition('name', 'is', 'a "b"')]], 'name=="a \\"b\\""'],
    [[[condition('name', 'is', 'x\\*')]], 'name=="x\\*"'],
  ])('of conditions is written and parsed again: %j is %j', (conditions, filter) => {
    expect(filterOfElements(conditions.map(elementOf))).toBe(filter);
    expect(filterElements(filter).map(({ anyOf }) => anyOf)).toEqual(conditions);
  });
});
