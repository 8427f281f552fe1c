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
    mac: { kind: 'text', max: 17, nullable: true, doc: 'MAC address of the adapter; null: no right to view hosts.' },
    hostID: { ...id, nullable: true, doc: 'Its host; null: no right to view hosts.' },
    hostName: { ...name, doc: 'Name of the host; null: none, or no right to view hosts.' },
    userName: { ...name, doc: 'The user that policies look at; null: none, or not visible.' },
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
      values: ['NEXT_LOGIN'],
      nullable: true,
      doc: 'How the connection gets the new access: at its next login by RADIUS. Null: this service does not apply it. Nothing is sent to a device.',
    },
    interrupts: {
      kind: 'flag',
      doc: 'True: the write interrupts the connection. Always false while nothing is sent to devices.',
    },
    unresolved: { kind: 'flag', doc: 'The logical network has no value there.' },
  },
} as const satisfies ObjectShape;
