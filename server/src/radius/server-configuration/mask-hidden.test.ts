import { expect, test } from 'vitest';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { maskHidden } from './mask-hidden.ts';

/** Returns a caller who sees one device and one host. */
const limited = {
  visible: (declaration: { name: string }) => `(visible ${declaration.name})`,
  visibleRow: (declaration: { name: string }) => (declaration.name === adapter.name ? '' : ' and visible'),
  async query<R extends object>(text: string): Promise<R[]> {
    const rows = text.includes(`(visible ${networkDevice.name})`)
      ? [{ address: '10.0.0.9' }, { address: '2001:db8::9' }]
      : text.includes(`(visible ${host.name})`)
        ? [{ mac: '00:1D:09:00:00:09' }]
        : [];
    return rows as R[];
  },
};
const mask = async (text: string) => (await maskHidden(limited, [text]))[0];

test('hides the addresses of access devices that the caller does not see', async () => {
  expect(await mask('Thu Nov 19 15:47:17 2026 : Info: Adding client 10.0.0.9, client 10.0.0.7/32 port 1812')).toBe(
    'Thu Nov 19 15:47:17 2026 : Info: Adding client 10.0.0.9, client •••/32 port 1812',
  );
  expect(await mask('from client 2001:db8::7, 2001:DB8::9, [fe80::1]:1812, 10.0.0.77:40000.')).toBe(
    'from client •••, 2001:DB8::9, [•••]:1812, •••:40000.',
  );
  expect(await mask('2026-11-19T15:47:17.123Z version 3.2.1 listens at 127.0.0.1 and ::')).toBe(
    '2026-11-19T15:47:17.123Z version 3.2.1 listens at 127.0.0.1 and ::',
  );
});

test('hides the MAC addresses of hosts that the caller does not see', async () => {
  expect(await mask('[001d09000009] 00-1D-09-00-00-09 [001d09000007] 001d.0900.0007 00:1d:09:00:00:07')).toBe(
    '[001d09000009] 00-1D-09-00-00-09 [•••] ••• •••',
  );
});

test('returns the lines unchanged to a caller who sees every device and host', async () => {
  const text = 'client 10.0.0.7 [001d09000007]';
  expect(await maskHidden({ ...limited, visibleRow: () => '' }, [text])).toEqual([text]);
});
