import { collection, deletes } from '../../kernel/declare/declaration.ts';
import {
  choice,
  derived,
  type Field,
  flag,
  identity,
  integer,
  isSet,
  modified,
  notYet,
  observed,
  secret,
  text,
  version,
  withoutEffect,
} from '../../kernel/declare/field.ts';
import { never } from '../../kernel/values/time.ts';

const integration = 10;

const asked = 'MDM servers are asked';

/** An act on hosts: nobody may believe that it is done. */
const refused = <F extends Field>(field: F): F => notYet(field, asked);

/** What decides which server gets the credentials, for which account, and whether its certificate is verified before. */
const login = [
  'pluginName',
  'request',
  'identifier',
  'userID',
  'platformID',
  'appID',
  { pin: 'sslVerifyCert' },
  { pin: 'sslVerifyHostname' },
] as const;

/** A mobile device management service, whose devices are registered here and whose verdict on them is read. */
export const mdmServer = collection({
  name: 'mdm-server',
  title: 'MDM server',
  path: '/settings/integration/mdm',
  permission: 'mdm-patch',
  doc: 'Mobile device management servers whose devices are registered here and whose compliance state is read.',
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
  sections: {
    Server: ['name', 'pluginName', 'request', 'identifier'],
    Credentials: ['userID', 'password', 'credentialText', 'platformID', 'appID', 'appVersion', 'appAccessKey'],
    Polling: ['poll', 'pollInterval', 'lastPoll', 'lastSuccessfulPoll'],
    Hosts: [
      'onDemandRegistration',
      'reValidation',
      'deleteOnRemove',
      'updateApplications',
      'complianceRetrieval',
      'approvedOnly',
      'riskLevel',
    ],
    Connection: ['sslVerifyCert', 'sslVerifyHostname'],
    Options: ['option1', 'option2', 'option3', 'option4'],
  },
  units: { pollInterval: 'min' },
  fields: {
    dbid: identity(),
    name: text({ min: 1, max: 64, unique: true, search: true }),
    pluginName: withoutEffect(
      choice(['GRAPH', 'JAMF_PRO', 'WORKSPACE_ONE', 'GENERIC_JSON'], { doc: 'API of the server.' }),
      asked,
    ),
    request: withoutEffect(
      text({
        max: 500,
        search: true,
        // No user, query or fragment: a credential in a URL would be listed, logged and audited.
        pattern: {
          source: '^https://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[^\\s?#]*)?$',
          words: 'a URL such as https://mdm.example.org/api, without user, query and fragment',
        },
        example: 'https://mdm.example.org/api',
        doc: 'Base URL of its API.',
      }),
      asked,
    ),
    identifier: withoutEffect(text({ max: 255, default: '', doc: 'Tenant id or tenant code.' }), asked),
    userID: withoutEffect(text({ max: 255, default: '', doc: 'User name or OAuth client id.' }), asked),
    password: withoutEffect(secret({ max: 1_000, boundTo: login, doc: 'Password or OAuth client secret.' }), asked),
    passwordSet: isSet('password'),
    credentialText: withoutEffect(
      secret({ max: 16_000, boundTo: login, doc: 'Refresh token or JSON credentials.' }),
      asked,
    ),
    credentialTextSet: isSet('credentialText'),
    platformID: withoutEffect(text({ max: 255, default: '', doc: 'Platform id, if the plug-in needs one.' }), asked),
    appID: withoutEffect(
      text({ max: 255, default: '', doc: 'Id of this service as an application on the server.' }),
      asked,
    ),
    appVersion: withoutEffect(text({ max: 64, default: '', doc: 'Version of that application.' }), asked),
    appAccessKey: withoutEffect(secret({ max: 1_000, boundTo: login, doc: 'Access key of that application.' }), asked),
    appAccessKeySet: isSet('appAccessKey'),
    poll: withoutEffect(flag({ default: true, doc: 'Whether it is polled periodically.' }), asked),
    pollInterval: withoutEffect(
      integer({ min: 5, max: 10_080, default: 60, doc: 'Minutes between two polls.' }),
      asked,
    ),
    onDemandRegistration: refused(
      flag({ default: false, doc: 'Query the server for an unknown MAC address that reaches the portal.' }),
    ),
    reValidation: refused(flag({ default: false, doc: 'Query the server each time a host connects.' })),
    deleteOnRemove: refused(flag({ default: false, doc: 'Delete hosts that it no longer lists.' })),
    updateApplications: refused(flag({ default: false, doc: 'Also read the applications of its devices.' })),
    complianceRetrieval: withoutEffect(flag({ default: true, doc: 'Use its compliance state.' }), asked),
    approvedOnly: refused(flag({ default: false, doc: 'Register only devices that it has approved.' })),
    riskLevel: refused(text({ max: 40, default: '', doc: 'Highest accepted risk level; empty: any.' })),
    sslVerifyCert: withoutEffect(
      flag({ default: true, doc: 'Whether its certificate must be trusted; false raises an event.' }),
      asked,
    ),
    sslVerifyHostname: withoutEffect(
      flag({ default: true, doc: 'Whether its certificate must be for its host name.' }),
      asked,
    ),
    option1: withoutEffect(
      text({ max: 2_000, default: '', doc: 'Option of the plug-in; GENERIC_JSON: path of the devices.' }),
      asked,
    ),
    option2: withoutEffect(
      text({ max: 2_000, default: '', doc: 'Option of the plug-in; GENERIC_JSON: field map as JSON.' }),
      asked,
    ),
    option3: withoutEffect(
      text({ max: 2_000, default: '', doc: 'Option of the plug-in; GENERIC_JSON: page parameter.' }),
      asked,
    ),
    option4: withoutEffect(
      text({
        max: 2_000,
        default: '',
        doc: 'Option of the plug-in; GENERIC_JSON: the value that means compliant.',
      }),
      asked,
    ),
    lastPoll: observed<string>({ kind: 'time' }, never, 'Last poll; 1970: never.'),
    lastSuccessfulPoll: observed<string>({ kind: 'time' }, never, 'Last successful poll; 1970: never.'),
    createDate: derived<string>({ kind: 'time' }, never, 'When the record was created.'),
    version,
    ...modified,
  },
});
