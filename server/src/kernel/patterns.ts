import type { Action, Group } from './action.ts';
import { type Collection, type Declaration, inputShape, type Log, type Pattern, singleId } from './declare.ts';
import { Failure, forbidden, invalid, notFound, type StatusWord } from './failure.ts';
import { ArchiveOperations } from './log/archive-operations.ts';
import { removeLogRows } from './log/remove.ts';
import { isLog, type Table } from './model.ts';
import { feedEntryShape, monitorStarted, pollMonitor, startMonitor, stopMonitor } from './monitor.ts';
import { pascalCase, quoted, snakeCase } from './names.ts';
import { type Access, type Answer, type Call, commonErrors, type Operation, type QueryParameter } from './operation.ts';
import { allows, type Verb } from './permissions.ts';
import type { ListQuery } from './read/list.ts';
import type { RecordValue } from './read/select.ts';
import { distinctIds, type Runtime, type WriteTx } from './runtime.ts';
import { type Condition, wholeSight } from './scope.ts';
import type { ObjectShape, Shape } from './shape.ts';
import { integerMax } from './shape.ts';
import { readerOf } from './write/engine.ts';
import type { Saved } from './write/records.ts';
import { usageOf } from './write/references.ts';

const apiRoot = '/api/v2';
const idsMax = 5_000;
const countMax = 1_000;

const idShape: Shape = { kind: 'integer', min: 1, max: integerMax };

export const idList: ObjectShape = {
  kind: 'object',
  name: 'IdList',
  properties: { id: { kind: 'list', item: idShape, min: 1, max: idsMax, doc: 'Identities of the records.' } },
  required: ['id'],
  example: { id: [1, 2] },
};

export const usageShape: ObjectShape = {
  kind: 'object',
  name: 'UsageEntry',
  properties: {
    name: { kind: 'text', max: 120, doc: 'The group that refers to the record.' },
    children: { kind: 'list', item: { kind: 'text', max: 500 }, max: 100_000, doc: 'Names of its records that do.' },
  },
};

export const filterParameter: QueryParameter = {
  shape: {
    kind: 'text',
    min: 1,
    max: 4_096,
    doc: 'RSQL, such as `name==core-*`; several are ANDed.',
    example: 'name==*',
  },
  many: true,
};

const listParameters: Readonly<Record<string, QueryParameter>> = {
  filter: filterParameter,
  start: { shape: { kind: 'integer', min: 0, max: 2_000_000_000, doc: 'How many matching records to skip.' } },
  count: {
    shape: {
      kind: 'integer',
      min: 0,
      max: countMax,
      doc: 'How many records to answer at most; 0 answers the counts only.',
    },
  },
  sortKey: { shape: { kind: 'text', min: 1, max: 80, doc: 'The field to sort by.' } },
  sortDir: { shape: { kind: 'choice', values: ['asc', 'desc'], doc: 'Ascending unless said otherwise.' } },
  after: { shape: { kind: 'text', min: 1, max: 6_000, doc: 'Where a walk goes on; from the Link header.' } },
};

/** The list parameters of a call, with what is left out filled in. */
export function listQueryOf(call: Call, scope?: Condition): ListQuery {
  const query = call.query as Partial<ListQuery>;
  if (query.start !== undefined && query.after !== undefined) throw invalid('start and after exclude each other.');
  return { ...query, filter: query.filter ?? [], start: query.start ?? 0, count: query.count ?? countMax, scope };
}

type Draft = Pick<Operation, 'method' | 'summary' | 'run'> &
  Partial<Operation> & { at: string; verb: Verb | 'save'; more?: readonly StatusWord[] };

/** Turns a group into its operations: the patterns it declares, and its own actions. */
export function operationsOf<C>(group: Group<C>, runtime: Runtime, contextOf: ContextMaker<C>): Operation[] {
  const { declaration } = group;
  if (!declaration.path) return [];
  const table = runtime.engine.model.byName(declaration.name);
  const maker = new PatternMaker(group.group, declaration, table, runtime);
  const operations = [
    ...declaration.patterns.flatMap((pattern) => maker.make(pattern)),
    ...group.actions.map((action) => actionOperation(group, action, runtime, contextOf)),
  ];
  const elsewhere = new Set(group.also?.operations.map((name) => `${declaration.name}.${name}`));
  return operations.map((operation) =>
    elsewhere.has(operation.operationId) ? { ...operation, group: group.also!.group } : operation,
  );
}

/** Makes what an action is given, from the ways the kernel runs it. */
export interface ContextMaker<C> {
  reading(call: Call, client: import('pg').PoolClient): C;
  writing(call: Call, tx: WriteTx): C;
  asking(call: Call): C;
}

/** The record's shape under its name among the components of the documents. */
const recordShapeOf = (declaration: Declaration, runtime: Runtime): ObjectShape => ({
  ...readerOf(runtime.engine, declaration.name, wholeSight).record.shape,
  name: pascalCase(declaration.name),
});

class PatternMaker {
  readonly #group: string;
  readonly #declaration: Declaration;
  readonly #table: Table;
  readonly #runtime: Runtime;
  readonly #noun: string;
  readonly #record: ObjectShape;

  constructor(group: string, declaration: Declaration, table: Table, runtime: Runtime) {
    this.#group = group;
    this.#declaration = declaration;
    this.#table = table;
    this.#runtime = runtime;
    this.#noun = declaration.title;
    this.#record = recordShapeOf(declaration, runtime);
  }

  make(pattern: Pattern): Operation[] {
    return this[pattern]().map((draft) => this.#operation(pattern, draft));
  }

  #operation(pattern: Pattern, { at, verb, more = [], ...draft }: Draft): Operation {
    const {
      declaration: { name, path, permission },
    } = this.#table;
    const suffix = draft.operationId ?? pattern.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const access: Access = this.#ownersSee(verb)
      ? { kind: 'signed-in' }
      : { kind: 'permission', key: permission, verb };
    return {
      group: this.#group,
      path: `${apiRoot}${path}${this.#paths[pattern] ?? at}`,
      access,
      query: {},
      writes: draft.method !== 'GET',
      success: 200,
      ...draft,
      operationId: `${name}.${suffix}`,
      errors: [...commonErrors, ...more],
    };
  }

  #reader(call: Call) {
    return this.#runtime.reader(this.#declaration.name, call.caller);
  }

  readonly #onSession: Runtime['read'] = (work) => this.#runtime.read(work);

  get #paths(): NonNullable<Collection['paths']> {
    return (this.#declaration as Collection).paths ?? {};
  }

  get #owners(): readonly string[] {
    return (this.#declaration as Collection).ownedBy ?? [];
  }

  #ownersSee(verb: Verb | 'save'): boolean {
    return verb === 'view' && this.#owners.length > 0;
  }

  /** Without the permission a caller sees what is their own. */
  #own(call: Call): Condition | undefined {
    return ownScope(this.#declaration, call);
  }

  get #typed(): Collection['typed'] {
    return (this.#declaration as Collection).typed;
  }

  /** Where the word of the type stands, in the paths of a group that has types. */
  get #typeAt(): string {
    return this.#typed ? `/{${this.#typed.parameter}}` : '';
  }

  get #typeShape(): Pick<Draft, 'pathShapes'> {
    const typed = this.#typed;
    return typed ? { pathShapes: { [typed.parameter]: this.#declaration.fields[typed.field]!.shape } } : {};
  }

  /** The body, with the word of the path; both may say it, but not differently. */
  #sent(call: Call): RecordValue {
    const sent = call.body as RecordValue;
    const typed = this.#typed;
    if (!typed) return sent;
    const { field } = typed;
    const word = call.parameters[typed.parameter];
    if (sent[field] !== undefined && sent[field] !== word)
      throw invalid([{ pointer: `/${field}`, message: `${field}: the body says ${sent[field]}, the path ${word}.` }]);
    return { ...sent, [field]: word };
  }

  list(): Draft[] {
    return [
      {
        method: 'GET',
        at: '',
        verb: 'view',
        summary: `List ${this.#noun} records that match a filter`,
        query: { ...listParameters, ...this.#wholeParameter() },
        listed: true,
        result: this.#record,
        counted: true,
        more: ['too-expensive'],
        run: (call) =>
          this.#runtime.read((client) =>
            this.#reader(call).page(client, this.#listQuery(call), call.nowMs),
          ) as Promise<Answer>,
      },
    ];
  }

  #wholeParameter(): Record<string, QueryParameter> {
    const { wholeLists } = this.#declaration as Collection;
    const shown = [...this.#table.fields].filter(([, field]) => field.fetched).map(([name]) => name);
    return wholeLists ? { [wholeLists]: { shape: { kind: 'flag', doc: `Fill in ${shown.join(', ')}.` } } } : {};
  }

  #listQuery(call: Call): ListQuery {
    const { wholeLists = '' } = this.#declaration as Collection;
    const { [wholeLists]: whole, ...query } = call.query;
    return { ...listQueryOf({ ...call, query }, this.#own(call)), whole: whole === true };
  }

  fetch(): Draft[] {
    return [
      {
        method: 'GET',
        at: '/{id}',
        verb: 'view',
        summary: `Fetch one ${this.#noun}`,
        result: this.#record,
        more: ['not-found'],
        run: async (call) => {
          const found = await this.#reader(call).fetchRow(this.#onSession, call.id, this.#own(call));
          if (!found) throw notFound(this.#noun, call.id);
          return found;
        },
      },
    ];
  }

  count(): Draft[] {
    return [this.#counting('/count', `Count ${this.#noun} records that match a filter`, { filter: filterParameter })];
  }

  countAll(): Draft[] {
    return [this.#counting('/count/all', `Count all ${this.#noun} records`, {})];
  }

  #counting(at: string, summary: string, query: Record<string, QueryParameter>): Draft {
    return {
      method: 'GET',
      at,
      verb: 'view',
      summary,
      query,
      result: this.#record,
      counted: true,
      more: ['too-expensive'],
      run: (call) =>
        this.#runtime.read(async (client) => {
          const filter = (call.query.filter as string[] | undefined) ?? [];
          const query = { filter, start: 0, count: 0, scope: this.#own(call) };
          const { filtered, total } = await this.#reader(call).list(client, query, call.nowMs);
          return { results: [], filtered, total };
        }),
    };
  }

  usage(): Draft[] {
    return [
      {
        method: 'GET',
        at: '/{id}/usage',
        verb: 'view',
        summary: `List what refers to ${article(this.#noun)}`,
        result: usageShape,
        more: ['not-found'],
        run: (call) =>
          this.#runtime.read(async (client) => {
            const reader = this.#reader(call);
            if (!(await reader.fetchVersioned(client, call.id, this.#own(call)))) throw notFound(this.#noun, call.id);
            const usage = await usageOf(client, this.#runtime.engine.model, this.#table, [call.id], reader.sight);
            return {
              results: usage.map(({ table: { declaration }, names, more, hidden }) => ({
                name: declaration.title,
                children: [
                  ...names,
                  ...(more > 0 ? [`${more} records`] : []),
                  ...(hidden > 0 ? [`${hidden} hidden`] : []),
                ],
              })),
            };
          }),
      },
    ];
  }

  /** The same under POST, where the contract has it so; it still only reads. */
  usageByPost(): Draft[] {
    return this.usage().map((draft) => ({ ...draft, method: 'POST', writes: false }));
  }

  create(): Draft[] {
    return [
      {
        method: 'POST',
        at: this.#typeAt,
        ...this.#typeShape,
        verb: 'save',
        summary: `Create ${article(this.#noun)}, or update the one with the identity sent`,
        body: inputShape(this.#declaration),
        success: 201,
        rehearsal: this.#record,
        more: ['not-found', 'stale', 'duplicate', 'protected', 'rejected'],
        example: this.#declaration.example,
        run: (call) => this.#save(call, (tx) => this.#upsert(call, tx)),
      },
    ];
  }

  update(): Draft[] {
    return [
      {
        method: 'POST',
        at: `${this.#typeAt}/{id}`,
        ...this.#typeShape,
        verb: 'modify',
        summary: `Update ${article(this.#noun)}; absent fields keep their value`,
        body: inputShape(this.#declaration),
        rehearsal: this.#record,
        more: ['not-found', 'stale', 'duplicate', 'protected', 'rejected'],
        example: changeable(this.#declaration),
        run: (call) =>
          this.#save(call, (tx) => {
            const sent = this.#sent(call);
            const named = sent[this.#declaration.identity];
            if (named !== undefined && named !== null && named !== 0 && named !== call.id)
              throw invalid(`${this.#declaration.identity}: the body names ${named}, the path ${call.id}.`);
            return tx.records.update(this.#declaration, call.id, sent, expected(call));
          }),
      },
    ];
  }

  /** Which verb a POST on the group's path needs shows only here. */
  async #upsert(call: Call, tx: WriteTx): Promise<Saved> {
    const sent = this.#sent(call);
    const id = Number(sent[this.#declaration.identity] ?? 0);
    const exists = id > 0 && (await tx.records.exists(this.#declaration, id));
    const verb: Verb = exists ? 'modify' : 'add';
    const { permission } = this.#declaration;
    if (!allows(call.caller.rights, permission, verb)) throw forbidden(permission, verb);
    // If-Match asks for a record that is there; one that is gone meanwhile is not made again behind the caller's back.
    if (!exists && call.ifMatch !== undefined)
      throw new Failure('stale', `There is no ${this.#noun} ${id} any more.`, { httpCode: 412 });
    return exists
      ? tx.records.update(this.#declaration, id, sent, expected(call))
      : tx.records.create(this.#declaration, sent);
  }

  #save(call: Call, work: (tx: WriteTx) => Promise<Saved>): Promise<Answer> {
    return this.#runtime.write(call, async (tx) => {
      const saved = await work(tx);
      return {
        httpCode: saved.created ? 201 : 200,
        version: saved.version,
        ...(saved.created && { location: `${apiRoot}${this.#declaration.path}/${saved.id}` }),
        ...(await this.#rehearsed(call, tx, saved.id)),
      };
    });
  }

  /** A dry run answers like a read. */
  async #rehearsed(call: Call, tx: WriteTx, id: number): Promise<Pick<Answer, 'results'>> {
    return call.dryRun ? { results: [await tx.records.fetch(this.#declaration, id)] } : {};
  }

  settingsRead(): Draft[] {
    return [
      {
        method: 'GET',
        at: '',
        verb: 'view',
        operationId: 'read',
        summary: `Read the ${this.#noun}`,
        result: this.#record,
        run: async (call) => (await this.#reader(call).fetchRow(this.#onSession, singleId))!,
      },
    ];
  }

  settingsWrite(): Draft[] {
    return [
      {
        method: 'POST',
        at: '',
        verb: 'modify',
        operationId: 'write',
        summary: `Change the ${this.#noun}; absent fields keep their value`,
        body: inputShape(this.#declaration),
        rehearsal: this.#record,
        more: ['stale', 'rejected'],
        example: this.#declaration.example,
        run: (call) =>
          this.#save(call, (tx) =>
            tx.records.update(this.#declaration, singleId, call.body as RecordValue, expected(call)),
          ),
      },
    ];
  }

  deleteOne(): Draft[] {
    return [this.#deleting('DELETE', '/{id}', undefined)];
  }

  deleteByPost(): Draft[] {
    return [this.#deleting('POST', '/{id}/delete', undefined)];
  }

  deleteMany(): Draft[] {
    return [this.#deleting('POST', '/delete', idList)];
  }

  #deleting(method: 'DELETE' | 'POST', at: string, body: ObjectShape | undefined): Draft {
    return {
      method,
      at,
      verb: 'delete',
      summary: body ? `Delete ${this.#noun} records, all or none` : `Delete ${article(this.#noun)}`,
      ...(body && { body, example: { id: [1] } }),
      more: ['not-found', 'stale', 'in-use', 'protected', 'rejected'],
      run: (call) =>
        this.#runtime.write(call, async (tx) => {
          const ids = body ? distinctIds((call.body as { id: number[] }).id) : [call.id];
          if (body && call.ifMatch !== undefined) throw invalid('If-Match: a list of records has no single version.');
          if (isLog(this.#declaration)) await removeLogRows(tx, this.#table, ids);
          else await tx.records.remove(this.#declaration, ids, expected(call));
          return {};
        }),
    };
  }

  enable(): Draft[] {
    return [this.#switching(true)];
  }

  disable(): Draft[] {
    return [this.#switching(false)];
  }

  #switching(enabled: boolean): Draft {
    const word = enabled ? 'enable' : 'disable';
    return {
      method: 'POST',
      at: `/{id}/${word}`,
      verb: 'modify',
      summary: `${enabled ? 'Enable' : 'Disable'} ${article(this.#noun)}`,
      rehearsal: this.#record,
      more: ['not-found', 'protected', 'rejected'],
      run: (call) =>
        this.#runtime.write(call, async (tx) => {
          const [saved] = await tx.records.setEnabled(this.#declaration, [call.id], enabled, expected(call));
          return { version: saved!.version, ...(await this.#rehearsed(call, tx, call.id)) };
        }),
    };
  }

  rankSet(): Draft[] {
    const body: ObjectShape = {
      kind: 'object',
      name: 'RankSet',
      required: ['id', 'rank'],
      properties: {
        id: idShape,
        rank: { kind: 'integer', min: 1, max: 1_000_000, doc: 'The place it moves to; the others give way.' },
      },
    };
    return [
      {
        method: 'POST',
        at: '/rank/set',
        verb: 'modify',
        summary: `Move ${article(this.#noun)} to a place in the order`,
        rehearsal: this.#record,
        body,
        example: { id: 1, rank: 1 },
        more: ['not-found', 'rejected'],
        run: (call) =>
          this.#runtime.write(call, async (tx) => {
            const { id, rank } = call.body as { id: number; rank: number };
            const saved = await tx.records.setRank(this.#declaration, id, rank, expected(call));
            return { version: saved.version, ...(await this.#rehearsed(call, tx, id)) };
          }),
      },
    ];
  }

  rankSwap(): Draft[] {
    const body: ObjectShape = {
      kind: 'object',
      name: 'RankSwap',
      required: ['id'],
      properties: { id: { kind: 'list', item: idShape, min: 2, max: 2, doc: 'The two records.' } },
    };
    return [
      {
        method: 'POST',
        at: '/rank/swap',
        verb: 'modify',
        summary: `Exchange the places of two ${this.#noun} records`,
        body,
        example: { id: [1, 2] },
        more: ['not-found', 'rejected'],
        run: (call) =>
          this.#runtime.write(call, async (tx) => {
            const [a, b] = distinctIds((call.body as { id: number[] }).id) as [number, number];
            if (call.ifMatch !== undefined) throw invalid('If-Match: two records have no single version.');
            await tx.records.swapRanks(this.#declaration, a, b);
            return {};
          }),
      },
    ];
  }

  archive(): Draft[] {
    return new ArchiveOperations(this.#declaration as Log, this.#runtime).drafts();
  }

  monitor(): Draft[] {
    const body: ObjectShape = {
      kind: 'object',
      name: 'MonitorStart',
      properties: {
        filter: { kind: 'list', item: filterParameter.shape, max: 16, doc: 'Tell only of records that match.' },
      },
    };
    const path = `${apiRoot}${this.#declaration.path}/monitor`;
    return [
      {
        method: 'POST',
        at: '/monitor/start',
        verb: 'view',
        operationId: 'monitor-start',
        summary: `Start to follow ${isLog(this.#declaration) ? 'new' : 'changes of'} ${this.#noun} records`,
        body,
        bodyOptional: true,
        success: 201,
        result: monitorStarted,
        example: { filter: [`${this.#declaration.label}==*`] },
        more: ['rejected'],
        run: (call) =>
          this.#runtime.write(call, async ({ client }) => {
            const { filter = [] } = (call.body ?? {}) as { filter?: string[] };
            const started = await startMonitor(client, this.#reader(call), call.caller, filter, call.nowMs);
            return { results: [started], location: `${path}/${started.id}` };
          }),
      },
      {
        method: 'GET',
        at: '/monitor/{id}',
        verb: 'view',
        operationId: 'monitor-poll',
        streams: true,
        summary: 'Read the changes that a monitor has not told yet',
        query: {
          position: { shape: { kind: 'text', min: 1, max: 20_000, doc: 'The last entry that was dealt with.' } },
        },
        result: feedEntryShape(pascalCase(this.#declaration.name), this.#record),
        // A log says how many rows wait, those of this answer among them.
        ...(isLog(this.#declaration) && { counted: true }),
        more: ['not-found', 'gone'],
        run: (call) =>
          this.#runtime.read(async (client) => {
            const position = call.query.position as string | undefined;
            const { entries, waiting } = await pollMonitor(
              client,
              this.#reader(call),
              call.caller,
              call.id,
              position,
              call.nowMs,
            );
            return { results: entries, ...(waiting !== undefined && { filtered: waiting, total: waiting }) };
          }),
      },
      {
        method: 'POST',
        at: '/monitor/{id}/stop',
        verb: 'view',
        operationId: 'monitor-stop',
        summary: 'End a monitor',
        more: ['not-found', 'gone'],
        run: (call) =>
          this.#runtime.write(call, async ({ client }) => {
            await stopMonitor(client, this.#reader(call), call.caller, call.id);
            return {};
          }),
      },
    ];
  }
}

/** `an AAA server`, `a Container`. */
const article = (noun: string): string => `${/^[AEIOU]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** Rows that belong to the caller, where a collection has owners and the caller lacks the permission to see all. */
export function ownScope(declaration: Declaration, call: Call): Condition | undefined {
  const owners = declaration.kind === 'collection' ? (declaration.ownedBy ?? []) : [];
  if (owners.length === 0 || allows(call.caller.rights, declaration.permission, 'view')) return undefined;
  return (parameters) => {
    const account = parameters.add(call.caller.accountId, '::bigint');
    return `(${owners.map((owner) => `r.${quoted(snakeCase(owner))} = ${account}`).join(' or ')})`;
  };
}

/** The example of a body without what cannot be changed any more. */
const changeable = ({ example, fields }: Declaration): Declaration['example'] =>
  example && Object.fromEntries(Object.entries(example).filter(([name]) => !fields[name]?.fixed));

const expected = (call: Call) => ({ version: call.ifMatch, byHeader: call.ifMatch !== undefined });

/** A GET views; a DELETE deletes; any other POST modifies: the group's exceptions say so themselves. */
const verbOf = <C>(action: Action<C>): Verb | 'save' =>
  action.verb ?? (action.method === 'GET' ? 'view' : action.method === 'DELETE' ? 'delete' : 'modify');

function actionOperation<C>(
  group: Group<C>,
  action: Action<C>,
  runtime: Runtime,
  contextOf: ContextMaker<C>,
): Operation {
  const { declaration } = group;
  const writes = action.writes ?? action.method !== 'GET';
  const access: Access = action.signedIn
    ? { kind: 'signed-in' }
    : { kind: 'permission', key: action.permission ?? declaration.permission, verb: verbOf(action) };
  return {
    group: group.group,
    operationId: `${declaration.name}.${action.name}`,
    method: action.method,
    path: `${apiRoot}${declaration.path}${action.path}`,
    summary: action.doc,
    access,
    query: { ...action.query, ...(action.listed && listParameters) },
    ...(action.listed && { listed: true }),
    ...(action.pathShapes && { pathShapes: action.pathShapes }),
    ...(action.body && { body: action.body }),
    ...(action.bodyOptional && { bodyOptional: true }),
    ...(action.result && { result: action.result === 'record' ? recordShapeOf(declaration, runtime) : action.result }),
    ...(action.saves && { rehearsal: recordShapeOf(declaration, runtime) }),
    ...(action.counted && { counted: true }),
    writes: writes && !action.asks,
    success: action.success ?? 200,
    ...(action.queues && { queues: true }),
    errors: [
      ...commonErrors,
      ...(action.path.includes('{id}') ? (['not-found'] as const) : []),
      ...(action.errors ?? []),
    ],
    ...(action.example !== undefined && { example: action.example }),
    ...(action.uploads && { uploads: action.uploads }),
    run: async (call) => {
      const answer = async (context: C) => answerOf(await action.run(call, context));
      if (!call.dryRun) await action.asksFirst?.(call, contextOf.asking(call));
      if (action.asks) return answer(contextOf.asking(call));
      if (writes) return runtime.write(call, (tx) => answer(contextOf.writing(call, tx)));
      return runtime.read((client) => answer(contextOf.reading(call, client)));
    },
  };
}

const answerOf = (result: readonly unknown[] | Answer | undefined): Answer =>
  Array.isArray(result) ? { results: result } : ((result as Answer | undefined) ?? {});
