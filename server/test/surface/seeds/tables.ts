/*
 * The tables of the specification (seeds, document 1), typed by hand from its text and in its order. They are not
 * derived from our declarations, which these tests check.
 */

/**
 * The type of a field in a table of the specification. `unknown`: "Types … not shown". `ours`: an object that the
 * specification does not have.
 */
export type Kind =
  | 'integer'
  | 'decimal'
  | 'string'
  | 'boolean'
  | 'timestamp'
  | 'container timestamp'
  | 'unknown'
  | 'ours'
  | { object: Table }
  | { arrayOf: Kind };

export type Table = readonly (readonly [name: string, kind: Kind, nullable?: 'nullable'])[];

/** Response envelope of a write. */
export const writeEnvelope: Table = [
  ['status', 'string'],
  ['errorMessage', 'string', 'nullable'],
];

/** Response envelope of a read operation. */
export const readEnvelope = (record: Table): Table => [
  ['status', 'string'],
  ['errorMessage', 'string', 'nullable'],
  ['results', { arrayOf: { object: record } }],
];

/** Response envelope of a list or count operation. */
export const listEnvelope = (record: Table): Table => [
  ['status', 'string'],
  ['errorMessage', 'string', 'nullable'],
  ['results', { arrayOf: { object: record } }],
  ['filtered', 'integer'],
  ['total', 'integer'],
];

const auditObjectType: Table = [
  ['auditTableName', 'string'],
  ['dbTableName', 'string'],
  ['idnameQuery', 'string'],
];

const auditObject: Table = [
  ['user', 'string'],
  ['action', 'string'],
  ['timestamp', 'timestamp'],
  [
    'liveObj',
    {
      object: [
        ['yamsEventTag', 'string'],
        ['auditObj', 'string'],
      ],
    },
  ],
  ['auditDBID', 'integer'],
  ['liveDBID', 'integer'],
  ['yamsEventTag', 'string'],
  ['auditObj', 'string'],
];

/** Event object (embedded in a container). */
const eventObject: Table = [
  ['landscape', 'integer'],
  ['id', 'integer'],
  ['state', 'integer'],
  ['name', 'string'],
  ['elementType', 'integer'],
  ['elementID', 'integer'],
  ['elementName', 'string', 'nullable'],
  ['message', 'string', 'nullable'],
  ['timeOfEvent', 'container timestamp'],
  ['version', 'decimal'],
  ['time', 'integer'],
  ['empty', 'boolean'],
  ['eventFormatString', 'string'],
];

export const containerRecord: Table = [
  ['landscape', 'integer'],
  ['id', 'integer'],
  ['state', 'integer'],
  ['elementClass', 'integer'],
  ['role', 'unknown', 'nullable'],
  ['name', 'string'],
  ['type', 'unknown', 'nullable'],
  ['protocol', 'unknown', 'nullable'],
  ['status', 'integer'],
  ['parent', 'string'],
  ['suffix', 'unknown', 'nullable'],
  ['version', 'decimal'],
  ['notes', 'unknown', 'nullable'],
  ['description', 'unknown', 'nullable'],
  ['group', 'unknown', 'nullable'],
  ['pollingInterval', 'integer'],
  ['lastPoll', 'container timestamp', 'nullable'],
  ['lastSuccessfulPoll', 'container timestamp'],
  ['mibs', { arrayOf: 'unknown' }],
  ['destroyEvent', { object: eventObject }],
  ['creationEvent', { object: eventObject }],
  ['establishedEvent', { object: eventObject }],
  ['lostEvent', { object: eventObject }],
  ['changeMask', 'integer'],
  ['attributeNames', { arrayOf: 'unknown' }],
  ['physicalAddress', 'unknown', 'nullable'],
  ['sysOid', 'unknown', 'nullable'],
  ['packedVersion', 'decimal'],
  ['auditObjectName', 'string'],
  ['auditObjectType', { object: auditObjectType }],
  ['addAuditSummary', 'string'],
  ['domainName', 'string'],
  ['identification', 'string'],
  ['requestString', 'string'],
  ['attribute', { arrayOf: 'unknown' }],
  ['lastChangeMask', 'integer'],
];

/** Names of the events that a container embeds. */
export const containerEventNames = {
  destroyEvent: 'DOMAIN_DESTROYED',
  creationEvent: 'DOMAIN_CREATED',
  establishedEvent: 'CONTACT_ESTABLISHED',
  lostEvent: 'CONTACT_LOST',
};

export const aaaServerRecord: Table = [
  ['id', 'integer'],
  ['name', 'string'],
  ['netId', 'string'],
  ['authPort', 'integer'],
  ['acctPort', 'integer'],
  ['checkUser', 'string'],
  ['lastModifiedBy', 'string'],
  ['lastModifiedDate', 'timestamp'],
  ['flrPriority', 'integer'],
  ['localClientDefault', 'boolean'],
];

const groupListItem: Table = [
  ['directoryAgentGroupListItemID', 'integer'],
  ['addGroupID', 'integer'],
  ['addGroupName', 'string'],
  ['config', 'string'],
];

export const directoryAgentRecord: Table = [
  ['dbid', 'integer'],
  ['rank', 'integer'],
  ['version', 'integer'],
  ['lastModifiedBy', 'string'],
  ['lastModifiedDate', 'timestamp'],
  ['name', 'string'],
  ['registerRogue', 'boolean'],
  ['registerByUser', 'boolean'],
  ['appliedGroupName', 'string'],
  ['addGroupList', { arrayOf: { object: groupListItem } }],
  ['addGroupListCopy', { arrayOf: { object: groupListItem } }],
  ['policyName', 'string'],
  ['scanGraceLength', 'integer'],
  ['enabled', 'boolean'],
  ['debug', 'boolean'],
  ['yamsEventTag', 'string'],
  ['auditObj', { object: auditObject }],
  ['addToGroupIDs', { arrayOf: 'integer' }],
  ['addToGroupNames', { arrayOf: 'string' }],
  ['auditObjectName', 'string'],
  ['auditObjectType', { object: auditObjectType }],
];

export const mdmUsageEntry: Table = [
  ['name', 'string'],
  ['children', { arrayOf: 'string' }],
];

const methodObject: Table = [
  ['enabled', 'boolean'],
  [
    'methodType',
    {
      object: [
        ['id', 'integer'],
        ['name', 'string'],
        ['shortName', 'string'],
      ],
    },
  ],
  ['version', 'integer'],
  ['encrypted', 'boolean'],
  ['priority', 'integer'],
  ['methodTypeString', 'string'],
  // Not in the specification; without it no method could have parameters.
  ['data', 'ours'],
];

const weeklySchedule: Table = [
  ['version', 'integer'],
  ['startTimeOfDay', 'integer'],
  ['endTimeOfDay', 'integer'],
  ['daysOfWeek', 'integer'],
  ['validTime', 'boolean'],
  ['alwaysOn', 'boolean'],
  ['startTimeOfDayAM', 'boolean'],
  ['endTimeOfDayAM', 'boolean'],
  ['startTimeOfDayHours', 'integer'],
  ['endTimeOfDayHours', 'integer'],
  ['startTimeOfDayMinutes', 'integer'],
  ['endTimeOfDayMinutes', 'integer'],
];

export const deviceProfilingRuleRecord: Table = [
  ['landscape', 'integer'],
  ['id', 'integer'],
  ['name', 'string'],
  [
    'type',
    {
      object: [
        ['name', 'string'],
        ['tag', 'string'],
        ['imageFile', 'string'],
        ['id', 'integer'],
      ],
    },
  ],
  ['notify', 'boolean'],
  ['registerAutomatically', 'boolean'],
  ['registerClient', 'boolean'],
  ['registerToLoggedInUser', 'boolean'],
  ['role', 'string'],
  ['addToGroup', 'boolean'],
  ['groupId', 'integer'],
  ['addToDomain', 'boolean'],
  ['domainId', 'integer'],
  ['state', 'string'],
  ['version', 'integer'],
  ['rank', 'integer'],
  ['enabled', 'boolean'],
  ['methods', { arrayOf: { object: methodObject } }],
  ['description', 'string'],
  ['sponsorNote', 'string'],
  ['weeklySchedule', { object: weeklySchedule }],
  ['reValidation', 'boolean'],
  ['reValidationInterval', 'integer'],
  [
    'failedValidationAction',
    {
      object: [
        ['disable', 'boolean'],
        ['version', 'integer'],
      ],
    },
  ],
  ['lastModifiedBy', 'string'],
  ['lastModifiedDate', 'timestamp'],
  ['guid', 'integer'],
  ['globalModifiedDate', 'timestamp'],
  ['registerToUser', 'string'],
  ['tags', { arrayOf: 'string' }],
  ['auditObjectName', 'string'],
  ['auditObjectType', { object: auditObjectType }],
  ['modifyAuditSummary', 'string'],
  ['addAuditSummary', 'string'],
  ['catchAll', 'boolean'],
  ['methodSummaryString', 'string'],
];

export const portRecord: Table = [
  ['dbid', 'integer'],
  ['legacyDBID', 'integer'],
  ['portType', 'integer'],
  ['name', 'string'],
  ['portID', 'string'],
  ['displayName', 'string'],
  ['deviceName', 'string'],
  ['deviceID', 'integer'],
  ['status', 'integer'],
  ['domainID', 'integer'],
  ['ip', 'string'],
  ['physAddr', 'string'],
  ['label', 'string'],
  ['connectionState', 'integer'],
  ['defaultVlan', 'string'],
  ['currentVlan', 'string'],
  ['currentCli', 'string'],
  ['notes', 'string'],
  ['lastModifiedBy', 'string'],
  ['lastChangeSummary', 'string'],
  ['lastModifiedDate', 'timestamp'],
  ['displayable', 'boolean'],
  ['ifname', 'string'],
  ['ifindex', 'string'],
  ['ifspeed', 'string'],
  ['ifdescr', 'string'],
  ['ifadminStatus', 'integer'],
  ['ifoperStatus', 'integer'],
  ['yamsEventTag', 'string'],
  ['auditObj', { object: auditObject }],
  ['uplinkDisabled', 'boolean'],
];
