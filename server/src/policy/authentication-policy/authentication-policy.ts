import { collection } from '../../kernel/declare/declaration.ts';
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

/** A ranked rule that assigns an authentication configuration to hosts. */
export const authenticationPolicy = collection({
  name: 'authentication-policy',
  title: 'Authentication policy',
  path: '/policy/authentication',
  permission: 'policy-authentication',
  doc: 'Rules that decide which hosts must authenticate, and how. The first enabled policy by rank that matches applies.',
  columns: [...policyColumns, 'authenticationConfigurationName'],
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
    authenticationConfigurationID: 1,
  },
  deciding: {
    fields: ['name', 'rank', 'enabled', 'criteria', 'authenticationConfigurationID'],
    impact: connectionChange,
  },
  fields: {
    ...policyFields('authentication_policy'),
    authenticationConfigurationID: reference('authentication-configuration', 'restrict', {
      doc: 'The authentication configuration of matching hosts.',
      help: 'Authentication that is required from matching hosts.',
    }),
    authenticationConfigurationName: {
      ...computed<string>(
        { kind: 'text', max: 120 },
        '(select c.name from authentication_configuration c where c.id = r.authentication_configuration_id)',
        { doc: 'Name of the authentication configuration.' },
      ),
      via: 'authenticationConfigurationID.name',
    },
  },
});
