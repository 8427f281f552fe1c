import { settings } from '../../src/kernel/declare/declaration.ts';
import {
  choice,
  flag,
  integer,
  isSet,
  list,
  map,
  reference,
  secret,
  text,
  version,
} from '../../src/kernel/declare/field.ts';

/** Settings that only tests use: they show what one declaration provides, with a field of every kind. */
export const kitchenSettings = settings({
  name: 'kitchen-settings',
  title: 'Kitchen settings',
  path: '/settings/kitchen',
  permission: 'system-settings',
  doc: 'How the kitchen is run.',
  example: { motto: 'Who empties it fills it.' },
  fields: {
    motto: text({ max: 200, default: "It's on the wall" }),
    note: text({ max: 200, nullable: true }),
    isOpen: flag({ default: true }),
    cupsMax: integer({ min: 1, max: 100, default: 8, doc: 'Cups a head and day.' }),
    strength: choice(['MILD', 'STRONG'], { default: 'MILD' }),
    menu: list<string>({ item: { kind: 'text', max: 40 }, max: 10 }, { default: ['coffee'] }),
    prices: map<number>({ value: { kind: 'integer', min: 0, max: 1_000 }, max: 10 }, { default: { coffee: 1 } }),
    placeID: reference('container', 'restrict', { nullable: true, doc: 'Where it is.' }),
    key: secret({ max: 80, unbound: 'It opens the door of the kitchen alone.', doc: 'What opens its door.' }),
    keySet: isSet('key'),
    version,
  },
});
