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

/** Declarations of operations with another name. */
const declarations: Readonly<Record<string, string>> = { account: userAccount.name, user: userAccount.name };

const declarationOf = (noun: string): Collection =>
  catalogue.find((group) => group.declaration.name === (declarations[noun] ?? noun))!.declaration as Collection;

/** True if no two records of a resource may have the same value in this field. */
function isUnique(noun: string, field: string): boolean {
  const declaration = declarationOf(noun);
  return declaration.fields[field]?.unique || (declaration.uniqueTogether ?? []).flat().includes(field);
}

/** True if the field has a pattern, which does not allow spaces. */
function isKey(noun: string, field: string): boolean {
  const shape = declarationOf(noun).fields[field]?.shape;
  return shape?.kind === 'text' && shape.pattern !== undefined;
}

const isChoice = (noun: string, field: string): boolean => declarationOf(noun).fields[field]?.shape.kind === 'choice';
const isMac = (noun: string, field: string): boolean => declarationOf(noun).fields[field]?.shape.kind === 'mac';
const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();

/** The archives that examples name; the service inserts such a row after it has written the file. */
const archiveSql = `
  insert into log_archive (name, log, slice, landscape, rows, min_id, max_id, bytes, sha256, schema_version, product_version, created_at)
  select log || '-2026-01-31-L1', log, '2026-01-31', 1, 0, 0, 0, 0, '', 1, '0.1.0', now()
  from unnest(array['event', 'connection_log']) log
  on conflict do nothing`;

const enforceSql = `insert into group_member (group_id, element_type, member_id)
  select g.id, 3, $1 from "group" g where g.type = 'PORT' and g.enforcement = 'REGISTRATION'
  on conflict do nothing`;

/** The parts of a request that depend on the test world. */
interface Sending {
  path: string;
  body?: unknown;
  client: Client;
  headers?: Record<string, string>;
}

/** The password of every caller, and the one that an example changes it to. */
const passwords = ['correct-horse-battery', 'battery-horse-correct'] as const;

/** Returns the required parameters of an operation, from their examples. */
export function exampleQuery({ query }: Operation): string {
  const required = Object.entries(query).flatMap(([name, { required, shape }]) =>
    required && shape.example !== undefined ? [[name, String(shape.example)] as [string, string]] : [],
  );
  return required.length > 0 ? `?${new URLSearchParams(required)}` : '';
}

/** Creates what an example refers to: the record of its path, the monitor, the session. */
export class Stage {
  readonly #admin: Client;
  readonly #clientOf: (token: string) => Client;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #runtime: Runtime;
  readonly #seen: ReadonlyMap<string, number>;
  #made = 0;

  private constructor({ admin, service }: World, stagedIds: ReadonlyMap<string, number>) {
    this.#admin = admin;
    this.#clientOf = (token) => new Client(service.app, token);
    this.#seen = stagedIds;
    this.#runtime = service.runtime;
    this.#operations = new Map(service.operations.map((operation) => [operation.operationId, operation]));
  }

  /** Opens a stage with the records that no client creates. */
  static async open(world: World): Promise<Stage> {
    const { runtime } = world.service;
    const stagedIds = new Map<string, number>();
    await runtime.transact(systemOrigin('test'), async (tx) => {
      const staged = async (noun: string): Promise<number> => {
        const id = stagedIds.get(noun) ?? (await fixtures.get(noun)!.stage!(tx, staged));
        stagedIds.set(noun, id);
        return id;
      };
      for (const [noun, { stage }] of fixtures) if (stage) await staged(noun);
    });
    await asOwner(world.database, (owner) => owner.query(archiveSql));
    return new Stage(world, stagedIds);
  }

  /** Enforces isolation of hosts on the port. */
  async enforce(): Promise<void> {
    await this.#runtime.pool.query(enforceSql, [this.#seen.get('port')]);
  }

  /**
   * Creates a record of a resource: of a type, if the resource has types; of the kind that the verb is about, if it has
   * several.
   */
  async record(noun: string, type?: string, verb = ''): Promise<number> {
    const stagedId = this.#seen.get(noun);
    if (stagedId !== undefined) return stagedId;
    const maker = this.#maker(noun, verb);
    const path = type ? maker.path.replace(/\{\w+\}/, type) : pathWith(maker, 0);
    return this.#admin.create({ path }, await this.fresh(noun, type, verb));
  }

  /** Returns the operation that creates a record: `create`, or `create-pingable` for `update-pingable`. */
  #maker(noun: string, verb: string): Operation {
    const kind = /^(create|update)-/.test(verb) ? `${noun}.${verb.replace('update', 'create')}` : undefined;
    const plain = [...this.#operations.values()].filter(
      ({ operationId }) => operationId === `${noun}.create` || operationId.startsWith(`${noun}.create-`),
    );
    return (kind && this.#operations.get(kind)) || plain[0]!;
  }

  /** Returns the example of a resource, with unused names. */
  async fresh(noun: string, type?: string, verb = ''): Promise<Json> {
    // Only hosts and users have a validity.
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
    const extraFields = fixtures.get(noun)?.fresh?.(number);
    return this.#ownReferences(noun, { ...example, ...Object.fromEntries(free), ...extraFields });
  }

  /** Creates records for the ids in an example, which are placeholders. */
  async #ownReferences(noun: string, example: Json): Promise<Json> {
    const body: Json = { ...example };
    for (const [name, { nestedReferences: inner = [], reference }] of Object.entries(declarationOf(noun).fields)) {
      // Only one record may refer to it, so each gets its own: a group of people.
      if (isUnique(noun, name) && reference && body[name]) body[name] = await this.record(reference.to, 'USER');
      else if (reference && body[name] && fixtures.get(noun)?.made?.includes(name))
        body[name] = await this.record(reference.to);
      const [direct] = inner.filter(({ path }) => path.length === 1);
      const ids = body[name];
      if (!direct || !Array.isArray(ids)) continue;
      // One after the other, so that the same example names the same records each time.
      const createdIds: number[] = [];
      for (const _ of ids) createdIds.push(await this.record(direct.to));
      body[name] = createdIds;
    }
    return body;
  }

  /** Deletes a record with the name of the example, so that the next one can have it. */
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
    const requestBody = body ? await this.#ownIds(noun, example as Json) : undefined;
    const groupID = path.includes('{groupID}') ? await this.record('group', 'ADMINISTRATOR') : 0;
    const url = this.path(operation, id).replace('{groupID}', String(groupID));
    return { path: url, client: this.#admin, ...(requestBody && { body: requestBody }) };
  }

  /** Returns the path of an operation, with its required parameters. */
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

  /** Replaces the ids in an example, which are placeholders. */
  async #ownIds(noun: string, example: Json): Promise<Json> {
    if (Array.isArray(example)) return example;
    const nouns: Record<string, string> = { id: noun, groupID: 'group', parentID: 'group', elemID: 'port' };
    const type = 'elemID' in example ? 'PORT' : undefined;
    const body = await this.#ownReferences(noun, example);
    for (const [name, value] of Object.entries(example)) {
      const targetNoun = nouns[name];
      if (targetNoun === undefined) continue;
      if (typeof value === 'number') body[name] = await this.record(targetNoun, type);
      if (!Array.isArray(value)) continue;
      const ids: number[] = [];
      for (const _ of value) ids.push(await this.record(targetNoun, type));
      body[name] = ids;
    }
    return body;
  }

  /** Starts a monitor that has changes to report. */
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
      // The user of an example is the account that is signed in here.
      const ownBody = { ...(example as Json), ...('userID' in Object(example) && { userID: login.userID }) };
      const ownPath = this.path(operation).replace(/(?<=[?&]userID=)[^&]+/, login.userID);
      return { path: ownPath, client, ...(body && { body: ownBody }) };
    }
    const { id } = (await client.get('/auth/sessions')).body.results!.find(({ current }) => current)!;
    return { path: path.replace('{id}', String(id)), client: this.#admin };
  }

  /** Signs in with either password, because an earlier example may have changed it. */
  async #login() {
    for (const password of passwords) {
      const login = { userID: 'system-administrator-1', password };
      const reply = await this.#clientOf('').post('/auth/login', login);
      if (reply.code === 200) return [login, reply] as const;
    }
    throw new Error('neither password of the examples is valid');
  }

  async #token(): Promise<number> {
    const reply = await this.#admin.post('/auth/tokens', { name: `token ${++this.#made}` });
    return reply.body.results![0]!.id as number;
  }
}
