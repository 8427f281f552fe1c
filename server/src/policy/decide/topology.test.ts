import { expect, test } from 'vitest';
import { Topology } from './topology.ts';

const device = (id: number, containerID: number) => ({
  id,
  name: `device ${id}`,
  containerID,
  isManaged: true,
  sendDefaultVlan: false,
  isRadiusClient: false,
  deviceType: null,
  model: null,
  groups: [],
});
const port = (id: number, deviceID: number, groups: number[]) => ({
  id,
  deviceID,
  name: `port ${id}`,
  ssid: null,
  isUplink: false,
  defaultVlan: '',
  groups,
});

function small(): Topology {
  const topology = new Topology();
  topology.setContainer({ id: 1, name: 'site', parentID: null });
  topology.setContainer({ id: 2, name: 'hall', parentID: 1 });
  topology.setDevice(device(3, 2));
  topology.setPort(port(4, 3, [9, 7, 9]));
  topology.setPort(port(5, 3, [7, 9]));
  return topology;
}

test('a place is a port with its device and the containers outwards', () => {
  const topology = small();
  const place = topology.placeOfPort(4);
  expect(place?.device.name).toBe('device 3');
  expect(place?.containers.map(({ name }) => name)).toEqual(['hall', 'site']);
  expect(topology.placeOfPort(99)).toBeNull();
  expect(topology.size).toEqual({ containers: 2, devices: 1, ports: 2 });
});

test('equal lists of groups are one object, and so are chains until a container changes', () => {
  const topology = small();
  expect(topology.port(4)?.groups).toBe(topology.port(5)?.groups);
  const before = topology.chain(2);
  expect(topology.chain(2)).toBe(before);
  topology.setContainer({ id: 1, name: 'campus', parentID: null });
  expect(topology.chain(2).map(({ name }) => name)).toEqual(['hall', 'campus']);
  expect(before.map(({ name }) => name)).toEqual(['hall', 'site']);
  topology.removeContainer(1);
  expect(topology.chain(2).map(({ name }) => name)).toEqual(['hall']);
});

test('a layer changes what is looked up through it, and nothing below', () => {
  const base = small();
  const layer = new Topology(base);
  layer.setPort(port(4, 3, [8]));
  layer.removePort(5);
  layer.setContainer({ id: 2, name: 'annex', parentID: null });
  expect(layer.placeOfPort(4)?.port?.groups).toEqual([8]);
  expect(layer.placeOfPort(5)).toBeNull();
  expect(layer.placeOfPort(4)?.containers.map(({ name }) => name)).toEqual(['annex']);
  expect(base.placeOfPort(4)?.port?.groups).toEqual([7, 9]);
  expect(base.placeOfPort(5)?.containers.map(({ name }) => name)).toEqual(['hall', 'site']);
  base.removeDevice(3);
  expect(layer.placeOfPort(4)).toBeNull();
});

test('containers in a circle end', () => {
  const topology = small();
  topology.setContainer({ id: 1, name: 'site', parentID: 2 });
  expect(topology.chain(2).length).toBeLessThan(100);
});
