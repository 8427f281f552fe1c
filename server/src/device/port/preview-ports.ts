import type { Context } from '../../context.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import type { Call } from '../../kernel/declare/operation.ts';
import { allows } from '../../kernel/declare/permissions.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { instantSql } from '../../kernel/values/time.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { uplink } from '../polling/polling.service.ts';
import {
  nameOfPort,
  ownFieldsOf,
  type PortProperties,
  refusalOf,
  type TargetPort,
  vlanNumberOf,
} from './desired-port-state.ts';
import { port } from './port.ts';

const text = (max: number, doc: string) => ({ kind: 'text', max, nullable: true, doc }) as const;

/** The dry-run result of each port. */
export const portPreviewShape = {
  kind: 'object',
  name: 'PortPreview',
  properties: {
    portID: { ...shapes.id, doc: 'The port (dbid).' },
    changes: {
      kind: 'list',
      max: 10,
      doc: 'What would change.',
      item: {
        kind: 'object',
        name: 'PortPreviewChange',
        properties: {
          field: { kind: 'text', max: 40 },
          from: text(2_000, 'Present value; null: unknown.'),
          to: text(2_000, 'New value.'),
          on: { kind: 'choice', values: ['DEVICE', 'RECORD'], doc: 'Where it is changed.' },
        },
      },
    },
    hosts: {
      kind: 'list',
      max: 100_000,
      doc: 'Hosts connected to the port, as far as the caller sees them.',
      item: {
        kind: 'object',
        name: 'PortPreviewHost',
        properties: { id: shapes.id, name: { kind: 'text', max: 255 } },
      },
    },
    refused: text(
      1_000,
      'Why a real write would be refused; null: nothing in the last reading of the device speaks against it.',
    ),
    decidedAgain: { kind: 'flag', doc: 'Whether a policy sets the VLAN again.' },
    readAt: { kind: 'time', nullable: true, doc: 'When the device was last read; null: never.' },
  },
} as const satisfies ObjectShape;

interface Stored {
  id: number;
  label: string;
  defaultVlan: string;
  uplinkDisabled: boolean;
  notes: string;
  uplinkKind: number | null;
  readAt: string | null;
  hosts: { id: number; name: string }[];
}

type Change = { field: string; from: string | null; to: string | null; on: 'DEVICE' | 'RECORD' };

/** Computes what a change of ports would do, from stored data: no packet is sent. */
export async function previewPorts(call: Call<PortProperties>, context: Context, ports: readonly TargetPort[]) {
  const stored = new Map((await storedPorts(call, context)).map((storedPort) => [storedPort.id, storedPort]));
  return ports.map((targetPort) => {
    const storedPort = stored.get(targetPort.id)!;
    return {
      portID: targetPort.id,
      changes: [...onDevice(call.body, targetPort), ...onRecord(call.body, storedPort)],
      hosts: storedPort.hosts,
      refused: refusalOf(call.body, targetPort)?.message ?? foreseenRefusal(call.body, targetPort),
      decidedAgain: false,
      readAt: storedPort.readAt,
    };
  });
}

/** Returns why the device would refuse the change, according to its last poll; a real write reads the device itself. */
function foreseenRefusal({ currentVlan }: PortProperties, targetPort: TargetPort): string | null {
  const vlan = currentVlan === undefined ? null : vlanNumberOf(currentVlan, targetPort.vlans);
  if (vlan === null || String(vlan) === targetPort.currentVlan) return null;
  const { deviceName, vlans } = targetPort;
  if (targetPort.currentVlan === '')
    return `currentVlan: ${nameOfPort(targetPort)} was in no VLAN when ${deviceName} was read.`;
  const isKnown = vlans.length === 0 || vlans.some(({ id }) => id === vlan);
  return isKnown ? null : `currentVlan: ${deviceName} had no VLAN ${vlan} when it was read.`;
}

function storedPorts({ body, caller }: Call<PortProperties>, context: Context): Promise<Stored[]> {
  const { visible } = context;
  const hosts = `select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name) order by x.id), '[]'::jsonb)
    from (
      select distinct on (h.id) h.id, coalesce(nullif(h.host_name, ''), a.physical_address) as name
      from connection_active c
      join ${visible(adapter)} a on a.physical_address = c.mac
      join ${visible(host)} h on h.id = a.host_id
      where c.port_id = r.id
      order by h.id, a.id
    ) x`;
  return context.query<Stored>(
    `select r.id, r.label, r.default_vlan as "defaultVlan", r.uplink_disabled as "uplinkDisabled", r.notes, u.kind as "uplinkKind",
       ${instantSql('d.last_l2_poll')} as "readAt", ${allows(caller.rights, host.permission, 'view') ? `(${hosts})` : `'[]'::jsonb`} as hosts
     from ${visible(port)} r
     join ${visible(networkDevice)} d on d.id = r.device_id
     left join port_uplink u on u.port_id = r.id
     where r.id = any($1::bigint[])`,
    [body.id],
  );
}

function onDevice({ currentVlan, adminStatus }: PortProperties, targetPort: TargetPort): Change[] {
  const changes: Change[] = [];
  const vlan = currentVlan === undefined ? null : vlanNumberOf(currentVlan, targetPort.vlans);
  if (vlan !== null && String(vlan) !== targetPort.currentVlan)
    changes.push({ field: 'currentVlan', from: targetPort.currentVlan || null, to: String(vlan), on: 'DEVICE' });
  const isUp = targetPort.ifadminStatus === 0 ? null : targetPort.ifadminStatus === 1;
  if (adminStatus !== undefined && adminStatus !== isUp)
    changes.push({
      field: 'adminStatus',
      from: isUp === null ? null : String(isUp),
      to: String(adminStatus),
      on: 'DEVICE',
    });
  return changes;
}

function onRecord(desired: PortProperties, storedPort: Stored): Change[] {
  const before: Record<string, unknown> = { ...storedPort };
  const changes = Object.entries(ownFieldsOf(desired))
    .filter(([field, value]) => before[field] !== value)
    .map(([field, value]): Change => {
      const sentAs = field === 'label' ? 'name' : field;
      return { field: sentAs, from: String(before[field]), to: String(value), on: 'RECORD' };
    });
  const isByHand = storedPort.uplinkKind === uplink.byHand;
  if (desired.newUplink === 1 && !isByHand) changes.push({ field: 'newUplink', from: '0', to: '1', on: 'RECORD' });
  if (desired.clearUplink && storedPort.uplinkKind !== null)
    changes.push({ field: 'clearUplink', from: 'false', to: 'true', on: 'RECORD' });
  return changes;
}
