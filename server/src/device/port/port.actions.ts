import { action } from '../../context.ts';
import { notFound } from '../../kernel/failure.ts';
import { listQueryOf } from '../../kernel/patterns.ts';
import { integerMax } from '../../kernel/shape.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { enforcementActions } from './enforcement.ts';
import { port, virtualPortType } from './port.ts';
import { portProperties } from './port-properties.ts';

/** What a person sees who stands in front of the device. */
const byDevice = action(port, {
  name: 'by-device',
  method: 'GET',
  path: '/by-device',
  doc: 'List the ports of a device, in the order of its interfaces',
  query: {
    deviceID: { shape: { kind: 'integer', min: 1, max: integerMax, doc: 'The device.' }, required: true },
    includeHidden: { shape: { kind: 'flag', doc: 'Virtual interfaces too.' } },
  },
  listed: true,
  counted: true,
  result: 'record',
  errors: ['not-found', 'too-expensive'],
  async run(call, { list }) {
    const { deviceID, includeHidden = false, ...query } = call.query as { deviceID: number; includeHidden?: boolean };
    const { filtered: known } = await list(networkDevice, { filter: [`id==${deviceID}`], start: 0, count: 0 });
    if (known === 0) throw notFound(networkDevice.title, deviceID);
    const { records, ...page } = await list(port, {
      sortKey: 'ifindex',
      ...listQueryOf({ ...call, query }, (parameters) => {
        const ofDevice = `r.device_id = ${parameters.add(deviceID, '::bigint')}`;
        return includeHidden ? ofDevice : `(${ofDevice} and r.port_type <> ${virtualPortType})`;
      }),
    });
    return { results: records, ...page };
  },
});

export const portActions = [byDevice, ...enforcementActions, portProperties];
