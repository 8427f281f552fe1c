import { action } from '../../context.ts';
import { inputShape } from '../../kernel/declare.ts';
import { permissionKeys, verbs } from '../../kernel/permissions.ts';
import type { ObjectShape, Shape } from '../../kernel/shape.ts';
import { adminProfile } from './admin-profile.ts';
import { shownPermissions } from './permission.ts';
import { permissionViewMap } from './permission-views.ts';

const { properties } = inputShape(adminProfile);

/** A profile as it is shown before anybody named it. */
const draftShape: ObjectShape = {
  kind: 'object',
  name: 'NewAdminProfile',
  properties: { ...properties, name: { kind: 'text', max: 64, doc: 'Empty: the one thing a client has to fill in.' } },
};

/** What stands where there is nothing yet. */
function emptyOf(shape: Shape): unknown {
  if (shape.nullable) return null;
  switch (shape.kind) {
    case 'integer':
    case 'decimal':
      return 0;
    case 'flag':
      return false;
    case 'time':
      return '1970-01-01T00:00:00.000Z';
    case 'list':
      return [];
    case 'map':
      return {};
    case 'object':
      return Object.fromEntries(Object.entries(shape.properties).map(([name, property]) => [name, emptyOf(property)]));
    default:
      return '';
  }
}

/** Everything a form has to draw; sent back with a name, it creates the profile. */
const startNew = action(adminProfile, {
  name: 'new',
  method: 'GET',
  path: '/new',
  doc: 'Answer a profile that is not stored: every permission key with nothing granted, and the defaults',
  result: draftShape,
  async run() {
    const blank = Object.entries(adminProfile.fields).map(([name, { default: value, shape }]) => [
      name,
      value === undefined ? emptyOf(shape) : structuredClone(value),
    ]);
    const permissions = shownPermissions(Object.fromEntries(permissionKeys.map((key) => [key, {}])));
    return [{ ...Object.fromEntries(blank), permissions }];
  },
});

const viewMapShape: Shape = {
  kind: 'map',
  keys: permissionKeys,
  max: permissionKeys.length,
  value: {
    kind: 'list',
    max: 20,
    item: {
      kind: 'object',
      name: 'PermissionView',
      properties: {
        view: { kind: 'text', max: 80, doc: 'The page, as a link names it.' },
        label: { kind: 'text', max: 80 },
        verbs: {
          kind: 'list',
          item: { kind: 'choice', values: verbs },
          max: verbs.length,
          doc: 'What one can do there.',
        },
        groups: {
          kind: 'list',
          item: { kind: 'text', max: 80 },
          max: 20,
          doc: 'Groups of the contract whose operations it calls.',
        },
      },
    },
  },
};

const permissionViews = action(adminProfile, {
  name: 'permission-view-map',
  method: 'GET',
  path: '/permission-view-map',
  doc: 'Answer which pages and groups each permission key opens',
  result: {
    kind: 'object',
    name: 'PermissionViewMap',
    properties: {
      viewMap: { ...viewMapShape, doc: 'On a cell.' },
      ncmViewMap: { ...viewMapShape, doc: 'On a manager of cells, which has no devices of its own.' },
    },
  },
  async run() {
    return [permissionViewMap];
  },
});

export const adminProfileActions = [startNew, permissionViews];
