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

const waitsForMdm = 'MDM servers are polled';

/** Refuses settings with effects on hosts until they are supported, so that no administrator relies on them. */
const unsupported = <F extends Field>(field: F): F => notYet(field, waitsForMdm);

/** The fields that determine which server receives the credentials, for which account, and whether its certificate is verified. */
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

/** A mobile device management service, whose devices are registered here with their compliance state. */
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
      waitsForMdm,
    ),
    request: withoutEffect(
      text({
        max: 500,
        search: true,
        // No user, query or fragment: a credential in a URL would appear in lists, logs and audit rows.
        pattern: {
          source: '^https://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(/[^\\s?#]*)?$',
          words: 'a URL such as https://mdm.example.org/api, without user, query and fragment',
        },
        example: 'https://mdm.example.org/api',
        doc: 'Base URL of its API.',
      }),
      waitsForMdm,
    ),
    identifier: withoutEffect(text({ max: 255, default: '', doc: 'Tenant id or tenant code.' }), waitsForMdm),
    userID: withoutEffect(text({ max: 255, default: '', doc: 'User name or OAuth client id.' }), waitsForMdm),
    password: withoutEffect(
      secret({ max: 1_000, boundTo: login, doc: 'Password or OAuth client secret.' }),
      waitsForMdm,
    ),
    passwordSet: isSet('password'),
    credentialText: withoutEffect(
      secret({ max: 16_000, boundTo: login, doc: 'Refresh token or JSON credentials.' }),
      waitsForMdm,
    ),
    credentialTextSet: isSet('credentialText'),
    platformID: withoutEffect(
      text({ max: 255, default: '', doc: 'Platform id, if the plug-in needs one.' }),
      waitsForMdm,
    ),
    appID: withoutEffect(
      text({ max: 255, default: '', doc: 'Id of this service as an application on the server.' }),
      waitsForMdm,
    ),
    appVersion: withoutEffect(text({ max: 64, default: '', doc: 'Version of that application.' }), waitsForMdm),
    appAccessKey: withoutEffect(
      secret({ max: 1_000, boundTo: login, doc: 'Access key of that application.' }),
      waitsForMdm,
    ),
    appAccessKeySet: isSet('appAccessKey'),
    poll: withoutEffect(flag({ default: true, doc: 'Whether it is polled periodically.' }), waitsForMdm),
    pollInterval: withoutEffect(
      integer({ min: 5, max: 10_080, default: 60, doc: 'Minutes between two polls.' }),
      waitsForMdm,
    ),
    onDemandRegistration: unsupported(
      flag({ default: false, doc: 'Query the server for an unknown MAC address that reaches the portal.' }),
    ),
    reValidation: unsupported(flag({ default: false, doc: 'Query the server each time a host connects.' })),
    deleteOnRemove: unsupported(flag({ default: false, doc: 'Delete hosts that it no longer lists.' })),
    updateApplications: unsupported(flag({ default: false, doc: 'Also read the applications of its devices.' })),
    complianceRetrieval: withoutEffect(flag({ default: true, doc: 'Use its compliance state.' }), waitsForMdm),
    approvedOnly: unsupported(flag({ default: false, doc: 'Register only devices that it has approved.' })),
    riskLevel: unsupported(text({ max: 40, default: '', doc: 'Highest accepted risk level; empty: any.' })),
    sslVerifyCert: withoutEffect(
      flag({ default: true, doc: 'Whether its certificate must be trusted; false raises an event.' }),
      waitsForMdm,
    ),
    sslVerifyHostname: withoutEffect(
      flag({ default: true, doc: 'Whether its certificate must be for its host name.' }),
      waitsForMdm,
    ),
    option1: withoutEffect(
      text({ max: 2_000, default: '', doc: 'Option of the plug-in; GENERIC_JSON: path of the devices.' }),
      waitsForMdm,
    ),
    option2: withoutEffect(
      text({ max: 2_000, default: '', doc: 'Option of the plug-in; GENERIC_JSON: field map as JSON.' }),
      waitsForMdm,
    ),
    option3: withoutEffect(
      text({ max: 2_000, default: '', doc: 'Option of the plug-in; GENERIC_JSON: page parameter.' }),
      waitsForMdm,
    ),
    option4: withoutEffect(
      text({
        max: 2_000,
        default: '',
        doc: 'Option of the plug-in; GENERIC_JSON: the value that means compliant.',
      }),
      waitsForMdm,
    ),
    lastPoll: observed<string>({ kind: 'time' }, never, 'Last poll; 1970: never.'),
    lastSuccessfulPoll: observed<string>({ kind: 'time' }, never, 'Last successful poll; 1970: never.'),
    createDate: derived<string>({ kind: 'time' }, never, 'When the record was created.'),
    version,
    ...modified,
  },
});
