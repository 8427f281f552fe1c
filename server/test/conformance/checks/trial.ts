import { expect } from 'vitest';
import type { Collection, Declaration, Pattern } from '../../../src/kernel/declare/declaration.ts';
import type { Field } from '../../../src/kernel/declare/field.ts';
import { quoted, snakeCase } from '../../../src/kernel/declare/names.ts';
import type { Verb } from '../../../src/kernel/declare/permissions.ts';
import type { Table } from '../../../src/kernel/model/model.ts';
import { readSecret } from '../../../src/kernel/write/secrets.ts';
import { Client, type Reply } from '../../world/client.ts';
import type { World } from '../../world/world.ts';

export type Body = Record<string, unknown>;

/** A collection or a log under test; a log has no paths of its own and no owners. */
export type TestedDeclaration = Declaration & Partial<Pick<Collection, 'paths' | 'ownedBy' | 'typeInPath'>>;

/** What a resource's test passes to the conformance tests. */
export interface ConformanceOptions {
  /** Returns a body that creates the nth record: no two of them share a natural key. */
  sample(n: number): Body;
  /** Returns the changes of an update of the nth record; by default its label, as in the nth sample. */
  change?(n: number): Body;
  /** Creates a record that refers to this one and prevents its deletion; returns how usage names it. */
  referrer?(world: World, record: Body): Promise<{ group: string; name: string }>;
  /** The type of the samples, if it is part of the path of a create. */
  type?: string;
  /** How many records of the resource are always last in the order, such as a built-in default. */
  behind?: number;
  /** Nullable fields that may not be null in the samples, because a rule of the resource requires them. */
  needed?: readonly string[];
  /** Fields that the service computes, and that are refused if another value is sent. */
  refused?: readonly string[];
  /** Deletes a record of a resource without a deletion by id. */
  remove?(world: World, id: number): Promise<Reply>;
  /** The test world to use; by default a new one. */
  world?: World;
}

/** A problem document (RFC 9457). */
export interface Problem {
  status: number;
  detail: string;
  errors: { pointer?: string; parameter?: string; detail: string }[];
}

const usualPaths = {
  fetch: '/{id}',
  count: '/count',
  countAll: '/count/all',
  usage: '/{id}/usage',
  usageByPost: '/{id}/usage',
  update: '/{id}',
  deleteOne: '/{id}',
  deleteByPost: '/{id}/delete',
  deleteMany: '/delete',
  enable: '/{id}/enable',
  disable: '/{id}/disable',
  rankSet: '/rank/set',
  rankSwap: '/rank/swap',
} as const satisfies Partial<Record<Pattern, string>>;

const asProblem = { accept: 'application/problem+json' };

/** One resource in a test world, and the steps that all conformance tests use. */
export class Trial {
  readonly world: World;
  readonly declaration: TestedDeclaration;
  readonly options: ConformanceOptions;
  #made = 0;
  readonly #callers = new Map<string, Promise<Client>>();

  constructor(world: World, declaration: TestedDeclaration, options: ConformanceOptions) {
    this.world = world;
    this.declaration = declaration;
    this.options = options;
  }

  get admin(): Client {
    return this.world.admin;
  }

  get path(): string {
    return this.declaration.path!;
  }

  /** The path where records are created, and updated by their identity. */
  get savePath(): string {
    return this.declaration.typeInPath ? `${this.path}/${this.options.type}` : this.path;
  }

  /** Returns the path of a pattern for this resource. */
  url(pattern: keyof typeof usualPaths, id: number | string = ''): string {
    const subpath = this.declaration.paths?.[pattern] ?? usualPaths[pattern];
    return `${pattern === 'update' ? this.savePath : this.path}${subpath.replace(/\{\w+\}/, String(id))}`;
  }

  get table(): Table {
    return this.world.service.runtime.engine.model.byName(this.declaration.name);
  }

  get identity(): string {
    return this.declaration.identity;
  }

  /** Returns a caller with these verbs on the resource, and nothing else. */
  caller(...verbs: Verb[]): Promise<Client> {
    return this.#once(`caller ${verbs}`, () => this.#scoped(this.admin, { [this.declaration.permission]: verbs }));
  }

  /** Returns another account with the right to add. */
  otherAccount(): Promise<Client> {
    return this.#once('other', () => this.world.caller({ [this.declaration.permission]: ['add'] }));
  }

  /** Returns another account without any right. */
  callerWithoutRights(): Promise<Client> {
    return this.#once('stranger', async () => this.#scoped(await this.otherAccount(), {}));
  }

  /** Returns a token with these rights: faster than an account, whose password takes time to hash. */
  async #scoped(owner: Client, scopes: Record<string, string[]>): Promise<Client> {
    const reply = await owner.post('/auth/tokens', { name: 'scoped', scopes });
    return new Client(this.world.service.app, String(reply.body.results![0]!.token));
  }

  #once(name: string, make: () => Promise<Client>): Promise<Client> {
    const client = this.#callers.get(name) ?? make();
    this.#callers.set(name, client);
    return client;
  }

  sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    return this.world.service.runtime.pool.query<R>(text, values).then(({ rows }) => rows);
  }

  /** Returns a body that was not used yet. */
  sample(): Body {
    return this.options.sample(++this.#made);
  }

  /** Returns the field and text of a sample that no other sample has. */
  own(sample: Body): [field: string, value: string] {
    const otherSample = this.options.sample(0);
    const { label } = this.declaration;
    const field = [label, ...Object.keys(sample)].find(
      (key) => typeof sample[key] === 'string' && sample[key] !== otherSample[key],
    );
    return [field!, String(sample[field!])];
  }

  /** Returns a change that no record has yet. */
  change(): Body {
    const n = ++this.#made;
    const { label } = this.declaration;
    return this.options.change?.(n) ?? { [label]: this.options.sample(n)[label] };
  }

  async create(overrides: Body = {}): Promise<{ id: number; sent: Body; record: Body }> {
    const body = { ...this.sample(), ...overrides };
    const id = await this.admin.create({ path: this.savePath }, body);
    return { id, sent: body, record: await this.fetch(id) };
  }

  /** Returns the record by a fetch, or from the list if the resource has no fetch. */
  async fetch(id: number): Promise<Body> {
    if (this.has('fetch')) return this.admin.fetch(this.declaration, id);
    const { results } = (await this.admin.get(this.one(id))).body;
    expect(results).toHaveLength(1);
    return results![0]!;
  }

  /** Returns the path that reads exactly this record. */
  one(id: number): string {
    return this.has('fetch') ? this.url('fetch', id) : `${this.path}?${this.among([id])}`;
  }

  async isThere(id: number): Promise<boolean> {
    const { code, body } = await this.admin.get(this.one(id));
    return code === 200 && body.results!.length === 1;
  }

  async etag(id: number): Promise<string> {
    if (!this.has('fetch')) return `"${(await this.fetch(id)).version}"`;
    return String((await this.admin.get(this.one(id))).headers.etag);
  }

  /** Returns the functions that update a record of this resource. */
  updates(): ((id: number, body: Body, headers?: Record<string, string>) => Promise<Reply>)[] {
    const ways = [(id: number, body: Body, headers?: Record<string, string>) => this.update(id, body, headers)];
    if (this.has('update')) ways.push((id, body, headers) => this.admin.post(this.url('update', id), body, headers));
    return ways;
  }

  update(id: number, body: Body, headers?: Record<string, string>): Promise<Reply> {
    return this.admin.post(this.savePath, { ...body, [this.identity]: id }, headers);
  }

  /** True if a record can be changed; the rows of a log cannot. */
  get isWritable(): boolean {
    return this.declaration.kind === 'collection';
  }

  has(...patterns: Pattern[]): boolean {
    return patterns.every((pattern) => this.declaration.patterns.includes(pattern));
  }

  /** Deletes the record by an operation that the resource has. */
  async remove(id: number): Promise<Reply> {
    if (this.options.remove) return this.options.remove(this.world, id);
    if (this.has('deleteOne')) return this.admin.delete(this.url('deleteOne', id));
    return this.admin.post(this.url('deleteMany'), { id: [id] });
  }

  get showsUsage(): boolean {
    return this.has('usage') || this.has('usageByPost');
  }

  usage(id: number): Promise<Reply> {
    return this.has('usage') ? this.admin.get(this.url('usage', id)) : this.admin.post(this.url('usageByPost', id));
  }

  secretOf(id: number, field: string): Promise<string> {
    const { pool, engine } = this.world.service.runtime;
    return readSecret(pool, engine.secrets, this.table, { id }, field);
  }

  /** Returns everything that a write could change: a hash of the rows, and the counts of other tables. */
  async footprint(): Promise<object> {
    const counted = ['audit_record', 'event', 'change_feed', 'monitor', 'idempotency_key', 'reference'];
    const counts = counted.map((name) => `(select count(*) from ${name}) as ${quoted(name)}`);
    // Without the jobs that pg-boss creates by the clock: a minute may begin at any time during a test.
    const jobs = `(select count(*) from pgboss.job j
      where not starts_with(j.name, '__pgboss__') and not exists (select from pgboss.schedule s where s.name = j.name)) as jobs`;
    const [footprint] = await this.sql(
      `select (select md5(string_agg(t::text, ',' order by t.id)) from ${quoted(this.table.name)} t) as rows, ${jobs}, ${counts.join(', ')}`,
    );
    return footprint!;
  }

  /** Runs calls that must change nothing. */
  async expectNoChange<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.footprint();
    const result = await work();
    expect(await this.footprint()).toEqual(before);
    return result;
  }

  /** Sends a body that must be refused, and returns the pointers of the errors in the problem document. */
  async faultsOf(body: unknown, path = this.savePath): Promise<string[]> {
    const reply = await this.admin.post(path, body, asProblem);
    expect(reply, `${JSON.stringify(body).slice(0, 200)} → ${reply.text.slice(0, 200)}`).toMatchObject({ code: 400 });
    return (reply.body as unknown as Problem).errors.map(({ pointer, parameter }) => pointer ?? `?${parameter}`);
  }

  /** Returns the audit rows of a record from the API, oldest first. */
  async audit(id: number): Promise<Body[]> {
    const filter = `auditObjectType.dbTableName==${this.table.name};liveDBID==${id}`;
    const reply = await this.admin.get(`/logging/audit?sortKey=auditDBID&filter=${encodeURIComponent(filter)}`);
    expect(reply.code, reply.text).toBe(200);
    return reply.body.results!;
  }

  async list(query: string): Promise<Reply> {
    const reply = await this.admin.get(`${this.path}${query}`);
    expect(reply.code, `${query} → ${reply.text.slice(0, 300)}`).toBe(200);
    return reply;
  }

  /** Returns the identities of a list, in its order. */
  async ids(query: string): Promise<number[]> {
    return (await this.list(query)).body.results!.map((record) => record[this.identity] as number);
  }

  /** Returns a query for the records with these identities. */
  among(ids: readonly number[]): string {
    return `filter=${encodeURIComponent(`${this.identity}=in=(${ids.join(',')})`)}`;
  }

  column(field: string): string {
    return quoted(snakeCase(field));
  }
}

/** Returns the fields of a declaration that satisfy a condition. */
export const fieldsOf = (
  declaration: TestedDeclaration,
  isWanted: (field: Field, name: string) => boolean,
): [string, Field][] => Object.entries(declaration.fields).filter(([name, field]) => isWanted(field, name));

export const isWritable = ({ access }: Field): boolean => access === 'write' || access === 'secret';

/** True if a create without this field is refused. */
export const isRequired = (field: Field): boolean =>
  isWritable(field) && field.default === undefined && (field.stored || field.reference !== undefined);

export const without = (body: Body, ...names: string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
