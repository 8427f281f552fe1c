import { catalogue } from '../../../src/catalogue.ts';
import { isLog } from '../../../src/kernel/declare/declaration.ts';
import type { Operation } from '../../../src/kernel/declare/operation.ts';
import { type Table, uniqueKeys } from '../../../src/kernel/model/model.ts';
import { foldCounters } from '../../../src/kernel/operations/maintenance-jobs.ts';
import { Client, type Reply } from '../../world/client.ts';
import type { Stage } from '../../world/example-fixtures.ts';
import type { World } from '../../world/open-world.ts';
import { commonTextOf } from './common-text.ts';
import { nodeDomain } from './domains.ts';
import { rowsEach } from './fill.ts';
import { rowsRead } from './plan.ts';
import { type Recording, SqlRecorder } from './recorder.ts';

/** The statements and rows of one call. */
export interface Observed {
  /** The folder below `server/src` that contains the resource of the operation. */
  domain: string;
  /** The pattern, or the operation if it is not a pattern, and how it was called. */
  kind: string;
  /** True if operations of other resources can be of this kind. */
  isPattern: boolean;
  /** Such as `GET /api/v2/device/port`. */
  operation: string;
  statements: Statement[];
  /** By table; slices of a log by their own names. */
  rowsRead: ReadonlyMap<string, number>;
}

export interface Statement {
  sender: string;
  /** The text without the parts that differ from resource to resource. */
  text: string;
  prepared: boolean;
  /** True if the same statement with the same values was sent before in the call. */
  again: boolean;
}

interface Sending {
  path: string;
  body?: unknown;
  client: Client;
  headers?: Record<string, string>;
}

/** A session plans a prepared statement for its values five times; after that it may keep one plan for all values. */
const plannedAnew = 5;
const page = 20;

const actions = new Set(
  catalogue.flatMap(({ declaration, actions }) => actions.map(({ name }) => `${declaration.name}.${name}`)),
);
const groups = new Set(catalogue.map(({ declaration }) => declaration.name));

const wordsOf = ({ operationId }: Operation) => operationId.split('.') as [noun: string, verb: string];

/** Patterns that differ in how they are called, not in what they do. */
const kinds: Readonly<Record<string, string>> = {
  'delete-one': 'delete',
  'delete-by-post': 'delete',
  'delete-many': 'delete',
  enable: 'enable or disable',
  disable: 'enable or disable',
  'usage-by-post': 'usage',
};

const isPattern = (operation: Operation): boolean =>
  groups.has(wordsOf(operation)[0]) && !actions.has(operation.operationId);

const equals = (field: string, value: unknown): string =>
  `filter=${encodeURIComponent(`${field}==${JSON.stringify(String(value))}`)}`;

const nextOf = ({ headers }: Reply): string => /^<(.*)>/.exec(String(headers.link))![1]!;

const idOf = (path: unknown): number => Number(String(path).split('/').at(-1));

/** Returns a text field with an index, or the identity if there is none. */
function indexedField({ declaration, fields, selectables }: Table): string {
  const names = isLog(declaration)
    ? declaration.indexes.map(([first]) => first!)
    : [...uniqueKeys(declaration).flat(), ...[...fields.keys()].filter((name) => fields.get(name)!.index)];
  return names.find((name) => selectables.get(name)?.shape.kind === 'text') ?? declaration.identity;
}

/** Calls every operation in the ways that matter, on a filled database, and records what each call does there. */
export class Walk {
  readonly #world: World;
  readonly #stage: Stage;
  readonly #domains: ReadonlyMap<string, string>;
  readonly #recorder: SqlRecorder;
  readonly #commonText: ReturnType<typeof commonTextOf>;
  readonly #observed: Observed[] = [];
  readonly #tried = new Set<string>();

  constructor(world: World, stage: Stage, domains: ReadonlyMap<string, string>) {
    const { runtime, operations } = world.service;
    this.#world = world;
    this.#stage = stage;
    this.#domains = domains;
    this.#recorder = new SqlRecorder(runtime.pool, operations);
    this.#commonText = commonTextOf(runtime);
  }

  async all(): Promise<readonly Observed[]> {
    const { operations } = this.#world.service;
    // Lists come first, while the logs are as they were filled.
    for (const operation of operations.filter(({ listed }) => listed)) await this.#list(operation);
    for (const operation of operations.filter(({ listed }) => !listed)) await this.#call(operation);
    await this.#firstCallOfCredential();
    return this.#observed;
  }

  #table(noun: string): Table {
    return this.#world.service.runtime.engine.model.byName(noun);
  }

  async #observe(operation: Operation, how: string, sending: Sending, remark = ''): Promise<Reply> {
    const { path, body, client, headers } = sending;
    let reply: Reply | undefined;
    const call = async () => {
      reply = await client.call(operation.method, path, body, headers);
      if (reply.code >= 300) throw new Error(`${operation.method} ${path} answered ${reply.code}: ${reply.text}`);
    };
    const calls = operation.method !== 'GET' ? 0 : operation.listed ? plannedAnew : 1;
    for (let before = 0; before < calls; before++) await call();
    await foldCounters(this.#world.service.runtime);
    // Loads caches first: otherwise it depends on the time which operation loads them.
    await this.#world.service.catchUp();
    const recording = await this.#recorder.duringOperations(call);
    const [noun, verb] = wordsOf(operation);
    const kind = isPattern(operation) ? (kinds[verb] ?? verb) : operation.operationId;
    this.#observed.push({
      domain: this.#domains.get(noun) ?? nodeDomain,
      kind: kind + (how && `, ${how}`),
      isPattern: isPattern(operation),
      operation: `${operation.method} ${operation.path}${remark && ` ${remark}`}`,
      ...this.#reported(recording),
    });
    return reply!;
  }

  #reported({ sent: sentStatements, plans }: Recording): Pick<Observed, 'statements' | 'rowsRead'> {
    const sentKeys = new Set<string>();
    const statements = sentStatements.map(({ sender, text, prepared, values }) => {
      const statementKey = JSON.stringify([text, values]);
      const again = sentKeys.has(statementKey);
      sentKeys.add(statementKey);
      return { sender, prepared, again, text: this.#commonText({ text, sender }) };
    });
    return { statements, rowsRead: rowsRead(plans) };
  }

  async #list(operation: Operation): Promise<void> {
    const client = this.#world.admin;
    const base = this.#stage.path(operation);
    const path = (query: string) => `${base}${base.includes('?') ? '&' : '?'}count=${page}&${query}`;
    const list = (how: string, query: string, remark?: string) =>
      this.#observe(operation, how, { path: path(query), client }, remark);
    const { body } = await list('a page', '');
    if (!isPattern(operation)) return;
    const table = this.#table(wordsOf(operation)[0]);
    const { fields, links, declaration } = table;
    if (this.#isFirst(`list of a ${declaration.kind}${fields.has('rank') ? ' with ranks' : ''}`)) {
      await this.#observe(operation, 'counts only', { path: `${base}?count=0`, client });
      await list('a page from the middle', `start=${rowsEach * 0.4}`);
      const before = await client.get(path(`start=${body.total! - page * 1.5}`));
      await this.#observe(operation, 'the last page of a walk', { path: nextOf(before), client });
    }
    const key = indexedField(table);
    const indexedValue = body.results!.map((record) => record[key]).find((value) => value !== null) ?? 'nobody';
    await list('found by an indexed field', equals(key, indexedValue), `(${key})`);
    await list('sorted by name', `sortKey=${declaration.label}`, `(${declaration.label})`);
    const searched = [...fields.keys()].filter((name) => fields.get(name)!.search);
    if (searched.length > 0)
      await list('found by a part of a text', `filter=text==-${rowsEach}`, `(${searched.join(', ')})`);
    const through = [...fields.keys()].filter((name) => fields.get(name)!.via);
    const byName = [...fields.keys()].filter((name) => fields.get(name)!.reference?.by === 'name');
    const referred = links.map(({ field, to }) => `${field}.${this.#table(to).declaration.label}`);
    for (const field of [...referred, ...byName, ...through])
      await list('found by what they refer to', equals(field, body.results![0]![field] || 'Nobody'), `(${field})`);
  }

  async #call(operation: Operation): Promise<void> {
    const [noun, verb] = wordsOf(operation);
    const ways: Readonly<Record<string, (sending: Sending) => Promise<void>>> = {
      create: (sending) => this.#create(operation, sending),
      update: (sending) => this.#update(operation, sending),
      'delete-many': (sending) => this.#deleteMany(operation, sending),
      enable: (sending) => this.#switch(operation, sending, 'disable'),
      disable: (sending) => this.#switch(operation, sending, 'enable'),
      'monitor-poll': (sending) => this.#poll(operation, sending),
    };
    const sending = await this.#stage.sending(operation);
    const way = isPattern(operation) ? ways[verb] : undefined;
    if (way) return way(sending);
    const { headers } = await this.#observe(operation, '', sending);
    if (operation.dryRunResult && operation.success === 201) await this.#stage.remove(noun, idOf(headers.location));
    if (verb === 'monitor-start') await sending.client.post(`${headers.location}/stop`);
  }

  /** True the first time: what is the same for all resources is tried with the first one. */
  #isFirst(what: string): boolean {
    const isFirst = !this.#tried.has(what);
    this.#tried.add(what);
    return isFirst;
  }

  async #create(operation: Operation, sending: Sending): Promise<void> {
    // The example can be created again after it was deleted.
    const away = ({ headers }: Reply) => this.#stage.remove(wordsOf(operation)[0], idOf(headers.location));
    await away(await this.#observe(operation, '', sending));
    if (!this.#isFirst('create')) return;
    await this.#observe(operation, 'as a dry run', { ...sending, path: `${sending.path}?dryRun=true` });
    const keyed = { ...sending, headers: { 'idempotency-key': operation.operationId } };
    const reply = await this.#observe(operation, 'with an Idempotency-Key', keyed);
    await this.#observe(operation, 'repeated with the same key', keyed);
    await away(reply);
  }

  async #update(operation: Operation, sending: Sending): Promise<void> {
    const [noun] = wordsOf(operation);
    const { label, fields } = this.#table(noun).declaration;
    // Some records are labelled by a required value, such as an address, which must stay.
    const body = { ...(sending.body as object), ...(fields[label]!.shape.kind === 'text' && { [label]: 'Renamed' }) };
    await this.#observe(operation, '', { ...sending, body });
    if (this.#isFirst('update')) await this.#observe(operation, 'that changes nothing', { ...sending, body });
    await this.#stage.remove(noun, idOf(sending.path));
  }

  async #deleteMany(operation: Operation, sending: Sending): Promise<void> {
    await this.#observe(operation, '', sending);
    const ids: number[] = [];
    while (ids.length < 3) ids.push(await this.#stage.record(wordsOf(operation)[0]));
    await this.#observe(operation, 'three records', { ...sending, body: { id: ids } });
  }

  async #switch(operation: Operation, sending: Sending, opposite: string): Promise<void> {
    await sending.client.post(sending.path.replace(/\w+$/, opposite));
    await this.#observe(operation, '', sending);
  }

  async #poll(operation: Operation, { client, path }: Sending): Promise<void> {
    const last = (await client.get(path)).body.results?.at(-1);
    // Observed values do not change here.
    if (last) await this.#observe(operation, 'with what is new', { client, path });
    const pathAfterLast = last ? `${path}?position=${last.position}` : path;
    await this.#observe(operation, 'with nothing new', { client, path: pathAfterLast });
    await client.post(`${path}/stop`);
  }

  /** Records the check of credentials, which comes before any operation and is cached for a while. */
  async #firstCallOfCredential(): Promise<void> {
    const issued = await this.#world.admin.post('/auth/tokens', { name: 'first call' });
    const client = new Client(this.#world.service.app, String(issued.body.results![0]!.token));
    // An operation that sends no query itself.
    const path = '/api/v2/user/admin-profile/new';
    const recording = await this.#recorder.during(() => client.get(path));
    const kind = 'before any operation, once in a while';
    this.#observed.push({
      domain: nodeDomain,
      kind,
      isPattern: true,
      operation: `GET ${path}`,
      ...this.#reported(recording),
    });
  }
}
