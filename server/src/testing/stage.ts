import { isIP } from 'node:net';
import { catalogue } from '../catalogue.ts';
import { networkDevice } from '../device/network-device/network-device.ts';
import { observePorts } from '../device/port/observe-ports.ts';
import type { Collection } from '../kernel/declare.ts';
import type { Json } from '../kernel/json-schema.ts';
import type { Operation } from '../kernel/operation.ts';
import { systemOrigin } from '../system/background-task/follow-jobs.ts';
import { Client } from './client.ts';
import type { World } from './open-world.ts';

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

/** What stands in for the parts of an example that depend on the world it is sent to. */
interface Sending {
  path: string;
  body?: unknown;
  client: Client;
}

/** What no client makes, because the service sees it in the network. */
interface Seen {
  deviceID: number;
  port: number;
}

/** Makes what an example speaks of: the record of its path, the monitor, the session. */
export class Stage {
  readonly #admin: Client;
  readonly #clientOf: (token: string) => Client;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #seen: Seen;
  #made = 0;

  private constructor({ admin, service }: World, seen: Seen) {
    this.#admin = admin;
    this.#clientOf = (token) => new Client(service.app, token);
    this.#seen = seen;
    this.#operations = new Map(service.operations.map((operation) => [operation.operationId, operation]));
  }

  /** A stage with what no client makes, because the service sees it in the network: a device and its port. */
  static async open(world: World): Promise<Stage> {
    const { runtime } = world.service;
    const seen = await runtime.transact(systemOrigin('test'), async ({ records, client }) => {
      const { id: deviceID } = await records.create(networkDevice, { name: 'core', containerID: 1 });
      await observePorts(client, [{ deviceID, name: 'Gi1/0/1', ifindex: '1' }]);
      const { rows } = await client.query<{ id: number }>('select p.id from port p');
      return { deviceID, port: rows[0]!.id };
    });
    return new Stage(world, seen);
  }

  /** A new record of a group; of one that has several kinds, of the kind that the verb is about. */
  async record(noun: string, verb = ''): Promise<number> {
    if (noun === 'port') return this.#seen.port;
    const { path } = this.#maker(noun, verb);
    return this.#admin.create({ path }, await this.fresh(noun, verb));
  }

  /** The operation that makes one: `create`, or `create-pingable` for what `update-pingable` is about. */
  #maker(noun: string, verb: string): Operation {
    const kind = verb.startsWith('update-') ? `${noun}.create-${verb.slice('update-'.length)}` : undefined;
    const makers = [...this.#operations.values()].filter(({ operationId }) =>
      kind ? operationId === kind : operationId === `${noun}.create` || operationId.startsWith(`${noun}.create-`),
    );
    return makers[0]!;
  }

  /** The example of a group, under a name that is still free. */
  async fresh(noun: string, verb = ''): Promise<Json> {
    const example = this.#maker(noun, verb).example as Json;
    const number = ++this.#made;
    const free = Object.entries(example)
      .filter(([key, value]) => typeof value === 'string' && isUnique(noun, key))
      .map(([key, value]) => [
        key,
        isIP(String(value))
          ? `198.18.${number >> 8}.${number & 255}`
          : `${value}${isKey(noun, key) ? '-' : ' '}${number}`,
      ]);
    return this.#ownReferences(noun, { ...example, ...Object.fromEntries(free) });
  }

  /** Lists of ids in an example name records of nobody in particular: these are made for it. */
  async #ownReferences(noun: string, example: Json): Promise<Json> {
    const own: Json = { ...example };
    for (const [name, { inner = [] }] of Object.entries(declarationOf(noun).fields)) {
      const [direct] = inner.filter(({ path }) => path.length === 1);
      const ids = own[name];
      if (direct && Array.isArray(ids)) own[name] = await Promise.all(ids.map(() => this.record(direct.to)));
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
    if (noun === 'session' || noun === 'token') return this.#signedIn(operation, noun, verb);
    const id = !path.includes('{id}')
      ? 0
      : verb.startsWith('monitor-')
        ? await this.#monitor(noun)
        : await this.record(noun, verb);
    const sent = body ? await this.#ownIds(noun, example as Json) : undefined;
    return { path: this.path(operation, id), client: this.#admin, ...(sent && { body: sent }) };
  }

  /** The path of an operation, with the parameters that it cannot do without. */
  path({ path, operationId }: Operation, id = 0): string {
    const { deviceID } = this.#seen;
    const queries: Readonly<Record<string, string>> = {
      'port.by-device': `?deviceID=${deviceID}`,
      'network-device.move': `?id=${deviceID}&containerID=1`,
    };
    return path.replace('{id}', String(id)) + (queries[operationId] ?? '');
  }

  /** The ids in an example are those of nobody in particular. */
  async #ownIds(noun: string, example: Json): Promise<Json> {
    const { id } = example;
    if (typeof id === 'number') return { ...example, id: await this.record(noun) };
    if (!Array.isArray(id)) return this.#ownReferences(noun, example);
    const ids: number[] = [];
    for (const _ of id) ids.push(await this.record(noun));
    return { ...example, id: ids };
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
