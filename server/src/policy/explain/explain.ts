import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

const { id, count, text } = shapes;
const nullableId = { ...id, nullable: true } as const;
const word = { kind: 'text', max: 40 } as const;
const name = { ...text(300), nullable: true } as const;

const family = {
  kind: 'object',
  name: 'FamilyDecision',
  nullable: true,
  properties: { policyID: id, name, configurationID: id },
} as const satisfies ObjectShape;

const check = {
  kind: 'object',
  name: 'TraceCheck',
  properties: {
    section: { ...word, doc: 'roles, groups, attributes, where or when.' },
    expected: { kind: 'list', item: text(20_000), max: 1_000, doc: 'Expected values; one match is enough.' },
    actual: {
      kind: 'mixed',
      max: 20_000,
      items: 10_000,
      nullable: true,
      doc: 'Actual value or values; null: no value.',
    },
    ok: { kind: 'flag' },
  },
} as const satisfies ObjectShape;

const traceEntry = {
  kind: 'object',
  name: 'TraceEntry',
  properties: {
    step: {
      kind: 'integer',
      min: 1,
      max: 9,
      nullable: true,
      doc: 'Step of the decision; null: a policy family that does not affect access.',
    },
    kind: word,
    id: { ...nullableId, doc: 'The policy or role mapping; null: a step without records.' },
    name: text(300),
    rank: { ...count, nullable: true },
    result: {
      ...word,
      doc: 'MATCH, NO_MATCH, NOT_REACHED_WOULD_MATCH, NOT_REACHED, DISABLED or SKIPPED_NOT_ENFORCED_HERE.',
    },
    checks: { kind: 'list', item: check, max: 200, doc: 'Comparisons; the entry matches if all are ok.' },
  },
} as const satisfies ObjectShape;

/** The access that a connection gets at an instant, and why. */
export const policyDecision = {
  kind: 'object',
  name: 'PolicyDecision',
  properties: {
    at: { kind: 'time', doc: 'Instant of the decision.' },
    generation: { ...count, doc: 'Generation of the policies.' },
    landscape: count,
    hostID: id,
    adapterID: { ...nullableId, doc: 'Null: the host has no adapter.' },
    mac: { ...text(17), doc: 'MAC address of the adapter; empty: the host has none.' },
    userName: { ...text(120), nullable: true, doc: 'Logged-on user, otherwise the owner; null: none, or not visible.' },
    outcome: { ...word, doc: 'GRANT, ISOLATE, DENY or NOT_ENFORCED.' },
    accessState: { ...word, nullable: true },
    step: {
      kind: 'integer',
      min: 1,
      max: 9,
      nullable: true,
      doc: 'Step that applied; null: the host is not connected.',
    },
    policyID: { ...nullableId, doc: 'The access policy; in step 6 the role mapping.' },
    policyName: name,
    configurationID: nullableId,
    logicalNetwork: name,
    value: {
      kind: 'object',
      name: 'DecidedValue',
      nullable: true,
      properties: {
        accessType: word,
        accessValue: text(64),
        source: { ...word, doc: 'PORT, SSID, DEVICE, CONTAINER, DEFAULT or DIRECT.' },
      },
    },
    radius: {
      kind: 'object',
      name: 'DecidedReply',
      nullable: true,
      doc: 'Reply to a RADIUS request; null: access is applied by SNMP or CLI.',
      properties: {
        code: { ...word, doc: 'Access-Accept or Access-Reject.' },
        attributes: {
          kind: 'list',
          max: 100,
          item: {
            kind: 'object',
            name: 'ReplyAttribute',
            properties: { name: text(64), value: text(253) },
          },
        },
      },
    },
    firewallTags: { kind: 'list', item: text(120), max: 1_000 },
    sessionTimeoutSeconds: { ...count, nullable: true },
    families: {
      kind: 'object',
      name: 'FamilyDecisions',
      properties: { authentication: family, compliance: family, portal: family, supplicant: family },
    },
    reason: { ...text(4_000), doc: 'Reason for the decision, in one sentence.' },
    trace: {
      kind: 'list',
      item: traceEntry,
      max: 10_000,
      doc: 'All steps and policies, including those after the one that applies.',
    },
  },
} as const satisfies ObjectShape;

/** Query parameters that replace facts of a host. */
export const explainQuery = {
  adapterID: { shape: { ...id, doc: 'Only this adapter.', help: 'Adapter of the host. Empty: the first one.' } },
  at: {
    shape: { kind: 'time', doc: 'Instant of the decision; absent: now.', help: 'Evaluate for this time. Empty: now.' },
  },
  portID: {
    shape: {
      ...id,
      doc: 'Decide as if the host were connected to this port.',
      help: 'Evaluate as if the host were connected to this port.',
    },
  },
  ssid: {
    shape: {
      kind: 'text',
      min: 1,
      max: 32,
      doc: 'Decide as if the host were connected to this wireless network.',
      help: 'Evaluate as if the host were connected to this SSID.',
    },
  },
  userID: {
    shape: {
      kind: 'text',
      min: 1,
      max: 120,
      doc: 'Decide as if this user were logged on: name of an account. Requires the right to view accounts.',
      help: 'Evaluate as if this user were logged on. Requires the permission to view accounts.',
    },
  },
  enforced: {
    shape: {
      kind: 'flag',
      doc: 'Decide as if the port or SSID were in all enforcement groups.',
      help: 'Yes: evaluate as if the port or SSID were in all enforcement groups.',
    },
  },
  radius: {
    shape: {
      kind: 'text',
      max: 253,
      doc: 'Value of a RADIUS attribute, such as `radius.NAS-Port-Type=Ethernet`.',
      help: 'One RADIUS attribute per line, such as NAS-Port-Type=Ethernet.',
    },
    family: '[A-Za-z0-9-]{1,64}',
  },
} as const;
