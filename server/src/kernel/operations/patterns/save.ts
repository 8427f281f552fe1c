import { type Collection, type Declaration, inputShape } from '../../declare/declaration.ts';
import type { Answer, Call } from '../../declare/operation.ts';
import { allows, type Verb } from '../../declare/permissions.ts';
import { Failure, forbidden, invalid } from '../../failure.ts';
import type { RecordValue } from '../../read/select.ts';
import type { Saved } from '../../write/records.ts';
import { distinctIds, type WriteTx } from '../../write/runtime.ts';
import { idList } from './delete.ts';
import { apiRoot, type Draft, expected, type PatternContext } from './pattern.ts';

export const create = (context: PatternContext): Draft[] => [
  {
    method: 'POST',
    ...typedPath(context, ''),
    verb: 'save',
    summary: `Create ${context.nounWithArticle}, or update the one with the given identity`,
    body: inputShape(context.declaration),
    success: 201,
    dryRunResult: context.record,
    more: ['not-found', 'stale', 'duplicate', 'protected', 'rejected'],
    example: context.declaration.example,
    run: (call) => save(context, call, (tx) => upsert(context, call, tx)),
  },
];

export const update = (context: PatternContext): Draft[] => [
  {
    method: 'POST',
    ...typedPath(context, '/{id}'),
    verb: 'modify',
    summary: `Update ${context.nounWithArticle}; absent fields keep their value`,
    body: inputShape(context.declaration),
    dryRunResult: context.record,
    more: ['not-found', 'stale', 'duplicate', 'protected', 'rejected'],
    example: changeable(context.declaration),
    run: (call) =>
      save(context, call, (tx) =>
        tx.records.update(context.declaration, call.id, sentBody(context, call), expected(call)),
      ),
  },
];

export const enable = (context: PatternContext): Draft[] => [switching(context, true)];

export const disable = (context: PatternContext): Draft[] => [switching(context, false)];

export const enableMany = (context: PatternContext): Draft[] => [switchingMany(context, true)];

export const disableMany = (context: PatternContext): Draft[] => [switchingMany(context, false)];

/** Returns the operation for a list of records, all or none. */
function switchingMany(context: PatternContext, enabled: boolean): Draft {
  const word = enabled ? 'enable' : 'disable';
  return {
    method: 'POST',
    at: `/${word}`,
    verb: 'modify',
    summary: `${enabled ? 'Enable' : 'Disable'} ${context.noun} records, all or none`,
    body: idList,
    example: { id: [1] },
    more: ['not-found', 'protected', 'rejected'],
    run: (call) =>
      context.runtime.write(call, async (tx) => {
        if (call.ifMatch !== undefined) throw invalid('If-Match: a list of records has no single version.');
        await tx.records.setEnabled(context.declaration, distinctIds((call.body as { id: number[] }).id), enabled);
        return {};
      }),
  };
}

function switching(context: PatternContext, enabled: boolean): Draft {
  const word = enabled ? 'enable' : 'disable';
  return {
    method: 'POST',
    at: `/{id}/${word}`,
    verb: 'modify',
    summary: `${enabled ? 'Enable' : 'Disable'} ${context.nounWithArticle}`,
    dryRunResult: context.record,
    more: ['not-found', 'protected', 'rejected'],
    run: (call) =>
      context.runtime.write(call, async (tx) => {
        const [saved] = await tx.records.setEnabled(context.declaration, [call.id], enabled, expected(call));
        return { version: saved!.version, ...(await context.simulated(call, tx, call.id)) };
      }),
  };
}

/** Runs a write that creates or changes one record, and returns its response. */
export function save(context: PatternContext, call: Call, work: (tx: WriteTx) => Promise<Saved>): Promise<Answer> {
  return context.runtime.write(call, async (tx) => {
    const saved = await work(tx);
    return {
      httpCode: saved.created ? 201 : 200,
      version: saved.version,
      ...(saved.created && { location: `${apiRoot}${context.declaration.path}/${saved.id}` }),
      ...(await context.simulated(call, tx, saved.id)),
    };
  });
}

/** Creates the record or updates it, which decides the required verb of the permission. */
async function upsert(context: PatternContext, call: Call, tx: WriteTx): Promise<Saved> {
  const { declaration } = context;
  const body = sentBody(context, call);
  const id = Number(body[declaration.identity] ?? 0);
  const exists = id > 0 && (await tx.records.exists(declaration, id));
  const verb: Verb = exists ? 'modify' : 'add';
  const { permission } = declaration;
  if (!allows(call.caller.rights, permission, verb)) throw forbidden(permission, verb);
  // If-Match requires a stored record: a deleted one is not created again.
  if (!exists && call.ifMatch !== undefined)
    throw new Failure(
      'stale',
      id > 0
        ? `There is no ${context.noun} ${id} any more.`
        : `If-Match: a new ${context.noun} record has no version yet; leave the header out, or send the ${declaration.identity} of a stored record.`,
      { httpCode: 412 },
    );
  return exists ? tx.records.update(declaration, id, body, expected(call)) : tx.records.create(declaration, body);
}

/** Returns the path with the parameter of the record type, for resources that have the type in the path. */
function typedPath({ declaration }: PatternContext, rest: string): Pick<Draft, 'at' | 'pathShapes'> {
  const { typeInPath } = declaration as Collection;
  if (!typeInPath) return { at: rest };
  const { parameter, field } = typeInPath;
  return { at: `/{${parameter}}${rest}`, pathShapes: { [parameter]: declaration.fields[field]!.shape } };
}

/** Returns the body with the type in the path; throws if the body has another type. */
function sentBody({ declaration }: PatternContext, call: Call): RecordValue {
  const body = call.body as RecordValue;
  const { typeInPath } = declaration as Collection;
  if (!typeInPath) return body;
  const { field } = typeInPath;
  const word = call.parameters[typeInPath.parameter];
  if (body[field] !== undefined && body[field] !== word)
    throw invalid([
      { pointer: `/${field}`, message: `${field}: the body has ${body[field]}, but the path has ${word}.` },
    ]);
  return { ...body, [field]: word };
}

/** Returns the example of a body without immutable fields. */
const changeable = ({ example, fields }: Declaration): Declaration['example'] =>
  example && Object.fromEntries(Object.entries(example).filter(([name]) => !fields[name]?.immutable));
