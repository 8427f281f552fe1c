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

/** What laws ask of a collection or a log; the latter has no paths of its own spelling, and no owners. */
export type TestedDeclaration = Declaration & Partial<Pick<Collection, 'paths' | 'ownedBy' | 'typeInPath'>>;

/** What a group tells the laws about itself. */
export interface ConformanceOptions {
  /** A body that creates the nth record: no two of them share a natural key. */
  sample(n: number): Body;
  /** What an update changes in the nth record; its label, as in the nth sample, when absent. */
  change?(n: number): Body;
  /** Makes a record that refers to this one and forbids its deletion; answers how usage names it. */
  referrer?(world: World, record: Body): Promise<{ group: string; name: string }>;
  /** The type of the samples, where it stands in the path of a create. */
  type?: string;
  /** How many records of the group always stand behind the others in the order, such as a built-in last resort. */
  behind?: number;
  /** Fields that may be null, but not in the samples: a rule of the group needs them there. */
  needed?: readonly string[];
  /** Fields that the service works out, and that are refused when another value is sent. */
  refused?: readonly string[];
  /** The world to try the group in; a new one when absent. */
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

/** One group in a world, and the few steps that all laws are made of. */
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

  /** Where records are created, and updated by their identity. */
  get savePath(): string {
    return this.declaration.typeInPath ? `${this.path}/${this.options.type}` : this.path;
  }

  /** Where a pattern is served, as this group spells it. */
  url(pattern: keyof typeof usualPaths, id: number | string = ''): string {
    const at = this.declaration.paths?.[pattern] ?? usualPaths[pattern];
    return `${pattern === 'update' ? this.savePath : this.path}${at.replace(/\{\w+\}/, String(id))}`;
  }

  get table(): Table {
    return this.world.service.runtime.engine.model.byName(this.declaration.name);
  }

  get identity(): string {
    return this.declaration.identity;
  }

  /** Somebody who holds these verbs on the group, and nothing else. */
  caller(...held: Verb[]): Promise<Client> {
    return this.#once(`caller ${held}`, () => this.#scoped(this.admin, { [this.declaration.permission]: held }));
  }

  /** Another account, which may add. */
  otherAccount(): Promise<Client> {
    return this.#once('other', () => this.world.caller({ [this.declaration.permission]: ['add'] }));
  }

  /** Another account, without any right. */
  callerWithoutRights(): Promise<Client> {
    return this.#once('stranger', async () => this.#scoped(await this.otherAccount(), {}));
  }

  /** A token with these rights: cheaper than an account, whose password takes time to hash. */
  async #scoped(owner: Client, scopes: Record<string, string[]>): Promise<Client> {
    const reply = await owner.post('/auth/tokens', { name: 'scoped', scopes });
    return new Client(this.world.service.app, String(reply.body.results![0]!.token));
  }

  #once(name: string, make: () => Promise<Client>): Promise<Client> {
    const made = this.#callers.get(name) ?? make();
    this.#callers.set(name, made);
    return made;
  }

  sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    return this.world.service.runtime.pool.query<R>(text, values).then(({ rows }) => rows);
  }

  /** The body of a record that nobody has made yet. */
  sample(): Body {
    return this.options.sample(++this.#made);
  }

  /** The field and text of a sample that no other sample has. */
  own(sample: Body): [field: string, value: string] {
    const other = this.options.sample(0);
    const { label } = this.declaration;
    const field = [label, ...Object.keys(sample)].find(
      (key) => typeof sample[key] === 'string' && sample[key] !== other[key],
    );
    return [field!, String(sample[field!])];
  }

  /** A change that no record has yet. */
  change(): Body {
    const n = ++this.#made;
    const { label } = this.declaration;
    return this.options.change?.(n) ?? { [label]: this.options.sample(n)[label] };
  }

  async create(more: Body = {}): Promise<{ id: number; sent: Body; record: Body }> {
    const sent = { ...this.sample(), ...more };
    const id = await this.admin.create({ path: this.savePath }, sent);
    return { id, sent, record: await this.fetch(id) };
  }

  /** The record as it is fetched, or listed where the group cannot fetch one. */
  async fetch(id: number): Promise<Body> {
    if (this.has('fetch')) return this.admin.fetch(this.declaration, id);
    const { results } = (await this.admin.get(this.one(id))).body;
    expect(results).toHaveLength(1);
    return results![0]!;
  }

  /** Where this record and no other is read. */
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

  /** The ways this group lets a record be updated. */
  updates(): ((id: number, body: Body, headers?: Record<string, string>) => Promise<Reply>)[] {
    const ways = [(id: number, body: Body, headers?: Record<string, string>) => this.update(id, body, headers)];
    if (this.has('update')) ways.push((id, body, headers) => this.admin.post(this.url('update', id), body, headers));
    return ways;
  }

  update(id: number, body: Body, headers?: Record<string, string>): Promise<Reply> {
    return this.admin.post(this.savePath, { ...body, [this.identity]: id }, headers);
  }

  /** Whether a record can be written again; what a log says stays said. */
  get isWritable(): boolean {
    return this.declaration.kind === 'collection';
  }

  has(...patterns: Pattern[]): boolean {
    return patterns.every((pattern) => this.declaration.patterns.includes(pattern));
  }

  /** Takes the record away again, by whichever way the group has. */
  async remove(id: number): Promise<Reply> {
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

  /** Everything a write could leave behind: rows as they are, and how many there are of the rest. */
  async footprint(): Promise<object> {
    const counted = ['audit_record', 'event', 'change_feed', 'monitor', 'idempotency_key', 'reference'];
    const counts = counted.map((name) => `(select count(*) from ${name}) as ${quoted(name)}`);
    // Without the jobs that pg-boss creates by the clock: a minute may begin at any moment of a test.
    const jobs = `(select count(*) from pgboss.job j
      where not starts_with(j.name, '__pgboss__') and not exists (select from pgboss.schedule s where s.name = j.name)) as jobs`;
    const [footprint] = await this.sql(
      `select (select md5(string_agg(t::text, ',' order by t.id)) from ${quoted(this.table.name)} t) as rows, ${jobs}, ${counts.join(', ')}`,
    );
    return footprint!;
  }

  /** Runs calls that must leave nothing behind. */
  async expectNoChange<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.footprint();
    const result = await work();
    expect(await this.footprint()).toEqual(before);
    return result;
  }

  /** Sends a body that must be refused, and says where the problem document finds the fault. */
  async faultsOf(body: unknown, path = this.savePath): Promise<string[]> {
    const reply = await this.admin.post(path, body, asProblem);
    expect(reply, `${JSON.stringify(body).slice(0, 200)} → ${reply.text.slice(0, 200)}`).toMatchObject({ code: 400 });
    return (reply.body as unknown as Problem).errors.map(({ pointer, parameter }) => pointer ?? `?${parameter}`);
  }

  /** Audit rows of a record, oldest first, as the API tells them. */
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

  /** The identities of a list, in its order. */
  async ids(query: string): Promise<number[]> {
    return (await this.list(query)).body.results!.map((record) => record[this.identity] as number);
  }

  /** The records with one of these identities, as a query. */
  among(ids: readonly number[]): string {
    return `filter=${encodeURIComponent(`${this.identity}=in=(${ids.join(',')})`)}`;
  }

  column(field: string): string {
    return quoted(snakeCase(field));
  }
}

/** The fields of a declaration that a test asks for. */
export const fieldsOf = (
  declaration: TestedDeclaration,
  wanted: (field: Field, name: string) => boolean,
): [string, Field][] => Object.entries(declaration.fields).filter(([name, field]) => wanted(field, name));

export const isWritable = ({ access }: Field): boolean => access === 'write' || access === 'secret';

/** Fields that a body without them cannot create. */
export const isRequired = (field: Field): boolean =>
  isWritable(field) && field.default === undefined && (field.stored || field.reference !== undefined);

export const without = (body: Body, ...names: string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
