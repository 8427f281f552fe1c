import { action } from '../../context.ts';
import { inputShape } from '../../kernel/declare/declaration.ts';
import { permissionKeys, verbs } from '../../kernel/declare/permissions.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { adminProfile } from './admin-profile.ts';
import { shownPermissions } from './permission.ts';
import { permissionViewMap } from './permission-views.ts';

const { properties } = inputShape(adminProfile);

/** A profile without a name, as a template. */
const draftShape = {
  kind: 'object',
  name: 'NewAdminProfile',
  properties: { ...properties, name: { kind: 'text', max: 64, doc: 'Always empty; the client must set it.' } },
} as const satisfies ObjectShape;

/** Returns the empty value of a shape. */
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

/** Returns all fields for the form. Sent back with a name, they create the profile. */
const startNew = action(adminProfile, {
  name: 'new',
  method: 'GET',
  path: '/new',
  doc: 'Return a template for a new profile',
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

const viewMapShape = {
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
        view: { kind: 'text', max: 80, doc: 'Page name, as used in links.' },
        label: { kind: 'text', max: 80 },
        verbs: {
          kind: 'list',
          item: { kind: 'choice', values: verbs },
          max: verbs.length,
          doc: 'Possible actions on the page.',
        },
        groups: {
          kind: 'list',
          item: { kind: 'text', max: 80 },
          max: 20,
          doc: 'API groups that the page uses.',
        },
      },
    },
  },
} as const satisfies Shape;

const permissionViews = action(adminProfile, {
  name: 'permission-view-map',
  method: 'GET',
  path: '/permission-view-map',
  doc: 'Return the pages and API groups of each permission key',
  result: {
    kind: 'object',
    name: 'PermissionViewMap',
    properties: {
      viewMap: { ...viewMapShape, doc: 'Pages on a cell.' },
      ncmViewMap: { ...viewMapShape, doc: 'Pages on a manager of cells, which has no devices of its own.' },
    },
  },
  async run() {
    return [permissionViewMap];
  },
});

export const adminProfileActions = [startNew, permissionViews];
