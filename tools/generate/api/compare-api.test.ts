import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breaksBetween } from './compare-api.ts';
import { unstatedBreaks } from './unstated-breaks.ts';

const operations = [
  'oven.list  GET /oven  view ovens  takes filter start  returns 200 Oven',
  'oven.create  POST /oven  add ovens  body Oven  takes dryRun  returns 200 Oven, 201  refuses duplicate',
  'oven.heat  POST /oven/{id}/heat  modify ovens  body Heat optional  returns 200',
];
const fields = [
  'oven.list?room  text 1..60  sent',
  'Oven.name  text 1..60  write required  filter sort search',
  'Oven.degrees  integer 0..300  write  default 180  filter sort',
  'Oven.mode  choice FAN|GRILL  write  default "FAN"  filter',
  'Oven.racks  list ..5 of text ..20  write  default []',
  'Oven.code  text ..4 /^[0-9]*$/  write  default ""',
  'Oven.state  choice ON|OFF  computed',
  'Oven.door  text ..20 | null  write  default null',
  'Oven.inner  text ..10  returned',
  'OvenOfFeed  like Oven  returned  without racks',
  'Heat.degrees  integer 0..300  sent',
];
const text = ['# Oven', '', ...operations, '', ...fields].join('\n');

/** Replaces one line of the text by others. */
function changing(line: string, ...replacements: string[]): string {
  const lines = text.split('\n');
  const index = lines.findIndex((candidate) => candidate.split('  ')[0] === line);
  expect(index, line).toBeGreaterThan(0);
  lines.splice(index, 1, ...replacements);
  return lines.join('\n');
}

const breaks = (after: string): string[] => breaksBetween([text], [after]).map(({ key, what }) => `${key}: ${what}`);

describe('a change that can break a client', () => {
  test.each<[what: string, after: () => string, expected: string[]]>([
    ['a removed operation', () => changing('oven.list'), ['oven.list: removed operation']],
    [
      'another path',
      () => changing('oven.list', operations[0]!.replace('/oven', '/ovens')),
      ['oven.list: changed path: GET /oven to GET /ovens'],
    ],
    [
      'another permission',
      () => changing('oven.list', operations[0]!.replace('view ovens', 'view kitchens')),
      ['oven.list: changed permission: view ovens to view kitchens'],
    ],
    [
      'a removed parameter that operations share',
      () => changing('oven.list', operations[0]!.replace('filter start', 'start')),
      ['oven.list: removed parameter filter'],
    ],
    ['a removed parameter of one operation', () => changing('oven.list?room'), ['oven.list?room: removed field']],
    [
      'another result',
      () => changing('oven.list', operations[0]!.replace('200 Oven', '200 Stove')),
      ['oven.list: changed result of 200: Oven to Stove'],
    ],
    [
      'a removed success code',
      () => changing('oven.create', operations[1]!.replace(', 201', '')),
      ['oven.create: removed success code 201'],
    ],
    [
      'a body that becomes required',
      () => changing('oven.heat', operations[2]!.replace(' optional', '')),
      ['oven.heat: changed body: Heat optional to Heat'],
    ],
    [
      'a removed field, also of a type that repeats the record',
      () => changing('Oven.state'),
      ['Oven.state: removed field', 'OvenOfFeed.state: removed field'],
    ],
    [
      'a repetition that leaves out a field',
      () => changing('OvenOfFeed', 'OvenOfFeed  like Oven  returned  without racks state'),
      ['OvenOfFeed.state: removed field'],
    ],
    [
      'a lower maximum',
      () => changing('Oven.degrees', fields[2]!.replace('300', '250')),
      ['Oven.degrees: tightened bound: integer 0..300 to integer 0..250'],
    ],
    [
      'a higher minimum',
      () => changing('Oven.degrees', fields[2]!.replace('0..', '50..')),
      ['Oven.degrees: tightened bound: integer 0..300 to integer 50..300'],
    ],
    [
      'a minimum where there was none',
      () => changing('Oven.racks', fields[4]!.replace('list ..5', 'list 1..5')),
      ['Oven.racks: tightened bound: list ..5 of text ..20 to list 1..5 of text ..20'],
    ],
    [
      'a bound inside of a list',
      () => changing('Oven.racks', fields[4]!.replace('..20', '..10')),
      ['Oven.racks: tightened bound: list ..5 of text ..20 to list ..5 of text ..10'],
    ],
    [
      'a removed choice',
      () => changing('Oven.mode', fields[3]!.replace('FAN|GRILL', 'FAN')),
      ['Oven.mode: tightened bound: choice FAN|GRILL to choice FAN'],
    ],
    [
      'another pattern',
      () => changing('Oven.code', fields[5]!.replace('[0-9]*', '[0-9]+')),
      ['Oven.code: tightened bound: text ..4 /^[0-9]*$/ to text ..4 /^[0-9]+$/'],
    ],
    [
      'null that is no longer accepted',
      () => changing('Oven.door', 'Oven.door  text ..20  write  default null'),
      ['Oven.door: tightened bound: text ..20 | null to text ..20'],
    ],
    [
      'another type',
      () => changing('Oven.degrees', fields[2]!.replace('integer 0..300', 'text ..60')),
      [
        'Oven.degrees: changed type: integer 0..300 to text ..60',
        'OvenOfFeed.degrees: changed type: integer 0..300 to text ..60',
      ],
    ],
    [
      'null that clients do not expect',
      () => changing('Oven.inner', 'Oven.inner  text ..10 | null  returned'),
      [
        'Oven.inner: changed type: text ..10 to text ..10 | null',
        'OvenOfFeed.inner: changed type: text ..10 to text ..10 | null',
      ],
    ],
    [
      'a new required field',
      () => changing('Heat.degrees', fields[10]!, 'Heat.minutes  integer 1..60  sent required'),
      ['Heat.minutes: new required field'],
    ],
    [
      'a new required parameter',
      () => changing('oven.list?room', fields[0]!, 'oven.list?floor  text 1..60  sent required'),
      ['oven.list?floor: new required field'],
    ],
    [
      'a field that becomes required',
      () => changing('Heat.degrees', 'Heat.degrees  integer 0..300  sent required'),
      ['Heat.degrees: became required'],
    ],
    [
      'a field that clients can no longer set',
      () => changing('Oven.degrees', 'Oven.degrees  integer 0..300  readOnly  filter sort'),
      ['Oven.degrees: can no longer be sent', 'Oven.degrees: changed default: 180 to none'],
    ],
    [
      'another default',
      () => changing('Oven.degrees', fields[2]!.replace('180', '200')),
      ['Oven.degrees: changed default: 180 to 200'],
    ],
    [
      'a filter that is gone',
      () => changing('Oven.name', fields[1]!.replace('filter sort search', 'sort')),
      ['Oven.name: removed filter', 'Oven.name: removed search'],
    ],
  ])('is found: %s', (_, after, expected) => {
    expect(breaks(after())).toEqual(expected);
  });
});

describe('a change that breaks no client', () => {
  test.each<[what: string, after: () => string]>([
    ['nothing', () => text],
    [
      'a new operation with a required parameter',
      () =>
        `${text}\noven.clean  POST /oven/{id}/clean  modify ovens  body Clean  returns 200\noven.clean?how  text 1..9  sent required\nClean.how  text 1..9  sent required`,
    ],
    ['a new field that may be absent', () => `${text}\nOven.light  flag  write  default false`],
    ['a new field in results', () => `${text}\nOven.heatedAt  time  observed`],
    ['more room', () => changing('Oven.degrees', fields[2]!.replace('300', '400'))],
    ['a smaller range of what is only returned', () => changing('Oven.inner', 'Oven.inner  text ..8  returned')],
    ['a new choice', () => changing('Oven.mode', fields[3]!.replace('FAN|GRILL', 'FAN|GRILL|STEAM'))],
    ['a new status word', () => changing('oven.list', `${operations[0]}  refuses too-expensive`)],
    [
      'a body that becomes optional',
      () => changing('oven.create', operations[1]!.replace('body Oven', 'body Oven optional')),
    ],
    ['a field that is no longer required', () => changing('Oven.name', fields[1]!.replace(' required', ''))],
  ])('is let through: %s', (_, after) => {
    expect(breaks(after())).toEqual([]);
  });

  test('a line that moves to another file is no change', () => {
    const [head, ...rest] = text.split('\n\n');
    expect(breaksBetween([text], [rest.join('\n'), head!])).toEqual([]);
  });
});

describe('a break that a file of changes/ states', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portreeve-changes-'));
    await writeFile(join(folder, 'README.md'), 'Not a change.\n');
    await writeFile(join(folder, 'oven-degrees.md'), 'Changed\nOvens heat to 250 degrees.\n\nbreaks: Oven.degrees\n');
    await writeFile(join(folder, 'feed.md'), 'Removed\nThe feed of ovens is gone.\n\nbreaks: OvenOfFeed.*\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('is let through, and any other is not', async () => {
    const after = changing('Oven.degrees', fields[2]!.replace('300', '250'));
    expect(await unstatedBreaks([text], [after], folder)).toEqual([]);
    const withSecondBreak = after.replace(`${fields[6]}\n`, '');
    expect(await unstatedBreaks([text], [withSecondBreak], folder)).toEqual([
      { key: 'Oven.state', what: 'removed field' },
    ]);
  });
});
