import { describe, expect, test } from 'vitest';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import type { Shape } from '../../src/kernel/declare/shape.ts';
import type { Reply } from '../world/client.ts';
import { pathWith } from '../world/paths.ts';
import { everyVerb } from '../world/restricted-admins.ts';
import { world } from '../world/world.ts';
import { changeHiddenRecords, hiddenFrom, hiddenMac, hiddenWord, plantHiddenRecords } from './hidden-records.ts';

/** A value that a hidden record has, and one of the same kind that no record has. */
type Twins = readonly [hidden: unknown, unknown: unknown];

/** Every sequence of ids begins here, so a record of each group has this one. */
const hiddenId = hiddenFrom + 1;
const unknownId = 987_654_321;
const unknownWord = 'qyx';
const unknownMac = 'DE:AD:BF:EF:00:99';
const numberTwins: Twins[] = [[hiddenId, unknownId]];
const names = ['container', 'network_device', 'port', 'ssid', 'group'].map(
  (table) => `${hiddenWord} ${table} ${hiddenId}`,
);
const textTwins = [...names, `${hiddenWord} host`, `${hiddenWord} person`, `${hiddenWord} rule`].map(
  (name): Twins => [name, name.replaceAll(hiddenWord, unknownWord).replace(String(hiddenId), String(unknownId))],
);

/** The pairs of values to send where this shape is taken. */
function twinsOf(shape: Shape, name: string): Twins[] {
  switch (shape.kind) {
    case 'integer':
      return shape.max >= hiddenId ? numberTwins : [];
    case 'mac':
      return [[hiddenMac, unknownMac]];
    case 'text':
      if (/mac|address/i.test(name)) return [[hiddenMac, unknownMac], ...textTwins];
      return shape.pattern ? [] : textTwins;
    case 'list':
      return twinsOf(shape.item, name).map(([hidden, unknown]): Twins => [[hidden], [unknown]]);
    case 'object':
      return Object.entries(shape.properties).flatMap(([key, property]) =>
        twinsOf(property, key).map(([hidden, unknown]): Twins => [{ [key]: hidden }, { [key]: unknown }]),
      );
    default:
      return [];
  }
}

/** A reply without the value that was sent, times, and what a sequence or a random generator gives to a new record. */
function comparable({ code, text, headers }: Reply, values: Twins): string {
  const neutral = values
    .flatMap(leavesOf)
    .toSorted((first, second) => second.length - first.length)
    .flatMap((value) => [value, encodeURIComponent(value)])
    .reduce((rest, value) => rest.replaceAll(value, '#'), text);
  return `${code} ${withoutGenerated(neutral)} ${String(headers.location ?? '').replaceAll(/\d+/g, '#')}`;
}

const withoutGenerated = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+0000)/g, 'TIME')
    .replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/gi, 'UUID')
    .replaceAll(/"(id|dbid|auditDBID|liveDBID|time|\w+ID)":\d+/g, '"$1":"ID"')
    .replaceAll(/(generation\W+|item )\d+/g, '$1N')
    .replaceAll(/\b77\d{7}\b/g, 'ID')
    .replaceAll(new RegExp(`${hiddenWord}|${unknownWord}`, 'g'), '#');

const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];

/** The place where two texts begin to differ, as each of them continues there. */
function firstDifference(first: string, second: string): string {
  const shorter = Math.min(first.length, second.length);
  let index = 0;
  while (index < shorter && first[index] === second[index]) index++;
  const part = (text: string) => text.slice(Math.max(0, index - 90), index + 90);
  return `${part(first)} | ${part(second)}`;
}

const savesNames = [
  'container.create',
  'container.update',
  'group.create',
  'group.update',
  'network-device.create-pingable',
  'network-device.create-snmp',
  'network-device.update-pingable',
  'network-device.update-snmp',
  'device-profiling-rule.create',
  'device-profiling-rule.update',
];
const savesUsers = ['user.create', 'user.update', 'account.create', 'account.update'];
const savesAdapters = ['host.create-with-adapters', 'host.update-with-adapters'];
const savesHosts = ['host.update', 'host.update-with-adapters'];
const pairsOf = (operations: readonly string[], ...fields: string[]) =>
  operations.flatMap((operation) => fields.map((field) => `${operation} ${field}`));

/** Operation and field whose replies differ, as docs/contract.md describes. */
const documented: ReadonlySet<string> = new Set([
  // Names and MAC addresses are stored once, so a duplicate cannot be hidden from the caller who adds it.
  ...pairsOf(savesNames, 'name'),
  ...pairsOf(savesUsers, 'userID'),
  ...pairsOf(savesAdapters, 'adapterObjects', 'adapters'),
  // The reference that a visible record has already may be sent back.
  ...pairsOf(savesHosts, 'owner', 'ownerID'),
  // The tag of a new device type contains the name that was sent.
  'device-type.create-from-archive name',
]);

/**
 * Events and the audit log have rights of their own and show every row. What a visible host is allowed is visible as well, also where the
 * hidden device that it is connected to decides it.
 */
const dependsOnHidden = /^(event|event-type|audit-record)\.|^host\.policy$/;

/** A visible record shows how many hidden ones refer to it, as docs/threats.md describes. */
const withoutNumbers = (text: string): string =>
  text
    .replaceAll(/"(hosts|users|hostCount|usage)":\d+/g, '"$1":"N"')
    .replaceAll(/,?\{"name":"[\w ]+","children":\["\d+ hidden"\]\}/g, '');

describe('a value of a hidden record', async () => {
  const shared = await world({ jobs: 'enqueue' });
  const { service } = shared;
  const { visible, caller } = await plantHiddenRecords(shared, everyVerb);

  /** Required query parameters with visible values, as text. */
  const requiredQuery = (operation: Operation, except: string) =>
    Object.entries(operation.query)
      .filter(([name, { required }]) => required && name !== except)
      .map(([name, { shape }]) => {
        const key = name.replace(/IDs?$/i, '').toLowerCase();
        const ids: Record<string, number | undefined> = {
          ...visible,
          device: visible['network-device'],
          user: visible['user-account'],
        };
        return `${name}=${encodeURIComponent(String(ids[key] ?? shape.example ?? (shape.kind === 'integer' ? 1 : 'ward')))}`;
      });
  const visibleIdOf = ({ operationId }: Operation) => visible[operationId.split('.')[0]!] ?? 1;

  interface Attempt {
    label: string;
    values: Twins;
    send(value: unknown): Promise<Reply>;
  }

  /** Writes are dry runs, so every request finds the same records. */
  function call({ method, body, writes }: Operation, path: string, query: readonly string[], requestBody: unknown) {
    const dry = writes ? ['dryRun=true'] : [];
    return caller.call(method, `${path}?${[...dry, ...query].join('&')}`, body ? requestBody : undefined);
  }

  function attemptsOf(operation: Operation): Attempt[] {
    const { body, example } = operation;
    const attempts: Attempt[] = [];
    if (/\{\w+\}/.test(operation.path))
      for (const values of [...numberTwins, ...textTwins, [hiddenMac, unknownMac] as const])
        attempts.push({
          label: 'path',
          values,
          send: (value) =>
            call(
              operation,
              operation.path.replaceAll(/\{\w+\}/g, encodeURIComponent(String(value))),
              requiredQuery(operation, ''),
              example ?? {},
            ),
        });
    for (const [name, { shape }] of Object.entries(operation.query))
      for (const values of twinsOf(shape, name))
        attempts.push({
          label: `?${name}`,
          values,
          send: (value) =>
            call(
              operation,
              pathWith(operation, visibleIdOf(operation)),
              [...requiredQuery(operation, name), `${name}=${encodeURIComponent(String(value))}`],
              example ?? {},
            ),
        });
    const isObject = body?.kind === 'object';
    for (const [name, shape] of Object.entries(isObject ? body.properties : {}))
      for (const values of twinsOf(shape, name))
        attempts.push({
          label: name,
          values,
          send: (value) =>
            call(operation, pathWith(operation, visibleIdOf(operation)), requiredQuery(operation, ''), {
              ...((example ?? {}) as object),
              [name]: value,
            }),
        });
    return attempts;
  }

  const operations = service.operations.filter(
    ({ operationId, streams, uploads, method, writes }) =>
      !streams &&
      !uploads &&
      (method === 'GET' || writes) &&
      !/\.(monitor-|login|logout|password$|validate)/.test(operationId),
  );

  test('has the same effect as a value that no record has, wherever an operation takes it', async () => {
    const different: string[] = [];
    let [attempts, accepted] = [0, 0];
    for (const operation of operations)
      for (const { label, values, send } of attemptsOf(operation)) {
        attempts++;
        const [hidden, unknown] = [await send(values[0]), await send(values[1])];
        if (hidden.code < 300) accepted++;
        const [first, second] = [comparable(hidden, values), comparable(unknown, values)];
        if (first === second || documented.has(`${operation.operationId} ${label}`)) continue;
        different.push(
          `${operation.operationId} ${label} ${JSON.stringify(values[0])}: ${firstDifference(first, second)}`,
        );
      }
    process.stdout.write(
      `hidden twins: ${operations.length} operations, ${attempts} pairs, ${accepted} accepted, ${different.length} differ\n`,
    );
    expect(different).toEqual([]);
    expect(attempts).toBeGreaterThan(1_000);
    expect(accepted).toBeGreaterThan(100);
  }, 900_000);

  test('may change, with every other field of hidden records, without a change of any reply', async () => {
    const requests = operations
      .filter(({ operationId }) => !dependsOnHidden.test(operationId))
      .flatMap((operation) => {
        const plainPath = pathWith(operation, visibleIdOf(operation));
        const plain = () => call(operation, plainPath, requiredQuery(operation, ''), operation.example ?? {});
        return [
          { key: operation.operationId, send: plain },
          ...attemptsOf(operation)
            .filter(({ label }) => !documented.has(`${operation.operationId} ${label}`))
            .map(({ label, values, send }) => ({
              key: `${operation.operationId} ${label} ${JSON.stringify(values[0])}`,
              send: () => send(values[0]),
            })),
        ];
      });
    const replies = async () => {
      const texts: string[] = [];
      for (const { send } of requests) {
        const { code, text } = await send();
        texts.push(`${code} ${withoutNumbers(withoutGenerated(text))}`);
      }
      return texts;
    };
    const before = await replies();
    const changes = await changeHiddenRecords(shared);
    const after = await replies();
    const different = requests.flatMap(({ key }, index) =>
      before[index] === after[index] ? [] : [`${key}: ${firstDifference(before[index]!, after[index]!)}`],
    );
    process.stdout.write(
      `hidden changes: ${requests.length} requests, ${changes} columns changed, ${different.length} replies differ\n`,
    );
    expect(different).toEqual([]);
    expect(changes).toBeGreaterThan(100);
    expect(requests.length).toBeGreaterThan(5_000);
  }, 900_000);
});
