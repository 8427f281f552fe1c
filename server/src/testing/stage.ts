import { isIP } from 'node:net';
import type pg from 'pg';
import { catalogue } from '../catalogue.ts';
import { networkDevice } from '../device/network-device/network-device.ts';
import { observePorts } from '../device/port/observe-ports.ts';
import { writePortChanges } from '../device/port-change/write-port-changes.ts';
import { observeSsids } from '../device/ssid/observe-ssids.ts';
import { adapter } from '../host/adapter/adapter.ts';
import type { Collection } from '../kernel/declare.ts';
import type { Json } from '../kernel/json-schema.ts';
import type { Operation } from '../kernel/operation.ts';
import type { Runtime } from '../kernel/runtime.ts';
import { systemOrigin } from '../system/background-task/follow-jobs.ts';
import { Client } from './client.ts';
import type { World } from './open-world.ts';
import { pathWith, staged } from './paths.ts';
import { asOwner } from './slices.ts';

const declarationOf = (noun: string): Collection =>
  catalogue.find((group) => group.declaration.name === noun)!.declaration as Collection;

/** Whether no two records of a group may have the same value here. */
function isUnique(noun: string, field: string): boolean {
  const declaration = declarationOf(noun);
  return declaration.fields[field]?.unique || (declaration.uniqueTogether ?? []).flat().includes(field);
}

/** Whether the field takes words of a kind only, which have no spaces. */
function isKey(noun: string, field: string): boolean {
  const shape = declarationOf(noun).fields[field]?.shape;
  return shape?.kind === 'text' && shape.pattern !== undefined;
}

const isMac = (noun: string, field: string): boolean => declarationOf(noun).fields[field]?.shape.kind === 'mac';
const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();

/** The archive that examples name; the service makes such a row when it has written the file. */
const archiveSql = `
  insert into log_archive (name, log, slice, landscape, rows, min_id, max_id, bytes, sha256, schema_version, product_version, created_at)
  values ('event-2026-01-31-L1', 'event', '2026-01-31', 1, 0, 0, 0, 0, '', 1, '0.1.0', now())
  on conflict do nothing`;

const enforceSql = `insert into group_member (group_id, element_type, member_id)
  select g.id, 3, $1 from "group" g where g.type = 'PORT' and g.enforcement = 'REGISTRATION'
  on conflict do nothing`;

/** A change of a port, which the service writes when it has made one. */
async function portChangeOf(client: pg.PoolClient, portID: number): Promise<number> {
  const byHand = { reason: 'MANUAL', method: 'SNMP', trigger: 'ADMIN', triggeredBy: 'night-shift' } as const;
  await writePortChanges(client, [
    { ...byHand, portID, vlan: { from: '10', to: '20' }, errorMessage: null, durationMs: 90 },
  ]);
  return (await client.query<{ id: number }>('select c.id from port_change c')).rows[0]!.id;
}

/** What stands in for the parts of an example that depend on the world it is sent to. */
interface Sending {
  path: string;
  body?: unknown;
  client: Client;
  headers?: Record<string, string>;
}

/** Makes what an example speaks of: the record of its path, the monitor, the session. */
export class Stage {
  readonly #admin: Client;
  readonly #clientOf: (token: string) => Client;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #runtime: Runtime;
  readonly #seen: ReadonlyMap<string, number>;
  #made = 0;

  private constructor({ admin, service }: World, seen: ReadonlyMap<string, number>) {
    this.#admin = admin;
    this.#clientOf = (token) => new Client(service.app, token);
    this.#seen = seen;
    this.#runtime = service.runtime;
    this.#operations = new Map(service.operations.map((operation) => [operation.operationId, operation]));
  }

  /** A stage with what no client makes, because the service sees it in the network: a device and its port. */
  static async open(world: World): Promise<Stage> {
    const { runtime } = world.service;
    const seen = await runtime.transact(systemOrigin('test'), async (tx) => {
      const { records, client } = tx;
      const { id: deviceID } = await records.create(networkDevice, { name: 'core', containerID: 1 });
      await observePorts(client, [{ deviceID, name: 'Gi1/0/1', ifindex: '1' }]);
      await observePorts(client, [{ deviceID, name: 'corp', portType: 1 }]);
      await observeSsids(tx, { id: deviceID, name: 'core' }, [{ name: 'corp', bssid: null, security: 'PSK' }]);
      const { rows } = await client.query<{ id: number }>('select p.id from port p order by p.id');
      const [port, network] = [rows[0]!.id, rows[1]!.id];
      const change = await portChangeOf(client, port);
      await records.create(adapter, { physicalAddress: staged.mac, ipaddress: staged.ip });
      await client.query(
        'insert into connection_active (mac, device_id, port_id) select a.physical_address, $1, $2 from adapter a',
        [deviceID, port],
      );
      await client.query(
        `update host set logged_on_user_id = 'a.turing', owner_id = (select min(u.id) from user_account u)`,
      );
      // Types of events come with the service.
      return { port, 'ssid-config': network, 'port-change': change, deviceID, 'event-types': 1, 'event-type': 1 };
    });
    await asOwner(world.database, (owner) => owner.query(archiveSql));
    return new Stage(world, new Map(Object.entries(seen)));
  }

  /** Lets the port take part in isolating hosts. */
  async enforce(): Promise<void> {
    await this.#runtime.pool.query(enforceSql, [this.#seen.get('port')]);
  }

  /** A new record of a group; of a type, where the group has types; of the kind that the verb is about, where it has several. */
  async record(noun: string, type?: string, verb = ''): Promise<number> {
    const seen = this.#seen.get(noun);
    if (seen !== undefined) return seen;
    const maker = this.#maker(noun, verb);
    const path = type ? maker.path.replace(/\{\w+\}/, type) : pathWith(maker, 0);
    return this.#admin.create({ path }, await this.fresh(noun, type, verb));
  }

  /** The operation that makes one: `create`, or `create-pingable` for what `update-pingable` is about. */
  #maker(noun: string, verb: string): Operation {
    const kind = /^(create|update)-/.test(verb) ? `${noun}.${verb.replace('update', 'create')}` : undefined;
    const plain = [...this.#operations.values()].filter(
      ({ operationId }) => operationId === `${noun}.create` || operationId.startsWith(`${noun}.create-`),
    );
    return (kind && this.#operations.get(kind)) || plain[0]!;
  }

  /** The example of a group, under a name that is still free. */
  async fresh(noun: string, type?: string, verb = ''): Promise<Json> {
    // What ages are hosts and users.
    const { daysValid, ...plain } = this.#maker(noun, verb).example as Json;
    const example: Json = type || daysValid === undefined ? plain : { ...plain, daysValid };
    const number = ++this.#made;
    const free = Object.entries(example)
      .filter(([key, value]) => typeof value === 'string' && isUnique(noun, key))
      .map(([key, value]) => [
        key,
        isMac(noun, key)
          ? `00:50:C2:01:${hex(number >> 8)}:${hex(number & 255)}`
          : isIP(String(value))
            ? `198.18.${number >> 8}.${number & 255}`
            : `${value}${isKey(noun, key) ? '-' : ' '}${number}`,
      ]);
    return this.#ownReferences(noun, { ...example, ...Object.fromEntries(free) });
  }

  /** Ids in an example name records of nobody in particular: these are made for it. */
  async #ownReferences(noun: string, example: Json): Promise<Json> {
    const own: Json = { ...example };
    for (const [name, { inner = [], reference, unique }] of Object.entries(declarationOf(noun).fields)) {
      // Only one record may refer to it, so each gets its own: a group of people.
      if (unique && reference && own[name]) own[name] = await this.record(reference.to, 'USER');
      const [direct] = inner.filter(({ path }) => path.length === 1);
      const ids = own[name];
      if (!direct || !Array.isArray(ids)) continue;
      // One after the other, so that the same example names the same records each time.
      const made: number[] = [];
      for (const _ of ids) made.push(await this.record(direct.to));
      own[name] = made;
    }
    return own;
  }

  /** Takes a record away that has the name of the example, so that the next one can have it. */
  async remove(noun: string, id: number): Promise<void> {
    const many = this.#operations.get(`${noun}.delete-many`);
    if (many) await this.#admin.post(many.path, { id: [id] });
  }

  async sending(operation: Operation): Promise<Sending> {
    const { operationId, path, example, body } = operation;
    const [noun, verb] = operationId.split('.') as [string, string];
    if (operation.uploads && !body) {
      const headers = { 'content-type': operation.uploads.types![0]! };
      return { path, body: example, client: this.#admin, headers };
    }
    if (noun === 'session' || noun === 'token') return this.#signedIn(operation, noun, verb);
    const id = !path.includes('{id}')
      ? 0
      : verb.startsWith('monitor-')
        ? await this.#monitor(noun)
        : await this.record(noun, undefined, verb);
    const sent = body ? await this.#ownIds(noun, example as Json) : undefined;
    const groupID = path.includes('{groupID}') ? await this.record('group', 'ADMINISTRATOR') : 0;
    const at = this.path(operation, id).replace('{groupID}', String(groupID));
    return { path: at, client: this.#admin, ...(sent && { body: sent }) };
  }

  /** The path of an operation, with the parameters that it cannot do without. */
  path(operation: Operation, id = 0): string {
    const { operationId, path } = operation;
    const deviceID = this.#seen.get('deviceID');
    const portID = this.#seen.get('port');
    const queries: Readonly<Record<string, string>> = {
      'adapter.for-host': '?hostID=1',
      'adapter.connected-to-ports': `?portID=${portID}`,
      'host.connected-to-port': `?portID=${portID}`,
      'host.search': '?q=a.turing',
      'host.for-user': '?userID=a.turing',
      'port.by-device': `?deviceID=${deviceID}`,
      'network-device.move': `?id=${deviceID}&containerID=1`,
      'discovery-run.status': '?containerID=1',
    };
    return (path.includes('{groupID}') ? path : pathWith(operation, id)) + (queries[operationId] ?? '');
  }

  /** The ids in an example are those of nobody in particular. */
  async #ownIds(noun: string, example: Json): Promise<Json> {
    if (Array.isArray(example)) return example;
    const nouns: Record<string, string> = { id: noun, groupID: 'group', parentID: 'group', elemID: 'port' };
    const type = 'elemID' in example ? 'PORT' : undefined;
    const own = await this.#ownReferences(noun, example);
    for (const [name, value] of Object.entries(example)) {
      const of = nouns[name];
      if (of === undefined) continue;
      if (typeof value === 'number') own[name] = await this.record(of, type);
      if (!Array.isArray(value)) continue;
      const ids: number[] = [];
      for (const _ of value) ids.push(await this.record(of, type));
      own[name] = ids;
    }
    return own;
  }

  /** A monitor with something to tell. */
  async #monitor(noun: string): Promise<number> {
    const id = await this.#admin.create({ path: this.#operations.get(`${noun}.monitor-start`)!.path }, {});
    await this.record(noun);
    return id;
  }

  async #signedIn({ path, example }: Operation, noun: string, verb: string): Promise<Sending> {
    const login = { userID: 'system-administrator-1', password: 'correct-horse-battery' };
    if (noun === 'token') {
      const id = path.includes('{id}') ? await this.#token() : 0;
      return { path: path.replace('{id}', String(id)), body: example, client: this.#admin };
    }
    if (verb === 'login') return { path, body: login, client: this.#clientOf('') };
    const reply = await this.#clientOf('').post('/auth/login', login);
    const client = this.#clientOf(String(reply.body.results![0]!.sessionKey));
    if (verb === 'password') {
      const body = { ...(example as Json), currentPassword: login.password, newPassword: login.password };
      return { path, body, client };
    }
    if (verb !== 'revoke') return { path, client };
    const { id } = (await client.get('/auth/sessions')).body.results!.find(({ current }) => current)!;
    return { path: path.replace('{id}', String(id)), client: this.#admin };
  }

  async #token(): Promise<number> {
    const reply = await this.#admin.post('/auth/tokens', { name: `token ${++this.#made}` });
    return reply.body.results![0]!.id as number;
  }
}
