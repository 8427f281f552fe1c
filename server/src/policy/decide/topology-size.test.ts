import { expect, test } from 'vitest';
import { cpuMsOf, promised } from '../../../test/world/patience.ts';
import { type PortNode, Topology } from './topology.ts';

const devices = 2_000;
const portsOfDevice = 50;
/** Limit on the time for which the event loop may be blocked. */
const stepMs = 10;

const port = (id: number, groups: readonly number[]): PortNode => ({
  id,
  deviceID: 1 + (id % devices),
  name: `Gi1/0/${id}`,
  ssid: null,
  isUplink: false,
  defaultVlan: '1',
  groups,
});

test('changes a topology of 100,000 ports in short steps', () => {
  const before = new Topology();
  for (let id = 1; id <= devices * portsOfDevice; id++) before.setPort(port(id, [id % 7]));
  let after = before;
  expect(
    cpuMsOf(() => {
      after = new Topology(before);
      after.setPort(port(1, [8]));
    }),
  ).toBeLessThan(promised(stepMs));
  let longestMs = 0;
  for (let id = 1; id <= devices * portsOfDevice; id += 101)
    longestMs = Math.max(
      longestMs,
      cpuMsOf(() => after.setPort(port(id, [9]))),
    );
  expect(longestMs).toBeLessThan(promised(stepMs));
  expect(after.size).toEqual(before.size);
  expect([before.port(1)?.groups, after.port(1)?.groups]).toEqual([[1], [9]]);
});
