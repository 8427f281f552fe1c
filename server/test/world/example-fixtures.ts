import { isIP } from 'node:net';
import { catalogue } from '../../src/catalogue.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import type { Collection } from '../../src/kernel/declare/declaration.ts';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import type { Json } from '../../src/kernel/documents/json-schema.ts';
import type { Runtime } from '../../src/kernel/write/runtime.ts';
import { userAccount } from '../../src/user/user-account/user-account.ts';
import { asOwner } from '../trials/slices.ts';
import { Client } from './client.ts';
import { fixtures } from './fixtures.ts';
import type { World } from './open-world.ts';
import { pathWith } from './paths.ts';

/** Declarations whose operations have another name. */
const declarations: Readonly<Record<string, string>> = { account: userAccount.name, user: userAccount.name };

const declarationOf = (noun: string): Collection =>
  catalogue.find((group) => group.declaration.name === (declarations[noun] ?? noun))!.declaration as Collection;

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

const isChoice = (noun: string, field: string): boolean => declarationOf(noun).fields[field]?.shape.kind === 'choice';
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

/** What stands in for the parts of an example that depend on the world it is sent to. */
interface Sending {
  path: string;
  body?: unknown;
  client: Client;
  headers?: Record<string, string>;
}

/** The password of every caller, and the one that an example changes it to. */
const passwords = ['correct-horse-battery', 'battery-horse-correct'] as const;

/** The parameters that an operation cannot do without, as their examples have them. */
export function exampleQuery({ query }: Operation): string {
  const required = Object.entries(query).flatMap(([name, { required, shape }]) =>
    required && shape.example !== undefined ? [[name, String(shape.example)] as [string, string]] : [],
  );
  return required.length > 0 ? `?${new URLSearchParams(required)}` : '';
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

  /** A stage with the records that no client creates. */
  static async open(world: World): Promise<Stage> {
    const { runtime } = world.service;
    const seen = new Map<string, number>();
    await runtime.transact(systemOrigin('test'), async (tx) => {
      const staged = async (noun: string): Promise<number> => {
        const id = seen.get(noun) ?? (await fixtures.get(noun)!.stage!(tx, staged));
        seen.set(noun, id);
        return id;
      };
      for (const [noun, { stage }] of fixtures) if (stage) await staged(noun);
    });
    await asOwner(world.database, (owner) => owner.query(archiveSql));
    return new Stage(world, seen);
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
      .filter(([key, value]) => typeof value === 'string' && isUnique(noun, key) && !isChoice(noun, key))
      .map(([key, value]) => [
        key,
        isMac(noun, key)
          ? `00:50:C2:01:${hex(number >> 8)}:${hex(number & 255)}`
          : isIP(String(value))
            ? `198.18.${number >> 8}.${number & 255}`
            : `${value}${isKey(noun, key) ? '-' : ' '}${number}`,
      ]);
    const more = fixtures.get(noun)?.fresh?.(number);
    return this.#ownReferences(noun, { ...example, ...Object.fromEntries(free), ...more });
  }

  /** Ids in an example name records of nobody in particular: these are made for it. */
  async #ownReferences(noun: string, example: Json): Promise<Json> {
    const own: Json = { ...example };
    for (const [name, { nestedReferences: inner = [], reference }] of Object.entries(declarationOf(noun).fields)) {
      // Only one record may refer to it, so each gets its own: a group of people.
      if (isUnique(noun, name) && reference && own[name]) own[name] = await this.record(reference.to, 'USER');
      else if (reference && own[name] && fixtures.get(noun)?.made?.includes(name))
        own[name] = await this.record(reference.to);
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
    const id = !path.includes(`{${operation.idName ?? 'id'}}`)
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
    const { operationId } = operation;
    const [noun, verb] = operationId.split('.') as [string, string];
    const path = operation.path.replace(
      /\{deviceI[Dd]\}|(?<=\/nas\/fixstale\/)\{id\}/,
      String(this.#seen.get('staged-device')),
    );
    const query =
      fixtures.get(noun)?.parameters?.[verb]?.((staged) => this.#seen.get(staged)!) ?? exampleQuery(operation);
    return (path.includes('{groupID}') ? path : pathWith({ ...operation, path }, id)) + query;
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

  async #signedIn(operation: Operation, noun: string, verb: string): Promise<Sending> {
    const { path, body, example } = operation;
    if (noun === 'token') {
      const id = path.includes('{id}') ? await this.#token() : 0;
      return { path: path.replace('{id}', String(id)), body: example, client: this.#admin };
    }
    const [login, reply] = await this.#login();
    if (verb === 'login') return { path, body: login, client: this.#clientOf('') };
    const client = this.#clientOf(String(reply.body.results![0]!.sessionKey));
    if (verb === 'password') {
      const body = {
        ...(example as Json),
        currentPassword: login.password,
        newPassword: passwords.find((word) => word !== login.password),
      };
      return { path, body, client };
    }
    if (verb !== 'revoke') {
      // The user of an example is whoever signs in here.
      const own = { ...(example as Json), ...('userID' in Object(example) && { userID: login.userID }) };
      const at = this.path(operation).replace(/(?<=[?&]userID=)[^&]+/, login.userID);
      return { path: at, client, ...(body && { body: own }) };
    }
    const { id } = (await client.get('/auth/sessions')).body.results!.find(({ current }) => current)!;
    return { path: path.replace('{id}', String(id)), client: this.#admin };
  }

  /** Whether an earlier example really changed the password is not known here: one of the two signs in. */
  async #login() {
    for (const password of passwords) {
      const login = { userID: 'system-administrator-1', password };
      const reply = await this.#clientOf('').post('/auth/login', login);
      if (reply.code === 200) return [login, reply] as const;
    }
    throw new Error('neither password of the examples signs in');
  }

  async #token(): Promise<number> {
    const reply = await this.#admin.post('/auth/tokens', { name: `token ${++this.#made}` });
    return reply.body.results![0]!.id as number;
  }
}
