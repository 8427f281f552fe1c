import type pg from 'pg';
import type { Collection, Declaration, Pattern } from '../declare/declaration.ts';
import type { EventType } from '../declare/event-type.ts';
import {
  type Access,
  type Answer,
  type Call,
  commonErrors,
  type FileContent,
  type FileRequest,
  type Operation,
} from '../declare/operation.ts';
import type { Verb } from '../declare/permissions.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Reconciler } from '../jobs/reconcile.ts';
import type { Archives } from '../log/archives.ts';
import type { Rules } from '../write/engine.ts';
import type { Runtime, WriteTx } from '../write/runtime.ts';
import type { Action } from './action.ts';
import { archive } from './patterns/archive.ts';
import { deleteByPost, deleteMany, deleteOne } from './patterns/delete.ts';
import { fetch } from './patterns/fetch.ts';
import { impactOf, withImpactErrors } from './patterns/impact.ts';
import { count, countAll, list, listParameters } from './patterns/list.ts';
import { monitor } from './patterns/monitor.ts';
import { apiRoot, type Draft, PatternContext, recordShapeOf } from './patterns/pattern.ts';
import { rankSet, rankSwap } from './patterns/rank.ts';
import { create, disable, disableMany, enable, enableMany, update } from './patterns/save.ts';
import { settingsRead, settingsWrite } from './patterns/settings.ts';
import { usage, usageByPost } from './patterns/usage.ts';

/** A file that a resource serves without credentials, outside the envelope. */
export interface GroupFile<C> {
  /** From the root of the service, such as `/icons/{name}.svg`. */
  path: string;
  read(request: FileRequest, context: C): Promise<FileContent>;
}

/**
 * A resource as the catalogue of the service lists it: the declaration and its own code. `N`: what a node passes to
 * jobs that need more than the context.
 */
export interface Resource<C, N = never> {
  /** Its name in the catalogue of the contract. */
  group: string;
  /** Operations that the contract lists under another name, by the part of their ids after the dot. */
  also?: { group: string; operations: readonly string[] } | undefined;
  declaration: Declaration;
  actions: readonly Action<C>[];
  rules: Rules<C> | undefined;
  files: readonly GroupFile<C>[];
  /** Its event types other than changes of its records. */
  events: readonly EventType[];
  jobs: readonly Job<C>[] | ((node: N) => readonly Job<C>[]);
  reconcilers: readonly Reconciler<C>[];
  patterns: readonly Pattern[];
}

/** Combines a declaration with the code of its resource. */
export const resource = <C, N = unknown>(
  name: string,
  declaration: Declaration,
  particular: {
    actions?: readonly Action<C>[];
    rules?: Rules<C>;
    files?: readonly GroupFile<C>[];
    events?: readonly EventType[];
    jobs?: Resource<C, N>['jobs'];
    reconcilers?: readonly Reconciler<C>[];
    also?: Resource<C>['also'];
  } = {},
): Resource<C, N> => ({
  group: name,
  declaration,
  actions: particular.actions ?? [],
  rules: particular.rules,
  files: particular.files ?? [],
  events: particular.events ?? [],
  jobs: particular.jobs ?? [],
  reconcilers: particular.reconcilers ?? [],
  patterns: declaration.patterns,
  also: particular.also,
});

/** Creates the context of an action, for each way in which the kernel runs it. */
export interface ContextMaker<C> {
  reading(call: Call, client: pg.PoolClient): C;
  writing(call: Call, tx: WriteTx): C;
  withoutTransaction(call: Call): C;
}

/** The functions that create the operations of each pattern. */
const patterns: Readonly<Record<Pattern, (context: PatternContext) => Draft[]>> = {
  list,
  fetch,
  count,
  countAll,
  usage,
  usageByPost,
  create,
  update,
  settingsRead,
  settingsWrite,
  deleteOne,
  deleteByPost,
  deleteMany,
  enable,
  disable,
  enableMany,
  disableMany,
  rankSet,
  rankSwap,
  archive,
  monitor,
};

/** Returns the operations of a resource: the patterns that it declares, and its own actions. */
export function operationsOf<C>(
  resource: Resource<C>,
  runtime: Runtime,
  contextOf: ContextMaker<C>,
  archives: Archives | undefined,
): Operation[] {
  const { declaration, group, also } = resource;
  if (!declaration.path) return [];
  const context = new PatternContext(declaration, runtime, archives);
  const operations = [
    ...declaration.patterns.flatMap((pattern) =>
      patterns[pattern](context).map((draft) => patternOperation(context, group, pattern, draft)),
    ),
    ...resource.actions.map((action) => actionOperation(resource, action, runtime, contextOf)),
  ];
  const idsOfOtherGroup = new Set(also?.operations.map((name) => `${declaration.name}.${name}`));
  return operations.map((operation) =>
    idsOfOtherGroup.has(operation.operationId) ? { ...operation, group: also!.group } : operation,
  );
}

function patternOperation(
  { declaration, isOwned }: PatternContext,
  group: string,
  pattern: Pattern,
  { at: subpath, verb, more: furtherErrors = [], ...draft }: Draft,
): Operation {
  const { name, path, permission } = declaration;
  const { paths = {} } = declaration as Collection;
  const suffix = draft.operationId ?? pattern.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const { deciding } = declaration as Collection;
  const writes = draft.method !== 'GET';
  const impact = writes && !patternsWithoutSave.has(pattern) ? impactOf(deciding?.impact) : undefined;
  // Owners see their own records without the permission.
  const access: Access =
    isOwned && verb === 'view' ? { kind: 'signed-in' } : { kind: 'permission', key: permission, verb };
  return {
    group,
    path: `${apiRoot}${path}${paths[pattern] ?? subpath}`,
    ...idNameIn(paths[pattern]),
    access,
    query: {},
    writes,
    success: 200,
    ...draft,
    ...impact,
    pattern,
    operationId: `${name}.${suffix}`,
    errors: withImpactErrors([...commonErrors, ...furtherErrors], impact),
  };
}

/** The first parameter of a path that a declaration sets itself is the identity of the record. */
function idNameIn(path: string | undefined): Pick<Operation, 'idName'> {
  const idName = path === undefined ? undefined : /\{(\w+)\}/.exec(path)?.[1];
  return idName === undefined ? {} : { idName };
}

/** Patterns whose POST changes no record. */
const patternsWithoutSave: ReadonlySet<Pattern> = new Set(['usageByPost', 'monitor', 'archive']);

/** Returns the verb of an action: GET views, DELETE deletes, POST modifies, unless the action has another one. */
const verbOf = <C>(action: Action<C>): Verb | 'save' =>
  action.verb ?? (action.method === 'GET' ? 'view' : action.method === 'DELETE' ? 'delete' : 'modify');

function actionOperation<C>(
  group: Resource<C>,
  action: Action<C>,
  runtime: Runtime,
  contextOf: ContextMaker<C>,
): Operation {
  const { declaration } = group;
  const writes = action.writes ?? action.method !== 'GET';
  const impact = impactOf(action.impact);
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
    query: { ...action.query, ...(action.listed && listParameters), ...impact?.query },
    ...(action.listed && { listed: true, identity: action.identity ?? declaration.identity }),
    ...(action.pathShapes && { pathShapes: action.pathShapes }),
    ...(action.body && { body: action.body }),
    ...(action.bodyOptional && { bodyOptional: true }),
    ...(action.result && { result: action.result === 'record' ? recordShapeOf(declaration, runtime) : action.result }),
    ...(action.dryRunResult && { dryRunResult: action.dryRunResult }),
    ...(impact && { impact: impact.impact }),
    ...(action.impactMayBeNone && { impactMayBeNone: true }),
    ...(action.saves && { dryRunResult: recordShapeOf(declaration, runtime) }),
    ...(action.counted && { counted: true }),
    writes: writes && (action.transaction !== false || action.outcome !== undefined),
    success: action.success ?? 200,
    ...((action.external || action.precheck) && { external: true }),
    ...(action.queues && { queues: true }),
    errors: withImpactErrors(
      [...commonErrors, ...(action.path.includes('{id}') ? (['not-found'] as const) : []), ...(action.errors ?? [])],
      impact,
    ),
    ...(action.example !== undefined && { example: action.example }),
    ...(action.uploads && { uploads: action.uploads }),
    run: async (call) => {
      const answer = async (context: C) => answerOf(await action.run(call, context));
      if (!call.dryRun) await action.precheck?.(call, contextOf.withoutTransaction(call));
      if (action.transaction === false) {
        const outside = () => answer(contextOf.withoutTransaction(call));
        return action.outcome === undefined ? outside() : runtime.writeOutside(call, action.outcome, outside);
      }
      if (writes) return runtime.write(call, (tx) => answer(contextOf.writing(call, tx)));
      return runtime.read((client) => answer(contextOf.reading(call, client)));
    },
  };
}

const answerOf = (result: readonly unknown[] | Answer | undefined): Answer =>
  Array.isArray(result) ? { results: result } : ((result as Answer | undefined) ?? {});
