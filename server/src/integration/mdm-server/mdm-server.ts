import { collection, deletes } from '../../kernel/declare.ts';
import { eventType } from '../../kernel/event-type.ts';
import {
  choice,
  derived,
  flag,
  identity,
  integer,
  isSet,
  modified,
  observed,
  secret,
  text,
  version,
} from '../../kernel/field.ts';
import { never } from '../../kernel/time.ts';

const integration = 10;

/** Whoever reads the events learns that anybody on the way could be the MDM. */
export const mdmTlsUnverified = eventType({
  name: 'MDM_TLS_UNVERIFIED',
  description: 'An MDM server is asked without verifying its certificate: anybody on the way could be it.',
  category: 'INTEGRATION',
  elementType: integration,
  format: 'MDM server {element} is asked without verifying its certificate.',
  syslogSeverity: 4,
});

/** A mobile device management service, whose devices are registered here and whose verdict on them is read. */
export const mdmServer = collection({
  name: 'mdm-server',
  title: 'MDM server',
  path: '/settings/integration/mdm',
  permission: 'mdm-patch',
  doc: 'Mobile device management services whose devices are registered here and whose verdict on them is read.',
  identity: 'dbid',
  columns: ['dbid', 'name', 'pluginName', 'request', 'poll', 'pollInterval', 'lastSuccessfulPoll'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  events: { elementType: integration },
  example: {
    name: 'Phones and tablets',
    pluginName: 'JAMF_PRO',
    request: 'https://mdm.example.org/api',
    userID: 'portreeve',
    password: 'a-password-of-the-mdm',
  },
  fields: {
    dbid: identity(),
    name: text({ min: 1, max: 64, unique: true, search: true }),
    pluginName: choice(['GRAPH', 'JAMF_PRO', 'WORKSPACE_ONE', 'GENERIC_JSON'], { doc: 'Which interface it speaks.' }),
    request: text({
      max: 500,
      search: true,
      // No user, query or fragment: a credential in a URL would be listed, logged and audited.
      pattern: {
        source: '^https://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[^\\s?#]*)?$',
        words: 'a URL such as https://mdm.example.org/api, without user, query and fragment',
      },
      example: 'https://mdm.example.org/api',
      doc: 'Base URL of its interface.',
    }),
    identifier: text({ max: 255, default: '', doc: 'Tenant id or tenant code.' }),
    userID: text({ max: 255, default: '', doc: 'User name or OAuth client id.' }),
    password: secret({ max: 1_000, doc: 'Password or OAuth client secret.' }),
    passwordSet: isSet('password'),
    credentialText: secret({ max: 16_000, doc: 'Refresh token or JSON credentials.' }),
    credentialTextSet: isSet('credentialText'),
    platformID: text({ max: 255, default: '', doc: 'Platform id, where the plug-in asks for one.' }),
    appID: text({ max: 255, default: '', doc: 'Id under which this service is registered there.' }),
    appVersion: text({ max: 64, default: '', doc: 'Version it is registered with.' }),
    appAccessKey: secret({ max: 1_000, doc: 'Access key of that registration.' }),
    appAccessKeySet: isSet('appAccessKey'),
    poll: flag({ default: true, doc: 'Whether it is polled on its own.' }),
    pollInterval: integer({ min: 5, max: 10_080, default: 60, doc: 'Minutes between two polls.' }),
    onDemandRegistration: flag({ default: false, doc: 'Ask for an unknown MAC when it reaches the portal.' }),
    reValidation: flag({ default: false, doc: 'Ask again each time a host connects.' }),
    deleteOnRemove: flag({ default: false, doc: 'Delete hosts that it no longer lists.' }),
    updateApplications: flag({ default: false, doc: 'Read the applications of its devices, too.' }),
    complianceRetrieval: flag({ default: true, doc: 'Take over its verdict on compliance.' }),
    approvedOnly: flag({ default: false, doc: 'Register only devices that it has approved.' }),
    riskLevel: text({ max: 40, default: '', doc: 'Highest accepted risk level; empty: any.' }),
    sslVerifyCert: flag({ default: true, doc: 'Whether its certificate must be trusted; false raises an event.' }),
    sslVerifyHostname: flag({ default: true, doc: 'Whether its certificate must be for its host name.' }),
    option1: text({ max: 2_000, default: '', doc: 'Of the plug-in; GENERIC_JSON: path of the devices.' }),
    option2: text({ max: 2_000, default: '', doc: 'Of the plug-in; GENERIC_JSON: field map as JSON.' }),
    option3: text({ max: 2_000, default: '', doc: 'Of the plug-in; GENERIC_JSON: page parameter.' }),
    option4: text({ max: 2_000, default: '', doc: 'Of the plug-in; GENERIC_JSON: the value that means compliant.' }),
    lastPoll: observed<string>({ kind: 'time' }, never, 'When it was polled last; 1970: never.'),
    lastSuccessfulPoll: observed<string>({ kind: 'time' }, never, 'When a poll went through last; 1970: never.'),
    createDate: derived<string>({ kind: 'time' }, never, 'When the record was made.'),
    version,
    ...modified,
  },
});
