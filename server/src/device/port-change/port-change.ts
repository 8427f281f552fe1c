import { log } from '../../kernel/declare.ts';
import { choice, computed, field, flag, identity, integer, landscape, text } from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';

const id = { kind: 'integer', min: 0, max: integerMax } as const;

const accessStates = ['DEAD_END', 'QUARANTINE', 'REGISTRATION', 'AUTHENTICATION', 'GUEST', 'PRODUCTION'] as const;
const reasons = [
  'REGISTRATION',
  'QUARANTINE',
  'DEAD_END',
  'AUTHENTICATION',
  'GUEST',
  'ROLE',
  'DEFAULT',
  'UNDO',
  'MANUAL',
  'RESTORE',
] as const;
const methods = ['RADIUS', 'COA', 'DISCONNECT', 'SNMP', 'CLI', 'BOUNCE'] as const;
const triggers = [
  'TRAP',
  'POLL',
  'RADIUS',
  'ADMIN',
  'POLICY',
  'HEALTH',
  'REGISTRATION',
  'PROFILING',
  'AGING',
  'SCHEDULE',
  'STARTUP',
] as const;

export type ChangeReason = (typeof reasons)[number];
export type ChangeMethod = (typeof methods)[number];
export type ChangeTrigger = (typeof triggers)[number];

const known = (max: number, doc: string) => text({ max, nullable: true, doc });

/** Why and when the service changed a port: the first place an administrator looks. */
export const portChange = log({
  name: 'port-change',
  title: 'Port change',
  path: '/device/port-changes',
  permission: 'devices',
  doc: 'What the service changed on ports and in the access of hosts, why, and what became of it.',
  columns: ['timestamp', 'deviceName', 'portName', 'fromVlan', 'toVlan', 'reason', 'triggeredBy', 'success'],
  patterns: ['list', 'fetch', 'count', 'countAll'],
  slice: 'week',
  age: { setting: 'connectionDays', days: 180 },
  identity: 'id',
  label: 'portName',
  timeField: 'timestamp',
  tellsOf: { group: 'port', by: 'portID' },
  indexes: [['portID'], ['deviceID'], ['mac']],
  fields: {
    id: identity('Identity of the change; it tells the time too.'),
    landscape,
    timestamp: computed<string>({ kind: 'time' }, 'r.at', { doc: 'When it was done, or given up.' }),
    portID: field<number>(id, { doc: 'The port, by its dbid.' }),
    portName: text({ max: 255, search: true, doc: 'Its name at that time.' }),
    deviceID: field<number>(id, { doc: 'The device of the port.' }),
    deviceName: text({ max: 128, search: true, doc: 'Its name at that time.' }),
    containerID: field<number>(id, { doc: 'The container that the device was in.' }),
    mac: field<string | null>({ kind: 'mac', nullable: true }, { doc: 'The adapter that caused it.' }),
    hostID: field<number | null>({ ...id, nullable: true }, { doc: 'The host that caused it.' }),
    hostName: known(255, 'Name of that host at that time.'),
    userName: known(120, 'Who used that host.'),
    accessState: choice(accessStates, {
      nullable: true,
      doc: 'The access that was decided; null: nothing was decided.',
    }),
    reason: choice(reasons, { doc: 'Why: MANUAL by an administrator, RESTORE to what was applied before.' }),
    policyName: known(120, 'The access policy that decided.'),
    accessConfigurationName: known(120, 'The access configuration of that policy.'),
    logicalNetworkName: known(120, 'The logical network it chose.'),
    fromVlan: known(64, 'VLAN before; null where it was not about VLANs, or never read.'),
    toVlan: known(
      64,
      'VLAN that was to be. Without one, and without a CLI configuration, the port was put up or down.',
    ),
    fromCli: known(128, 'CLI configuration before.'),
    toCli: known(128, 'CLI configuration that was to be.'),
    method: choice(methods, { doc: 'How the device was told.' }),
    trigger: choice(triggers, { doc: 'What made the service look.' }),
    triggeredBy: text({ max: 120, doc: 'The administrator, or `system`.' }),
    success: flag({ doc: 'The device shows what it was to be.' }),
    errorMessage: known(2_000, 'What the device said, where it failed.'),
    durationMs: integer({ min: 0, max: integerMax, doc: 'From the first question to the last answer.' }),
    generation: field<number>(id, { doc: 'Generation of the policies that were in force.' }),
  },
});
