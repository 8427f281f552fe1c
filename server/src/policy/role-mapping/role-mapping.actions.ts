import { action } from '../../context.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { choicesOf } from '../access-configuration/access-configuration.service.ts';
import { devicesQuery, directValueShape } from '../access-value/access-value.ts';
import { placeChoices } from '../criteria/criteria.service.ts';
import { placeChoiceShapes } from '../criteria/criteria.ts';
import { accessTypes } from '../decide/decide.service.ts';
import { governedBy } from './membership.ts';
import { roleMapping } from './role-mapping.ts';

const { id, text } = shapes;

const supportingInfo = action(roleMapping, {
  name: 'supporting-info',
  method: 'GET',
  path: '/supporting-info',
  doc: 'Return the choices for a role mapping form',
  result: {
    kind: 'object',
    name: 'RoleMappingSupportingInfo',
    properties: {
      ...placeChoiceShapes,
      accessTypes: { kind: 'list', item: { kind: 'choice', values: accessTypes }, max: accessTypes.length },
    },
  } as const satisfies ObjectShape,
  async run(_call, context) {
    return [{ ...(await placeChoices(context)), accessTypes }];
  },
});

const membership = action(roleMapping, {
  name: 'membership',
  method: 'GET',
  path: '/membership',
  doc: 'List the connected hosts that role mappings decide',
  transaction: false,
  query: { id: { shape: { ...id, doc: 'Id of one role mapping. Absent: all.' } } },
  result: {
    kind: 'object',
    name: 'RoleMappingMember',
    columns: ['mappingID', 'elementName', 'mac', 'location', 'role', 'expectedValue', 'appliedValue', 'inForce'],
    properties: {
      mappingID: id,
      elementType: { kind: 'choice', values: ['HOST'] },
      elementID: { ...id, nullable: true, doc: 'The host; null: the caller has no right to view hosts.' },
      elementName: {
        ...text(255),
        nullable: true,
        doc: 'Name of the host, or its MAC address; null: the caller has no right to view hosts.',
      },
      mac: {
        kind: 'mac',
        nullable: true,
        doc: 'MAC address of the adapter; null: the caller has no right to view hosts.',
      },
      location: { ...text(400), nullable: true, doc: 'Device and port; null: not visible.' },
      role: text(120),
      expectedValue: { ...text(253), nullable: true, doc: 'Value that was decided; null: none at this place.' },
      appliedValue: { ...text(64), nullable: true, doc: 'Current VLAN.' },
      inForce: { kind: 'flag', doc: 'True: the current VLAN is the decided value.' },
    },
  } as const satisfies ObjectShape,
  errors: ['not-found'],
  run: ({ query, nowMs, caller }, context) => governedBy(context, caller.rights, query.id, nowMs),
});

const directConfiguration = action(roleMapping, {
  name: 'direct-configuration',
  method: 'GET',
  path: '/direct-configuration',
  doc: 'List the VLANs of devices and the direct values in use',
  query: devicesQuery,
  result: directValueShape,
  run: ({ query }, context) =>
    choicesOf(
      context,
      query,
      'select m.direct_configuration from role_mapping m where m.direct_configuration is not null',
    ),
});

export const roleMappingActions = [supportingInfo, membership, directConfiguration];
