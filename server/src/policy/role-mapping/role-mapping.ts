import { collection, deletes, ranking } from '../../kernel/declare/declaration.ts';
import { choice, rank, reference } from '../../kernel/declare/field.ts';
import { accessValueField } from '../access-value/access-value.ts';
import { connectionChange } from '../connection-change/connection-change.ts';
import { configurationFields, policiesMax, policyEvents, where } from '../criteria/criteria.ts';

/** A ranked rule that gives devices such as printers and phones access by role and place, before access policies. */
export const roleMapping = collection({
  name: 'role-mapping',
  title: 'Role mapping',
  path: '/policy/role-mapping',
  permission: 'roles',
  doc: 'Rules that give devices access by role and place, before access policies. The first by rank that matches applies.',
  columns: ['id', 'rank', 'name', 'roleID', 'appliesTo', 'accessConfigurationID', 'note'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes, ...ranking],
  events: policyEvents,
  recordsMax: policiesMax,
  example: {
    name: 'Printers on the first floor',
    roleID: 1,
    where: { ssids: ['printers'] },
    directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' },
  },
  deciding: {
    fields: ['name', 'rank', 'roleID', 'where', 'appliesTo', 'accessConfigurationID', 'directConfiguration'],
    impact: connectionChange,
  },
  fields: {
    ...configurationFields,
    rank,
    roleID: reference('role', 'restrict', { doc: 'Role that the host must have.' }),
    where,
    appliesTo: choice(['DEVICES', 'ALL'], {
      default: 'DEVICES',
      doc: 'DEVICES: registered devices, IP phones and devices in the topology; ALL: every host with the role.',
      help: 'Devices: registered devices, IP phones and devices in the topology. All: every host with the role.',
    }),
    accessConfigurationID: reference('access-configuration', 'restrict', {
      nullable: true,
      doc: 'Access that the mapping grants; null: directConfiguration is used instead.',
      help: 'Access to grant. Empty if you enter a direct configuration.',
    }),
    directConfiguration: accessValueField('Value that the mapping grants instead of an access configuration.'),
  },
});
