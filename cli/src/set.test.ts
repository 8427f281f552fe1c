import { describe, expect, test } from 'vitest';
import type { Schema } from './document.ts';
import { applySettings, readSetting, refuseServiceFields, shownSetting } from './set.ts';
import { documentOf } from './testing/fake-document.ts';

const body: Schema = {
  properties: {
    name: { type: 'string' },
    authPort: { type: 'integer', minimum: 0, maximum: 65_535 },
    weight: { type: 'number' },
    enabled: { type: 'boolean' },
    note: { type: ['string', 'null'] },
    due: { type: ['integer', 'null'] },
    kind: { type: 'string', enum: ['SWITCH', 'ROUTER'] },
    tags: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' } },
    groups: { type: 'array', items: { $ref: '#/components/schemas/Group' } },
    place: { type: 'object', properties: { floor: { type: 'integer' }, room: { type: 'string' } } },
    attributes: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
const document = documentOf({ Group: { type: 'object', properties: { id: { type: 'integer' } } } });
const parse = (text: string) => readSetting(text, body, document);

describe('--set', () => {
  test.each([
    ['name=1812', '1812'],
    ['name=', ''],
    ['name=a=b', 'a=b'],
    ['name=null', 'null'],
    ['authPort=1812', 1812],
    ['weight=-1.5e3', -1500],
    ['enabled=true', true],
    ['enabled=false', false],
    ['note=null', null],
    ['due=null', null],
    ['kind=ROUTER', 'ROUTER'],
    ['tags=a,b', ['a', 'b']],
    ['tags=', []],
    ['tags=["a,b"]', ['a,b']],
    ['ids=1,2', [1, 2]],
    ['place={"floor":2}', { floor: 2 }],
    ['place.floor=2', 2],
    ['attributes.any-key=1', '1'],
    ['groups.0.id=4', 4],
  ])('%s is typed by the schema', (text, value) => {
    expect(parse(text).value).toEqual(value);
  });

  test.each([
    ['authPort=many', 'authPort takes integer 0…65535, not "many".'],
    ['authPort=', 'authPort takes integer 0…65535, not "".'],
    ['enabled=yes', 'enabled takes true | false, not "yes".'],
    ['kind=ROUTR', 'kind takes one of SWITCH, ROUTER, not "ROUTR". Did you mean ROUTER?'],
    ['nmae=x', 'There is no field nmae. Did you mean name?'],
    ['place.flor=1', 'There is no field flor in place. Did you mean floor?'],
    ['constructor=1', 'There is no field constructor.'],
    ['groups=1', "groups takes a list as JSON, such as 'groups=[{…}]'."],
    ['name', '--set takes name=value, not "name".'],
  ])('%s is refused', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  test('a part of an object keeps its neighbours', () => {
    const current = { place: { floor: 1, room: 'A' }, groups: [{ id: 1 }] };
    expect(applySettings({}, [parse('place.floor=2'), parse('groups.1.id=5')], current)).toEqual({
      place: { floor: 2, room: 'A' },
      groups: [{ id: 1 }, { id: 5 }],
    });
    expect(current).toEqual({ place: { floor: 1, room: 'A' }, groups: [{ id: 1 }] });
    expect(() => applySettings({}, [parse('groups.3.id=5')], current)).toThrow('the next free index is 1');
  });

  test('a field called __proto__ is a field', () => {
    const result = applySettings({}, [parse('attributes.__proto__=x')]);
    expect(JSON.stringify(result)).toBe('{"attributes":{"__proto__":"x"}}');
  });
});

test('a record takes no field that the service sets, but its identity', () => {
  const record: Schema = {
    properties: {
      id: { type: 'integer', description: 'Identity of the record.', 'x-field': { access: 'readOnly' } },
      name: { type: 'string', 'x-field': { access: 'write' } },
      secret: { type: 'string', 'x-field': { access: 'secret' } },
      lastPoll: { type: 'string', 'x-field': { access: 'observed' } },
      extra: { type: 'string' },
      container: { type: 'string', 'x-field': { access: 'computed' } },
      containerID: { type: 'integer', 'x-field': { access: 'write' } },
      account: {
        anyOf: [{ properties: { password: { type: 'string', format: 'password' } } }, { type: 'null' }],
        'x-field': { access: 'computed' },
      },
    },
  };
  const refused =
    (name: string, example = {}) =>
    () =>
      refuseServiceFields([{ steps: [name], value: 'x' }], record, document, example);
  for (const name of ['id', 'name', 'secret', 'extra', 'account']) expect(refused(name)).not.toThrow();
  expect(refused('lastPoll')).toThrow('lastPoll is set by the service and cannot be changed.');
  expect(refused('lastPoll', { lastPoll: 'now' })).not.toThrow();
  expect(refused('container')).toThrow(
    'container is set by the service and cannot be changed. Set containerID instead.',
  );
});

test.each([
  ['currentVlan=40', 'currentVlan=40'],
  ['radiusSecret=hunter2', 'radiusSecret=…'],
  ['snmpSecurityStrings=public', 'snmpSecurityStrings=…'],
  ['access=[{"community":"public"}]', 'access=…'],
])('%s is shown as %s', (text, shown) => {
  expect(shownSetting(text)).toBe(shown);
});
