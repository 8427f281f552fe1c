import { auditFields, collection, deletes } from '../../kernel/declare/declaration.ts';
import {
  computed,
  derived,
  type Field,
  field,
  flag,
  identity,
  integer,
  landscape,
  list,
  modified,
  rank,
  reference,
  text,
  version,
  withoutEffect,
} from '../../kernel/declare/field.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { weeklySchedule } from '../../kernel/declare/weekly-schedule.ts';
import { methodData } from './methods.ts';

const { auditObjectName, auditObjectType } = auditFields('device-profiling-rule');
const counted = { kind: 'integer', min: 0, max: 2_147_483_647 } as const;

/** A device type as it is shown in other records. */
export interface TypeShown {
  name: string;
  tag: string;
  imageFile: string;
  id: number;
}

/** One criterion by which a rule recognises a device. */
export interface Method {
  enabled: boolean;
  methodType: { id: number; name: string; shortName: string };
  version: number;
  encrypted: boolean;
  priority: number;
  methodTypeString: string;
  data: Record<string, unknown>;
}

/** The action for a host that fails revalidation. */
interface FailedValidationAction {
  disable: boolean;
  version: number;
}

const typeSubquery = (expression: string) =>
  `(select ${expression} from device_type t where t.id = (r.type ->> 'id')::bigint)`;

/** The record shows the device type as an object. Only the id is stored, so that it always shows the current name. */
const deviceType: Field<TypeShown> = {
  ...field<TypeShown>(
    {
      kind: 'object',
      name: 'DeviceTypeShown',
      doc: 'Device type assigned on a match; on write selected by id or tag.',
      properties: {
        name: { kind: 'text', max: 64 },
        tag: { kind: 'text', max: 40 },
        imageFile: { kind: 'text', max: 500 },
        id: shapes.count,
      },
    },
    {
      sql: typeSubquery(`jsonb_build_object('name', t.name, 'tag', t.tag, 'imageFile', t.image_file, 'id', t.id)`),
      nestedReferences: [{ path: ['id'], to: 'device-type', onDelete: 'restrict' }],
      store: (value) => ({ id: (value as TypeShown).id }),
    },
  ),
  propertySql: {
    name: typeSubquery('t.name'),
    tag: typeSubquery('t.tag'),
    imageFile: typeSubquery('t.image_file'),
    id: typeSubquery('t.id'),
  },
};

const method = {
  kind: 'object',
  name: 'ProfilingMethod',
  required: ['methodType'],
  properties: {
    enabled: { kind: 'flag', absent: true, doc: 'All enabled methods must match.' },
    methodType: {
      kind: 'object',
      name: 'ProfilingMethodType',
      doc: 'On write, one of the three is enough.',
      properties: {
        id: { kind: 'integer', min: 1, max: 17 },
        name: { kind: 'text', max: 40 },
        shortName: { kind: 'text', max: 10 },
      },
    },
    version: { ...counted, doc: 'Stored as sent.' },
    encrypted: { kind: 'flag', doc: 'Whether data contains a secret; set by the service.' },
    priority: { ...counted, doc: 'Order of evaluation, cheap ones first; set by the service.' },
    methodTypeString: { kind: 'text', max: 10, doc: 'Short name of the type; set by the service.' },
    data: methodData,
  },
} as const satisfies ObjectShape;

const noAction: FailedValidationAction = { disable: false, version: 0 };

const failedValidationAction: Field<FailedValidationAction> = {
  ...field<FailedValidationAction>(
    {
      kind: 'object',
      name: 'FailedValidationAction',
      properties: {
        disable: { kind: 'flag', doc: 'Disable the host.' },
        version: { ...counted, doc: 'Stored as sent.' },
      },
    },
    { default: noAction, doc: 'Action for a host that fails revalidation.' },
  ),
  merge: (requested, before) => ({ ...((before ?? noAction) as FailedValidationAction), ...(requested as object) }),
};

const run = 'profiling rules are run';

const policyRecord = 9;

/** The rules that recognise rogues and define how they are registered. */
export const deviceProfilingRule = collection({
  name: 'device-profiling-rule',
  title: 'Device profiling rule',
  path: '/host/device-profiling-rule',
  permission: 'device-profiling',
  doc: 'Rules that classify unknown devices; the first match by rank applies.',
  columns: ['id', 'rank', 'name', 'enabled', 'state', 'role', 'methodSummaryString'],
  patterns: [
    'list',
    'fetch',
    'count',
    'countAll',
    'usageByPost',
    'create',
    'update',
    ...deletes,
    'enable',
    'disable',
    'rankSwap',
  ],
  paths: { rankSwap: '/swap-rule-ranks' },
  events: { elementType: policyRecord },
  scopedBy: { selected: true },
  example: {
    name: 'Label printers',
    type: { tag: 'printer' },
    role: 'NAC-Default',
    methods: [
      { methodType: { shortName: 'OUI' }, data: { filters: [{ field: 'vendorName', value: 'Zebra*' }] } },
      { methodType: { shortName: 'TCP' }, data: { ports: '9100' } },
    ],
  },
  sections: {
    Rule: ['name', 'description', 'enabled', 'rank', 'type', 'tags'],
    Methods: ['methods'],
    Registration: [
      'registerAutomatically',
      'registerClient',
      'registerToLoggedInUser',
      'registerToUser',
      'notify',
      'sponsorNote',
      'role',
      'addToGroup',
      'groupId',
      'addToDomain',
      'domainId',
    ],
    Hours: ['weeklySchedule'],
    Revalidation: ['reValidation', 'reValidationInterval', 'failedValidationAction'],
  },
  units: { reValidationInterval: 'min' },
  fields: {
    landscape,
    id: identity(),
    name: text({ min: 1, max: 120, unique: true, search: true }),
    type: withoutEffect(deviceType, run),
    notify: withoutEffect(flag({ default: false, doc: 'Send mail to the sponsors who may manage this rule.' }), run),
    registerAutomatically: withoutEffect(
      flag({
        default: true,
        doc: 'True: register on a match; false: record the match, and an administrator registers the device.',
      }),
      run,
    ),
    registerClient: withoutEffect(flag({ default: true, doc: 'Register matching devices.' }), run),
    registerToLoggedInUser: withoutEffect(flag({ default: false, doc: 'Register to the logged-on user.' }), run),
    role: withoutEffect(
      reference('role', 'restrict', { by: 'name', empty: true, doc: 'Role to assign; empty: none.' }),
      run,
    ),
    addToGroup: withoutEffect(flag({ default: false, doc: 'Add the host to the group groupId.' }), run),
    groupId: withoutEffect(
      reference('group', 'restrict', { empty: true, where: { type: 'HOST' }, doc: 'Host group; 0: none.' }),
      run,
    ),
    addToDomain: withoutEffect(
      flag({ default: false, doc: 'Add the host to the container domainId as a pingable device.' }),
      run,
    ),
    domainId: withoutEffect(reference('container', 'restrict', { empty: true, doc: 'Container; 0: none.' }), run),
    state: derived<string>(
      { kind: 'choice', values: ['ACTIVE', 'DISABLED', 'INVALID'] },
      'DISABLED',
      'INVALID: enabled, but a reference or a secret is missing; it is skipped.',
    ),
    version,
    rank: withoutEffect(rank, run),
    enabled: withoutEffect(flag({ default: false, doc: 'New rules are disabled by default.' }), run),
    methods: withoutEffect(
      list<Method>(
        { item: method, max: 17, key: 'methodType.id' },
        {
          default: [],
          nestedReferences: [
            { path: ['*', 'data', 'mdmID'], to: 'mdm-server', onDelete: 'restrict' },
            { path: ['*', 'data', 'addressGroupID'], to: 'network-address-group', onDelete: 'restrict' },
            { path: ['*', 'data', 'containerIDs', '*'], to: 'container', onDelete: 'set null' },
            {
              path: ['*', 'data', 'deviceGroupIDs', '*'],
              to: 'group',
              onDelete: 'restrict',
              where: { type: 'DEVICE' },
            },
            { path: ['*', 'data', 'portGroupIDs', '*'], to: 'group', onDelete: 'restrict', where: { type: 'PORT' } },
          ],
          doc: 'Matching methods: all enabled ones must match. Each type at most once.',
        },
      ),
      run,
    ),
    description: text({ max: 2_000, default: '', search: true }),
    sponsorNote: withoutEffect(
      text({ max: 2_000, default: '', doc: 'Note for the sponsors who are notified of a match.' }),
      run,
    ),
    weeklySchedule: weeklySchedule('weeklySchedule', 'When devices matched by this rule may use the network.'),
    reValidation: withoutEffect(flag({ default: false, doc: 'Revalidate the device each time it connects.' }), run),
    reValidationInterval: withoutEffect(
      integer({
        min: 0,
        max: 525_600,
        default: 0,
        doc: 'Minutes between revalidations; 0: only when it connects.',
      }),
      run,
    ),
    failedValidationAction: withoutEffect(failedValidationAction, run),
    ...modified,
    guid: computed<number>(counted, '0', { doc: 'Assigned by a manager of several cells; 0: created here.' }),
    globalModifiedDate: computed<string>({ kind: 'time' }, `'epoch'::timestamptz`, {
      doc: 'Last change by a manager; 1970: never.',
    }),
    registerToUser: withoutEffect(text({ max: 120, default: '', doc: 'User to register to; empty: none.' }), run),
    tags: list<string>({ item: { kind: 'text', min: 1, max: 80 }, max: 50 }, { default: [] }),
    auditObjectName,
    auditObjectType,
    modifyAuditSummary: computed<string>(
      { kind: 'text', max: 700 },
      `case when r.audit_action = 'ADD' then '' else r.name || ': ' || r.audit_text end`,
      { doc: 'Summary of the last change from the audit log; empty: none yet.' },
    ),
    addAuditSummary: computed<string>({ kind: 'text', max: 300 }, `r.name || ': added'`, {
      doc: 'Audit record of its creation.',
    }),
    catchAll: derived<boolean>(
      { kind: 'flag' },
      false,
      'The built-in last rule: it matches if no other rule matches, and has no methods.',
    ),
    methodSummaryString: derived<string>(
      { kind: 'text', max: 3_000 },
      '',
      'Summary of its enabled methods, such as OUI, DHCP, TCP 9100.',
    ),
  },
});
