import { describe, expect, test } from 'vitest';
import { collection, log, settings } from '../declare/declaration.ts';
import { computed, identity, integer, list, reference, secret, text } from '../declare/field.ts';
import { modelOf } from './model.ts';

/** A valid declaration; each test changes it in one way. */
const sound = {
  name: 'tea-machine',
  title: 'Tea machine',
  path: '/settings/kitchen/tea-machine',
  permission: 'system-settings',
  doc: 'Machines that make coffee.',
  patterns: ['list', 'fetch'],
  fields: { id: identity(), name: text({ min: 1, max: 60, unique: true }) },
} as const;

type Protocols = Parameters<typeof collection>[0];
const declare = (change: Record<string, unknown>) => () =>
  modelOf([collection({ ...sound, ...change } as Protocols)], new Set(['host-record']));
const withField = (name: string, field: unknown) => declare({ fields: { ...sound.fields, [name]: field } });

describe('a declaration is refused at start with a sentence that names the mistake', () => {
  test('not when it is sound', () => {
    expect(declare({})).not.toThrow();
  });

  test.each([
    [
      'no permission',
      declare({ permission: undefined }),
      'The declaration of tea-machine has no permission; name one of the forty keys.',
    ],
    [
      'an unknown permission',
      declare({ permission: 'kitchen' }),
      'has the permission kitchen, which is none of the forty keys',
    ],
    ['no doc', declare({ doc: '' }), 'has no doc'],
    ['a name that is not kebab-case', declare({ name: 'CoffeeMachine' }), 'has a name that is not kebab-case'],
    ['operations but no path', declare({ path: undefined }), 'has operations but no path'],
    ['a path without its slash', declare({ path: 'settings/kitchen' }), 'a path starts with a slash'],
    [
      'a column that is no field',
      declare({ columns: ['name', 'colour'] }),
      'shows the column colour, which is none of its fields',
    ],
    [
      'a section of a field that is not there',
      declare({ sections: { Kitchen: ['name', 'colour'] } }),
      'has colour in a section, a unit or a label, which is none of its fields',
    ],
    [
      'a field in two sections',
      declare({ sections: { Kitchen: ['name'], Office: ['name'] } }),
      'has the field name in two sections',
    ],
    ['a unit of a text', declare({ units: { name: 's' } }), 'has a unit for name, which is no number'],
    [
      'many fields, one of them in no section',
      declare({
        fields: {
          ...sound.fields,
          ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`cup${n}`, sound.fields.name])),
        },
        sections: { Kitchen: ['name'] },
      }),
      'has more than 20 fields, and cup0 in no section',
    ],
    [
      'a field that is read from an undeclared join',
      withField('cups', computed({ kind: 'integer', min: 0, max: 9 }, 'tray.cups', { joins: ['tray'] })),
      'reads cups from tray, which is not one of its joins',
    ],
    ['no identity', declare({ fields: { name: sound.fields.name } }), 'has no field id, which is its identity'],
    ['no label', declare({ fields: { id: sound.fields.id } }), 'has no field name, which is its label'],
    [
      'a pattern whose field is missing',
      declare({ patterns: ['enable'] }),
      'has the operation enable but no field enabled',
    ],
    [
      'a rank operation without rank',
      declare({ patterns: ['rankSet'] }),
      'has the operation rankSet but no field rank',
    ],
    [
      'a rank that the service works out, with the operations of one that people set',
      declare({
        patterns: ['rankSet'],
        fields: { ...sound.fields, rank: computed({ kind: 'integer', min: 1, max: 5 }, '1') },
      }),
      'has the operation rankSet but no field rank',
    ],
    [
      'a type in its path that is no choice',
      declare({ typeInPath: { parameter: 'machineType', field: 'name' } }),
      'has the type name in its path, which is no choice among its fields',
    ],
    [
      'a field of a fetch alone that lists cannot leave empty',
      withField('cups', { ...integer({ min: 0, max: 9 }), detailOnly: true }),
      'has a field cups that only a fetch shows and that is no list',
    ],
    [
      'an unknown reference',
      withField('bean', reference('coffee-bean', 'restrict')),
      'field bean refers to coffee-bean, but there is no such resource',
    ],
    [
      'an unknown reference inside a list',
      withField(
        'beans',
        list(
          { item: { kind: 'integer', min: 1, max: 9 }, max: 5 },
          { nestedReferences: [{ path: ['*'], to: 'coffee-bean', onDelete: 'restrict' }] },
        ),
      ),
      'field beans refers to coffee-bean',
    ],
    [
      'a look through a reference that does not exist',
      withField('roast', {
        ...computed<string>({ kind: 'text', max: 9 }, `''`),
        via: 'bean.roast',
      }),
      'shows roast through bean.roast, which does not exist',
    ],
    [
      'text without bound',
      withField('note', text({} as { max: number })),
      'has no bound on the text note; give it a max',
    ],
    [
      'a number without bound',
      withField('cups', integer({} as { min: number; max: number })),
      'has no bound on the number cups; give it a min and a max',
    ],
    [
      'a list without bound',
      withField('cups', list({ item: { kind: 'flag' } } as never)),
      'has no bound on the list cups; give it a max',
    ],
    [
      'text without bound inside a list',
      withField('cups', list({ item: { kind: 'text' } as never, max: 3 })),
      'has no bound on the text cups[]',
    ],
    [
      'a secret that may be sent anywhere',
      withField('pin', { ...secret({ max: 8, unbound: 'It opens a door.', doc: 'Opens it.' }), binding: undefined }),
      'does not declare where the secret pin is sent; give it boundTo, or unbound with the reason',
    ],
    [
      'a secret without the reason why no field decides where it is sent',
      withField('pin', secret({ max: 8, unbound: ' ', doc: 'Opens it.' })),
      'declares without a reason that no field decides where the secret pin is sent',
    ],
    [
      'a secret that is bound to nothing',
      withField('pin', secret({ max: 8, boundTo: [], doc: 'Opens it.' })),
      'binds the secret pin to nothing; declare unbound with the reason',
    ],
    [
      'a secret that is bound to a field which does not exist',
      withField('pin', secret({ max: 8, boundTo: ['name', 'door.address'], doc: 'Opens it.' })),
      'binds the secret pin to door.address, which is none of its fields',
    ],
    [
      'a secret inside a list that may be sent anywhere',
      withField('pins', list({ item: { kind: 'text', max: 8, secret: true }, key: 'id', max: 3 })),
      'does not declare where the secret pins[] is sent',
    ],
    [
      'secrets inside a list whose items nothing tells apart',
      withField('pins', list({ item: { kind: 'text', max: 8, secret: true }, max: 3 })),
      'has secrets inside the list pins; declare the key that identifies its items',
    ],
    [
      'a field that is no word',
      withField('cup size', text({ max: 5 })),
      'has a field called cup size; use letters and digits',
    ],
  ])('%s', (_mistake, start, sentence) => {
    expect(start).toThrow(sentence);
  });

  test('settings that would have to wait for their first value', () => {
    const { patterns: _patterns, ...declaration } = sound;
    const kitchen = (field: unknown) => () =>
      modelOf([settings({ ...declaration, fields: { cupsMax: field } } as never)], new Set());
    expect(kitchen(integer({ min: 1, max: 9 }))).toThrow(
      'The declaration of tea-machine has no default for cupsMax; settings exist from the start.',
    );
    expect(kitchen(integer({ min: 1, max: 9, default: 5 }))).not.toThrow();
  });

  test('a log that counts values of what is no column', () => {
    const brewed = { identity: 'id', label: 'name', slice: 'day', timeField: 'name', age: { setting: 'x', days: 1 } };
    const start = () => modelOf([log({ ...sound, ...brewed, indexes: [], totals: ['colour'] } as never)], new Set());
    expect(start).toThrow('The declaration of tea-machine counts values of colour, which is no column of its rows.');
  });

  test('a name that two of them have', () => {
    expect(() =>
      modelOf([collection(sound as unknown as Protocols), collection(sound as unknown as Protocols)], new Set()),
    ).toThrow('The declaration of tea-machine is declared twice.');
  });

  test('but a reference to a group that is still to come is taken, and takes only its empty value', () => {
    const table = modelOf(
      [
        collection({
          ...sound,
          fields: { ...sound.fields, host: reference('host-record', 'restrict', { nullable: true }) },
        } as unknown as Protocols),
      ],
      new Set(['host-record']),
    ).tables[0]!;
    expect(table.columns.map((column) => column.name)).not.toContain('host');
  });
});

test('elements of a type are kept in one place', () => {
  const keeps = (name: string) => collection({ ...sound, name, memberOf: ['HOST'] } as Protocols);
  expect(() => modelOf([keeps('tea-machine'), keeps('kettle')], new Set())).toThrow(
    'The declaration of kettle has elements of type HOST, like another declaration.',
  );
  const kettle = keeps('kettle');
  expect(modelOf([kettle], new Set()).elements.get('HOST')).toEqual({
    code: 4,
    title: 'Tea machine',
    table: 'kettle',
    name: 'r."name"',
    img: undefined,
    declaration: kettle,
  });
});
