import { expect, test } from 'vitest';
import { Random } from '../../../test/decide/random.ts';
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

test('a place consists of a port, its device and the containers from the nearest outwards', () => {
  const topology = small();
  const place = topology.placeOfPort(4);
  expect(place?.device.name).toBe('device 3');
  expect(place?.containers.map(({ name }) => name)).toEqual(['hall', 'site']);
  expect(topology.placeOfPort(99)).toBeNull();
  expect(topology.size).toEqual({ containers: 2, devices: 1, ports: 2 });
});

test('equal lists of groups share one object, as do container chains until a container changes', () => {
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

test('a topology made from another one starts with its rows and leaves it unchanged', () => {
  const before = small();
  const after = new Topology(before);
  expect(after.port(5)).toBe(before.port(5));
  expect(after.chain(2)).toBe(before.chain(2));
  after.setPort(port(4, 3, [8]));
  after.removePort(5);
  after.setPort(port(1_000_000, 3, []));
  after.setContainer({ id: 2, name: 'annex', parentID: null });
  expect(after.placeOfPort(4)?.port?.groups).toEqual([8]);
  expect(after.placeOfPort(5)).toBeNull();
  expect(after.placeOfPort(4)?.containers.map(({ name }) => name)).toEqual(['annex']);
  expect(after.size).toEqual({ containers: 2, devices: 1, ports: 2 });
  expect(before.placeOfPort(4)?.port?.groups).toEqual([7, 9]);
  expect(before.placeOfPort(5)?.containers.map(({ name }) => name)).toEqual(['hall', 'site']);
  expect(before.size).toEqual({ containers: 2, devices: 1, ports: 2 });
  expect(() => before.removeDevice(3)).toThrow('cannot be changed');
});

test('versions have the same rows as plain maps after the same changes', () => {
  const random = new Random(7);
  const versions: { topology: Topology; expected: ReadonlyMap<number, string> }[] = [];
  let topology = new Topology();
  const expected = new Map<number, string>();
  for (let number = 0; number < 30; number++) {
    for (let change = 0; change < 40; change++) {
      const id = random.pick([random.integer(1, 600), random.integer(1, 2 ** 40)]);
      const portID = random.chance(0.5) ? id : (random.pick([...expected.keys()]) ?? id);
      if (random.chance(0.3)) {
        topology.removePort(portID);
        expected.delete(portID);
      } else {
        const name = `port ${portID} of version ${number}`;
        topology.setPort({ ...port(portID, 3, []), name });
        expected.set(portID, name);
      }
    }
    versions.push({ topology, expected: new Map(expected) });
    topology = new Topology(topology);
  }
  for (const version of versions) {
    const differences = [...expected.keys(), ...version.expected.keys()].filter(
      (id) => (version.topology.port(id)?.name ?? undefined) !== version.expected.get(id),
    );
    expect(differences).toEqual([]);
    expect(version.topology.size.ports).toBe(version.expected.size);
  }
});

test('ends the container chain if the containers form a cycle', () => {
  const topology = small();
  topology.setContainer({ id: 1, name: 'site', parentID: 2 });
  expect(topology.chain(2).length).toBeLessThan(100);
});
