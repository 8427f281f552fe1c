import { operations as generated } from '@portreeve/sdk/generated/operations.ts';
import type { OperationInfo } from '@portreeve/sdk/runtime.ts';
import { type Document, type Schema, shippedDocument } from './document.ts';
import { suggestionByName } from './nearest.ts';
import { identityOf, kindOf, labelOf } from './schema.ts';
import { UsageError } from './usage-error.ts';

type VerbKind =
  | 'list'
  | 'get'
  | 'create'
  | 'update'
  | 'delete'
  | 'count'
  | 'export'
  | 'import'
  | 'tail'
  | 'watch'
  | 'call';

/** A verb of a resource, and the operation it calls. */
export interface Verb {
  name: string;
  kind: VerbKind;
  operation: OperationInfo;
  summary: string;
  /** Arguments after the verb; `ID…` takes several. */
  positionals: readonly string[];
  /** An alias of a listed verb: accepted, but not shown in the help. */
  isHidden: boolean;
}

/** The operations of one resource. */
export interface Group {
  name: string;
  /** Display name, such as `AAA server`. */
  title: string;
  doc: string;
  verbs: ReadonlyMap<string, Verb>;
  operations: ReadonlyMap<string, OperationInfo>;
  /** The record that `list` and `get` return. */
  record: Schema | undefined;
  identity: string | undefined;
  label: string | undefined;
}

const shortNames: Readonly<Record<string, string>> = {
  fetch: 'get',
  read: 'get',
  write: 'update',
  'delete-one': 'delete',
  'rank-set': 'rank',
  'usage-by-post': 'usage',
};

const orderOfVerbs = ['list', 'get', 'create', 'update', 'delete', 'count', 'usage', 'enable', 'disable', 'rank'];
const transfers = ['export', 'import', 'tail', 'watch'];

export class Groups {
  readonly document: Document;
  readonly #byName: ReadonlyMap<string, readonly OperationInfo[]>;
  readonly #made = new Map<string, Group>();

  constructor(operations: Readonly<Record<string, OperationInfo>>, document: Document) {
    this.document = document;
    // The table and the document are generated one after the other, so only operations in both are used.
    const documented = Object.values(operations).filter(
      (operation) => document.has(operation) && !isCommand(operation),
    );
    this.#byName = Map.groupBy(documented, ({ id }) => id.slice(0, id.indexOf('.')));
  }

  get names(): string[] {
    return [...this.#byName.keys()].sort();
  }

  /** Finds a resource by name, display name, plural or synonym: `audit-log` finds `audit-record`, `switch` finds `network-device`. */
  find(word: string): Group | undefined {
    const name = this.#nameOf(word) ?? this.#nameOf(usualGroups[word] ?? word.replace(/s$/, ''));
    if (name === undefined) return undefined;
    const group = this.#made.get(name) ?? groupOf(name, this.#byName.get(name)!, this.document);
    this.#made.set(name, group);
    return group;
  }

  #nameOf(word: string): string | undefined {
    if (this.#byName.has(word)) return word;
    return this.names.find((groupName) => kebab(this.#byName.get(groupName)![0]!.group) === word);
  }
}

/** Descriptions of resources whose record has none, or shares it with another resource. */
const groupDocs: Readonly<Record<string, string>> = {
  account: 'Administrator accounts: admin profile, sign-in password, locks.',
  console: 'Data for the web console: counts, and the feed of changes.',
  'discovery-run': 'Device discovery: start, stop, status.',
  health: 'Health checks of this node.',
  'l3-scan': 'Search for devices with ARP tables: start, stop, status.',
  service: 'Addresses of the documents, the health checks and the console.',
  session: 'Your session: permissions, timeout, stored attributes.',
  'ssid-config': 'Settings of wireless networks (SSIDs).',
  token: 'API tokens: list, create, rotate, revoke.',
  user: 'Network users (RADIUS) and owners of hosts, including administrators.',
};

/** Synonyms of resource names. */
const usualGroups: Readonly<Record<string, string>> = {
  device: 'network-device',
  'user-account': 'user',
  switch: 'network-device',
  switches: 'network-device',
  devices: 'network-device',
  policies: 'access-policy',
  task: 'background-task',
  tasks: 'background-task',
};

/** Returns whether an operation has its own command, such as `portreeve find`. */
const isCommand = ({ group }: OperationInfo): boolean => group === 'Search';

let shipped: Groups | undefined;

/** Returns the resources of this release. */
export function shippedGroups(): Groups {
  shipped ??= new Groups(generated, shippedDocument());
  return shipped;
}

/** Abbreviations of verbs. */
const shortcuts: Readonly<Record<string, string>> = { ls: 'list', rm: 'delete', show: 'get' };

/** Names of verbs in other programs, for suggestions. */
const usualNames: Readonly<Record<string, readonly string[]>> = {
  watch: ['tail'],
  follow: ['tail', 'watch'],
  monitor: ['tail'],
  show: ['get', 'list'],
  describe: ['get'],
  view: ['get', 'list'],
  find: ['list'],
  ls: ['list'],
  search: ['list'],
  add: ['create'],
  new: ['create'],
  edit: ['update'],
  set: ['update'],
  modify: ['update'],
  remove: ['delete'],
  rm: ['delete'],
  destroy: ['delete'],
  move: ['rank'],
};

export function verbOf(group: Group, word: string): Verb {
  const verb = group.verbs.get(word) ?? group.verbs.get(shortcuts[word] ?? '');
  if (verb) return verb;
  const shown = [...group.verbs.values()].filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  const usual = Object.entries(usualNames).flatMap(([name, verbs]) => {
    const existingVerb = verbs.find((candidate) => shown.includes(candidate));
    return existingVerb === undefined ? [] : [[name, existingVerb] as const];
  });
  const near = suggestionByName(word, shown, new Map(usual));
  throw new UsageError(`${group.name} has no ${JSON.stringify(word)}.${near}`, `portreeve ${group.name}`);
}

const kebab = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

function groupOf(name: string, operations: readonly OperationInfo[], document: Document): Group {
  const bySuffix = new Map(operations.map((operation) => [operation.id.slice(name.length + 1), operation]));
  const shown = ['list', 'fetch', 'read'].map((suffix) => bySuffix.get(suffix)).find((operation) => operation);
  const record = shown && document.result(shown);
  const verbs = [...verbsOf(bySuffix, document)].sort(byOrder);
  return {
    name,
    title: operations[0]!.group,
    doc: groupDocs[name] ?? record?.description ?? '',
    verbs: new Map(verbs.map((verb) => [verb.name, verb])),
    operations: bySuffix,
    record,
    identity: record && identityOf(record),
    label: record && labelOf(record),
  };
}

/** Sorts common verbs first, then those specific to the resource in the order of the document, then those that the CLI adds. */
function byOrder(a: Verb, b: Verb): number {
  const place = ({ name, kind }: Verb) => {
    const common = orderOfVerbs.indexOf(name);
    return common >= 0 ? common : 100 + transfers.indexOf(kind);
  };
  return place(a) - place(b);
}

function* verbsOf(operations: ReadonlyMap<string, OperationInfo>, document: Document): Generator<Verb> {
  for (const [suffix, operation] of operations) {
    const renamed = shortNames[suffix];
    const name = renamed !== undefined && !operations.has(renamed) ? renamed : suffix;
    yield verb(name, verbKind(suffix, operation), operation, document);
    if (name !== suffix) yield { ...verb(suffix, verbKind(suffix, operation), operation, document), isHidden: true };
  }
  yield* combinedVerbs(operations, document);
}

/** Returns the verbs that combine several operations. */
function* combinedVerbs(operations: ReadonlyMap<string, OperationInfo>, document: Document): Generator<Verb> {
  const [list, create, fetch] = ['list', 'create', 'fetch'].map((suffix) => operations.get(suffix));
  const many = operations.get('delete-many');
  if (many && !operations.has('delete-one'))
    yield { ...verb('delete', 'delete', many, document), positionals: ['ID…'] };
  if (create && fetch && !operations.has('update'))
    yield {
      ...verb('update', 'update', create, document),
      positionals: ['ID'],
      summary: `Update a ${create.group}; absent fields keep their value`,
    };
  const ofKind = operations.get('update-snmp');
  if (ofKind && operations.has('update-pingable'))
    yield {
      ...verb('update', 'update', ofKind, document),
      summary: 'Update a network device, managed or pingable; absent fields keep their value',
    };
  const save = create ?? operations.get('update');
  if (list?.listed)
    yield {
      ...verb('export', 'export', list, document),
      summary: 'Export all matching records as JSON lines',
    };
  if (list && save && fetch)
    yield {
      ...verb('import', 'import', save, document),
      positionals: ['FILE'],
      summary:
        'Import records from JSON lines: create or update one record per line; failed lines go to FILE.failed.jsonl',
    };
  if (list && operations.has('monitor-poll'))
    yield {
      ...verb('tail', 'tail', list, document),
      summary: 'Follow new records and changes until Ctrl-C',
    };
  if (fetch?.path.endsWith('/system/background-task/{id}'))
    yield { ...verb('watch', 'watch', fetch, document), summary: 'Follow a task until it ends' };
}

function verb(name: string, kind: VerbKind, operation: OperationInfo, document: Document): Verb {
  return {
    name,
    kind,
    operation,
    summary: operation.summary,
    positionals: positionalsOf(kind, operation, document),
    isHidden: ['count-all', 'delete-many', 'delete-by-post', 'import-hosts'].includes(name),
  };
}

function verbKind(suffix: string, operation: OperationInfo): VerbKind {
  if (operation.listed) return 'list';
  if (suffix === 'count' || suffix === 'count-all') return 'count';
  if (suffix === 'fetch' || suffix === 'read') return 'get';
  if (suffix === 'write' || suffix === 'update') return 'update';
  if (suffix === 'create') return 'create';
  return suffix.startsWith('delete') ? 'delete' : 'call';
}

/** Returns the arguments for the path, then those for a body that consists of ids. */
function positionalsOf(kind: VerbKind, operation: OperationInfo, document: Document): string[] {
  // An update takes these parameters from the record, so they are not arguments.
  const recordParameters = kind === 'update' ? document.pathFields(operation, document.result(operation)) : new Map();
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)]
    .filter(([, name]) => !recordParameters.has(name!))
    .map(([, name]) => document.spellingOf(operation, name!).toUpperCase());
  if (kind === 'delete' && inPath.length === 1 && inPath[0] === 'ID') return ['ID…'];
  return [...inPath, ...bodyPositionals(document.body(operation))];
}

/** Returns the arguments for a body that consists of ids and ranks: `rank 3 1`, `rank-swap 3 4`. */
export function bodyPositionals(body: Schema | undefined): string[] {
  const properties = Object.entries(body?.properties ?? {});
  const id = body?.properties?.id;
  if (!id || properties.length !== body?.required?.length) return [];
  if (properties.length === 1 && kindOf(id) === 'array') return id.maxItems === 2 ? ['ID', 'ID'] : ['ID…'];
  const isRank = properties.length === 2 && body.properties?.rank && kindOf(id) === 'integer';
  return isRank ? ['ID', 'RANK'] : [];
}
