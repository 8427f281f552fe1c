import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { accessStates, accessTypes, families, outcomes } from '../decide/decide.service.ts';

const { id } = shapes;
const name = { kind: 'text', max: 255, nullable: true } as const;

/** The access that a connection has, or would have. */
const access = (doc: string) =>
  ({
    kind: 'object',
    name: 'ConnectionAccess',
    doc,
    properties: {
      outcome: { kind: 'choice', values: outcomes, doc: 'What is decided.' },
      accessState: { kind: 'choice', values: accessStates, nullable: true, doc: 'Null: not enforced.' },
      policyName: { ...name, doc: 'The access policy or role mapping that decides; null: none, or not visible.' },
      value: {
        kind: 'object',
        name: 'ConnectionAccessValue',
        nullable: true,
        doc: 'What the device is given; null: nothing.',
        properties: {
          accessType: { kind: 'choice', values: accessTypes },
          accessValue: { kind: 'text', max: 255 },
        },
      },
    },
  }) as const satisfies ObjectShape;

/** One live connection that a write would change. */
export const connectionChange = {
  kind: 'object',
  name: 'ConnectionChange',
  properties: {
    mac: { kind: 'text', max: 17, doc: 'MAC address of the adapter.' },
    hostID: { ...id, doc: 'Its host.' },
    hostName: { ...name, doc: 'Name of the host.' },
    userName: { ...name, doc: 'The user that decisions count; null: none, or not visible.' },
    location: { ...name, max: 600, doc: 'Device and port; null: not visible.' },
    before: access('Access now.'),
    after: access('Access after the write.'),
    families: {
      kind: 'list',
      max: families.length,
      doc: 'Other policies that would change.',
      item: {
        kind: 'object',
        name: 'ConnectionFamilyChange',
        properties: {
          family: { kind: 'choice', values: families },
          before: { ...name, doc: 'The policy that applies now.' },
          after: { ...name, doc: 'The policy that would apply.' },
        },
      },
    },
    enforcement: {
      kind: 'choice',
      values: ['COA', 'DISCONNECT', 'SNMP', 'CLI', 'BOUNCE'],
      nullable: true,
      doc: 'How the device would be made to apply it; null: it would not, or the device is not visible.',
    },
    interrupts: { kind: 'flag', doc: 'The connection would be interrupted.' },
    unresolved: { kind: 'flag', doc: 'The logical network has no value there.' },
  },
} as const satisfies ObjectShape;
