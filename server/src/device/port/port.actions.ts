import { action, listQueryOf } from '../../context.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { notFound } from '../../kernel/failure.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { enforcementActions } from './actions/enforcement.ts';
import { portProperties } from './actions/port-properties.ts';
import { port, virtualPortType } from './port.ts';

/** Lists the ports as they are on the front panel of the device. */
const byDevice = action(port, {
  name: 'by-device',
  method: 'GET',
  path: '/by-device',
  doc: 'List the ports of a device, in the order of its interfaces',
  query: {
    deviceID: { shape: { ...shapes.id, doc: 'The device.' }, required: true },
    includeHidden: { shape: { kind: 'flag', doc: 'Include virtual interfaces.' } },
  },
  listed: true,
  counted: true,
  result: 'record',
  errors: ['not-found', 'too-expensive'],
  async run(call, { list }) {
    const { deviceID, includeHidden = false, ...query } = call.query;
    const { filtered: deviceCount } = await list(networkDevice, { filter: [`id==${deviceID}`], start: 0, count: 0 });
    if (deviceCount === 0) throw notFound(networkDevice.title, deviceID);
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
