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
      outcome: { kind: 'choice', values: outcomes, doc: 'Outcome of the decision.' },
      accessState: { kind: 'choice', values: accessStates, nullable: true, doc: 'Null: not enforced.' },
      policyName: { ...name, doc: 'The access policy or role mapping that applies; null: none, or not visible.' },
      value: {
        kind: 'object',
        name: 'ConnectionAccessValue',
        nullable: true,
        doc: 'The value that is sent to the device; null: none.',
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
    mac: {
      kind: 'text',
      max: 17,
      nullable: true,
      doc: 'MAC address of the adapter; null: the caller has no right to view hosts.',
    },
    hostID: { ...id, nullable: true, doc: 'The host; null: the caller has no right to view hosts.' },
    hostName: { ...name, doc: 'Name of the host; null: it has none, or the caller has no right to view hosts.' },
    userName: {
      ...name,
      doc: 'The user that policies evaluate: the logged-on user, otherwise the owner; null: none, or not visible.',
    },
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
      doc: 'NEXT_LOGIN: the connection gets the new access at its next RADIUS login. Null: this service does not apply it. Nothing is sent to a device.',
    },
    interrupts: {
      kind: 'flag',
      doc: 'True: the write interrupts the connection. Always false in this release: nothing is sent to devices.',
    },
    unresolved: { kind: 'flag', doc: 'True: the logical network has no value at this place.' },
  },
} as const satisfies ObjectShape;
