import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { operators } from '../decide/decide.service.ts';

/** Limit on the choices of one kind. */
export const choicesMax = 10_000;

const listOf = (item: Shape, doc: string) => ({ kind: 'list', item, max: choicesMax, doc }) as const;

const choice = {
  kind: 'object',
  name: 'PolicyChoice',
  properties: { id: shapes.id, name: shapes.text(255) },
} as const satisfies ObjectShape;

const attribute = {
  kind: 'object',
  name: 'PolicyAttribute',
  properties: {
    name: { ...shapes.text(100), doc: 'Name of the attribute; replace a star with a name of your choice.' },
    type: { kind: 'choice', values: ['TEXT', 'CHOICE', 'NUMBER', 'FLAG', 'TIME', 'ADDRESS'] },
    operators: {
      kind: 'list',
      item: { kind: 'choice', values: operators },
      max: operators.length,
      doc: 'Operators that the attribute supports. GT, GE, LT and LE of a TEXT take a number, and match only texts that are numbers.',
    },
    values: { kind: 'list', item: shapes.text(80), max: 100, doc: 'Possible values; empty: any value.' },
  },
} as const satisfies ObjectShape;

/** Choices for places, roles and configurations. */
export const placeChoiceShapes = {
  roles: listOf(choice, 'Roles, by rank.'),
  accessConfigurations: listOf(choice, 'Access configurations, by name.'),
  deviceGroups: listOf(choice, 'Groups of devices, by name.'),
  portGroups: listOf(choice, 'Groups of ports, by name.'),
  containers: listOf(choice, 'Containers, by name.'),
  ssids: listOf(shapes.text(128), 'Names of SSIDs that devices report.'),
} as const;

/** Choices for the section `who`: attributes and groups. */
export const whoChoiceShapes = {
  attributes: listOf(attribute, 'Attributes that conditions may name.'),
  hostGroups: listOf(choice, 'Groups of hosts, by name.'),
  userGroups: listOf(choice, 'Groups of users, by name.'),
} as const;

/** How often policies match. */
export const hitsShape = listOf(
  {
    kind: 'object',
    name: 'PolicyHits',
    properties: {
      policyID: shapes.id,
      connected: {
        ...shapes.count,
        nullable: true,
        doc: 'Connections that it currently decides; at most a minute old. Null: the profile of the caller hides some hosts.',
      },
      last24h: {
        ...shapes.count,
        doc: 'Connections of the last 24 hours. Always 0 in this release: decisions of closed connections are not stored.',
      },
      lastMatch: {
        kind: 'time',
        nullable: true,
        doc: 'Last match. Always null in this release: decisions of closed connections are not stored.',
      },
    },
  },
  'Matches of each policy, by rank.',
);
