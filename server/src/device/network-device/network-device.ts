import { collection } from '../../kernel/declare.ts';
import {
  computed,
  field,
  identity,
  landscape,
  modified,
  observed,
  reference,
  text,
  version,
} from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';

/** The code of devices among elements of the topology. */
const deviceElementType = 2;

/** A switch, router, access point, controller or firewall that the service watches and controls. */
export const networkDevice = collection({
  name: 'network-device',
  title: 'Network device',
  permission: 'devices',
  doc: 'Switches, routers, access points and firewalls, each in a container of the topology.',
  patterns: [],
  events: { noun: 'DEVICE', destroyed: 'DESTROYED', elementType: deviceElementType },
  memberOf: ['DEVICE'],
  scopedBy: { seenWith: 'container' },
  uniqueTogether: [
    ['landscape', 'name'],
    ['landscape', 'ipAddress'],
  ],
  fields: {
    id: identity(),
    landscape,
    status: observed<number>(
      { kind: 'integer', min: 0, max: 4 },
      0,
      '0 never contacted, 1 contact established, 2 contact lost, 3 degraded, 4 management disabled.',
    ),
    version,
    ...modified,
    name: text({ min: 1, max: 128, search: true, doc: 'Name, unique in the cell.' }),
    ipAddress: field<string | null>(
      { kind: 'address', nullable: true },
      { default: null, doc: 'Address it is managed by, unique in the cell.' },
    ),
    physicalAddress: field<string | null>(
      { kind: 'mac', nullable: true },
      { default: null, doc: 'MAC address of the device itself.' },
    ),
    containerID: computed<number>({ kind: 'integer', min: 0, max: integerMax }, 'r.container_id', {
      doc: 'The container, by id.',
    }),
    container: reference('container', 'restrict', { by: 'name', doc: 'Name of the container that holds it.' }),
  },
});
