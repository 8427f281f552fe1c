import { log } from '../../kernel/declare/declaration.ts';
import { choice, computed, field, flag, identity, integer, landscape, text } from '../../kernel/declare/field.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { accessStates } from '../../policy/decide/decide.service.ts';

const id = shapes.count;

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

const nameAtChange = (max: number, doc: string) => text({ max, nullable: true, doc });

/** The reason, time and outcome of each port change by the service: the first place that an administrator checks. */
export const portChange = log({
  name: 'port-change',
  title: 'Port change',
  path: '/device/port-changes',
  permission: 'devices',
  doc: 'Changes by the service to ports and to the access of hosts, with reason and result.',
  columns: ['timestamp', 'deviceName', 'portName', 'fromVlan', 'toVlan', 'reason', 'triggeredBy', 'success'],
  patterns: ['list', 'fetch', 'count', 'countAll'],
  slice: 'week',
  age: { setting: 'connectionDays', days: 180 },
  identity: 'id',
  label: 'portName',
  timeField: 'timestamp',
  concerns: { group: 'port', by: 'portID' },
  visibleWith: [
    { group: 'host', id: 'r.host_id' },
    { group: 'port', id: 'r.port_id' },
  ],
  indexes: [['portID'], ['deviceID'], ['mac']],
  sections: {
    Port: ['portID', 'portName', 'deviceID', 'deviceName', 'containerID'],
    Who: ['mac', 'hostID', 'hostName', 'userName'],
    Decision: ['accessState', 'reason', 'policyName', 'accessConfigurationName', 'logicalNetworkName', 'generation'],
    Change: [
      'fromVlan',
      'toVlan',
      'fromCli',
      'toCli',
      'method',
      'trigger',
      'triggeredBy',
      'success',
      'errorMessage',
      'durationMs',
    ],
  },
  units: { durationMs: 'ms' },
  fields: {
    id: identity('Identity of the change; it contains the time.'),
    landscape,
    timestamp: computed<string>({ kind: 'time' }, 'r.at', { doc: 'When it was completed or abandoned.' }),
    portID: field<number>(id, { doc: 'dbid of the port.' }),
    portName: text({ max: 255, search: true, doc: 'Its name at that time.' }),
    deviceID: field<number>(id, { doc: 'The device of the port.' }),
    deviceName: text({ max: 128, search: true, doc: 'Its name at that time.' }),
    containerID: field<number>(id, { doc: 'Container of the device at that time.' }),
    mac: field<string | null>({ kind: 'mac', nullable: true }, { doc: 'The adapter that caused it.' }),
    hostID: field<number | null>({ ...id, nullable: true }, { doc: 'The host that caused it.' }),
    hostName: nameAtChange(255, 'Name of that host at that time.'),
    userName: nameAtChange(120, 'Who used that host.'),
    accessState: choice(accessStates, {
      nullable: true,
      doc: 'Access decision; null: none.',
    }),
    reason: choice(reasons, { doc: 'MANUAL: by an administrator; RESTORE: back to the value applied before.' }),
    policyName: nameAtChange(120, 'The access policy that decided.'),
    accessConfigurationName: nameAtChange(120, 'The access configuration of that policy.'),
    logicalNetworkName: nameAtChange(120, 'The logical network it chose.'),
    fromVlan: nameAtChange(64, 'VLAN before; null if the change was not about VLANs, or the VLAN was never read.'),
    toVlan: nameAtChange(
      64,
      'Requested VLAN. Without one and without a CLI configuration, the port was set up or down.',
    ),
    fromCli: nameAtChange(128, 'CLI configuration before.'),
    toCli: nameAtChange(128, 'Requested CLI configuration.'),
    method: choice(methods, { doc: 'How the device was changed.' }),
    trigger: choice(triggers, { doc: 'What triggered the change.' }),
    triggeredBy: text({ max: 120, doc: 'The administrator, or `system`.' }),
    success: flag({ doc: 'The device confirmed the requested state.' }),
    errorMessage: nameAtChange(2_000, 'Error of the device, if it failed.'),
    durationMs: integer({ min: 0, max: integerMax, doc: 'From the first request to the last response.' }),
    generation: field<number>(id, { doc: 'Generation of the policies that were in force.' }),
  },
});
