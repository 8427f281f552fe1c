import { type Collection, type Declaration, inputShape } from '../../declare/declaration.ts';
import type { Answer, Call } from '../../declare/operation.ts';
import { allows, type Verb } from '../../declare/permissions.ts';
import { Failure, forbidden, invalid } from '../../failure.ts';
import type { RecordValue } from '../../read/select.ts';
import type { Saved } from '../../write/records.ts';
import { distinctIds, type WriteTx } from '../../write/runtime.ts';
import { idList } from './delete.ts';
import { apiRoot, type Draft, expected, type PatternOf } from './pattern.ts';

export const create = (of: PatternOf): Draft[] => [
  {
    method: 'POST',
    ...typedPath(of, ''),
    verb: 'save',
    summary: `Create ${of.one}, or update the one with the given identity`,
    body: inputShape(of.declaration),
    success: 201,
    dryRunResult: of.record,
    more: ['not-found', 'stale', 'duplicate', 'protected', 'rejected'],
    example: of.declaration.example,
    run: (call) => save(of, call, (tx) => upsert(of, call, tx)),
  },
];

export const update = (of: PatternOf): Draft[] => [
  {
    method: 'POST',
    ...typedPath(of, '/{id}'),
    verb: 'modify',
    summary: `Update ${of.one}; absent fields keep their value`,
    body: inputShape(of.declaration),
    dryRunResult: of.record,
    more: ['not-found', 'stale', 'duplicate', 'protected', 'rejected'],
    example: changeable(of.declaration),
    run: (call) =>
      save(of, call, (tx) => tx.records.update(of.declaration, call.id, sentBody(of, call), expected(call))),
  },
];

export const enable = (of: PatternOf): Draft[] => [switching(of, true)];

export const disable = (of: PatternOf): Draft[] => [switching(of, false)];

export const enableMany = (of: PatternOf): Draft[] => [switchingMany(of, true)];

export const disableMany = (of: PatternOf): Draft[] => [switchingMany(of, false)];

/** The same for a list of records, all or none. */
function switchingMany(of: PatternOf, enabled: boolean): Draft {
  const word = enabled ? 'enable' : 'disable';
  return {
    method: 'POST',
    at: `/${word}`,
    verb: 'modify',
    summary: `${enabled ? 'Enable' : 'Disable'} ${of.noun} records, all or none`,
    body: idList,
    example: { id: [1] },
    more: ['not-found', 'protected', 'rejected'],
    run: (call) =>
      of.runtime.write(call, async (tx) => {
        if (call.ifMatch !== undefined) throw invalid('If-Match: a list of records has no single version.');
        await tx.records.setEnabled(of.declaration, distinctIds((call.body as { id: number[] }).id), enabled);
        return {};
      }),
  };
}

function switching(of: PatternOf, enabled: boolean): Draft {
  const word = enabled ? 'enable' : 'disable';
  return {
    method: 'POST',
    at: `/{id}/${word}`,
    verb: 'modify',
    summary: `${enabled ? 'Enable' : 'Disable'} ${of.one}`,
    dryRunResult: of.record,
    more: ['not-found', 'protected', 'rejected'],
    run: (call) =>
      of.runtime.write(call, async (tx) => {
        const [saved] = await tx.records.setEnabled(of.declaration, [call.id], enabled, expected(call));
        return { version: saved!.version, ...(await of.simulated(call, tx, call.id)) };
      }),
  };
}

/** The answer of a write that creates or changes one record. */
export function save(of: PatternOf, call: Call, work: (tx: WriteTx) => Promise<Saved>): Promise<Answer> {
  return of.runtime.write(call, async (tx) => {
    const saved = await work(tx);
    return {
      httpCode: saved.created ? 201 : 200,
      version: saved.version,
      ...(saved.created && { location: `${apiRoot}${of.declaration.path}/${saved.id}` }),
      ...(await of.simulated(call, tx, saved.id)),
    };
  });
}

/** Which verb a POST on the group's path needs shows only here. */
async function upsert(of: PatternOf, call: Call, tx: WriteTx): Promise<Saved> {
  const { declaration } = of;
  const sent = sentBody(of, call);
  const id = Number(sent[declaration.identity] ?? 0);
  const exists = id > 0 && (await tx.records.exists(declaration, id));
  const verb: Verb = exists ? 'modify' : 'add';
  const { permission } = declaration;
  if (!allows(call.caller.rights, permission, verb)) throw forbidden(permission, verb);
  // If-Match requires a stored record: a deleted one is not created again.
  if (!exists && call.ifMatch !== undefined)
    throw new Failure(
      'stale',
      id > 0
        ? `There is no ${of.noun} ${id} any more.`
        : `If-Match: a new ${of.noun} record has no version yet; leave the header out, or send the ${declaration.identity} of a stored record.`,
      { httpCode: 412 },
    );
  return exists ? tx.records.update(declaration, id, sent, expected(call)) : tx.records.create(declaration, sent);
}

/** Where the word of the type stands, in the paths of a group that has types. */
function typedPath({ declaration }: PatternOf, rest: string): Pick<Draft, 'at' | 'pathShapes'> {
  const { typeInPath } = declaration as Collection;
  if (!typeInPath) return { at: rest };
  const { parameter, field } = typeInPath;
  return { at: `/{${parameter}}${rest}`, pathShapes: { [parameter]: declaration.fields[field]!.shape } };
}

/** The body, with the word of the path; both may say it, but not differently. */
function sentBody({ declaration }: PatternOf, call: Call): RecordValue {
  const sent = call.body as RecordValue;
  const { typeInPath } = declaration as Collection;
  if (!typeInPath) return sent;
  const { field } = typeInPath;
  const word = call.parameters[typeInPath.parameter];
  if (sent[field] !== undefined && sent[field] !== word)
    throw invalid([
      { pointer: `/${field}`, message: `${field}: the body has ${sent[field]}, but the path has ${word}.` },
    ]);
  return { ...sent, [field]: word };
}

/** The example of a body without what cannot be changed any more. */
const changeable = ({ example, fields }: Declaration): Declaration['example'] =>
  example && Object.fromEntries(Object.entries(example).filter(([name]) => !fields[name]?.immutable));
