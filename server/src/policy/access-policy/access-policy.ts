import { collection, type RowOf } from '../../kernel/declare/declaration.ts';
import { computed, reference } from '../../kernel/declare/field.ts';
import { connectionChange } from '../connection-change/connection-change.ts';
import {
  policiesMax,
  policyColumns,
  policyEvents,
  policyFields,
  policyLabels,
  policyPatterns,
} from '../criteria/criteria.ts';

/** A ranked rule: conditions, and the access configuration that connections get if the conditions match. */
export const accessPolicy = collection({
  name: 'access-policy',
  title: 'Access policy',
  path: '/policy/access',
  permission: 'policy-access',
  doc: 'Rules that grant access by user, host, place and time. The first enabled policy by rank that matches applies.',
  columns: [...policyColumns, 'accessConfigurationName'],
  labels: policyLabels,
  patterns: policyPatterns,
  events: policyEvents,
  recordsMax: policiesMax,
  example: {
    name: 'Laptops of staff',
    criteria: {
      who: {
        roles: ['NAC-Default'],
        attributes: [{ conditions: [{ attribute: 'host.operatingSystem', op: 'LIKE', value: 'Windows*' }] }],
      },
    },
    accessConfigurationID: 1,
  },
  deciding: { fields: ['name', 'rank', 'enabled', 'criteria', 'accessConfigurationID'], impact: connectionChange },
  fields: {
    ...policyFields('access_policy'),
    accessConfigurationID: reference('access-configuration', 'restrict', {
      doc: 'The access configuration that matching connections get.',
      help: 'Access that matching connections get.',
    }),
    accessConfigurationName: {
      ...computed<string>(
        { kind: 'text', max: 120 },
        '(select c.name from access_configuration c where c.id = r.access_configuration_id)',
        { doc: 'Name of the access configuration.' },
      ),
      via: 'accessConfigurationID.name',
    },
  },
});

declare module '../../database.ts' {
  interface Database {
    access_policy: RowOf<typeof accessPolicy>;
  }
}
