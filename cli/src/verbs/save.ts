import { type Answer, type OperationInfo, PortreeveError } from '@portreeve/sdk/runtime.ts';
import {
  identityFrom,
  operationOf,
  ownQuery,
  pathFrom,
  pathOfOne,
  pathOfRecord,
  singleResult,
  type VerbContext,
  writeOptions,
} from '../context.ts';
import { differenceText, ownDifferences, printDifferences } from '../difference.ts';
import type { Schema } from '../document.ts';
import type { Group } from '../groups.ts';
import { referenceOf, resolveIdentities } from '../identities.ts';
import { readRecords } from '../input.ts';
import { line, type Pen } from '../output.ts';
import { printRecord } from '../record-view.ts';
import {
  applySettings,
  type JsonObject,
  readSetting,
  readSettingFile,
  refuseServiceFields,
  type Setting,
  schemaAt,
  splitSetting,
} from '../set.ts';
import { counted, escapedJson, grouped } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { emitImpact, impactQuery, reportsImpact, sendImpact } from './impact.ts';
import { emitWritten, recordWords } from './written.ts';

/** The records from a file or standard input, and the settings to apply to each. */
export interface RequestRecords {
  records: JsonObject[];
  settings: Setting[];
}

export async function readRequestRecords(context: VerbContext, body: Schema, isNeeded = true): Promise<RequestRecords> {
  const { args, document, verb, group } = context;
  const settings: Setting[] = [];
  for (const text of args.texts('set'))
    settings.push(readSetting(await resolveNames(context, text, body), body, document));
  for (const text of args.texts('set-file')) settings.push(await readSettingFile(text, body, document));
  refuseServiceFields(settings, body, document, document.example(verb.operation));
  const isPiped = settings.length === 0 && isNeeded && !process.stdin.isTTY;
  const file = args.text('file') ?? (isPiped ? '-' : undefined);
  if (file === undefined && settings.length === 0 && isNeeded)
    throw new UsageError('No data to send. Use --set NAME=VALUE, --file FILE, or JSON on standard input.');
  const records = file === undefined ? [{}] : (await readRecords(file)).map(({ record }) => record);
  return { records: records.map((record) => withStoredIdentity(record, body, group)), settings };
}

/** Resolves names to ids: `containerID=Building B` becomes `containerID=41`, and `id` the identity field of the body. */
async function resolveNames({ client, document, group }: VerbContext, text: string, body: Schema): Promise<string> {
  const [typedName, value] = splitSetting(text, '--set');
  const name = typedName === 'id' ? storedIdentity(body, group) : typedName;
  const steps = name.split('.');
  const schema = schemaAt(steps, body, document);
  const reference = referenceOf(steps.at(-1)!, schema, group);
  return `${name}=${reference ? await resolveIdentities(client, reference, schema, value) : value}`;
}

/** Returns the field of a body for the identity that is printed as `id`. */
const storedIdentity = (body: Schema | undefined, { identity }: Group): string =>
  identity !== undefined && !body?.properties?.id && body?.properties?.[identity] ? identity : 'id';

/** Renames `id` to the identity field of the body: commands print the identity of every record as `id`. */
export function withStoredIdentity(record: JsonObject, body: Schema | undefined, group: Group): JsonObject {
  const identity = storedIdentity(body, group);
  if (identity === 'id' || !('id' in record)) return record;
  const { id, ...fields } = record;
  return { [identity]: id, ...fields };
}

const bodyOf = ({ document, verb }: VerbContext): Schema => document.body(verb.operation) ?? {};

/** Creates one or more records. */
export async function create(context: VerbContext): Promise<void> {
  const { screen, client, verb, args } = context;
  const path = await pathFrom(context, args.positionals);
  const { records, settings } = await readRequestRecords(context, bodyOf(context));
  for (const [index, record] of records.entries()) {
    const body = applySettings(record, settings);
    try {
      const input = {
        ...writeOptions(context),
        path,
        query: { ...(await ownQuery(context)), ...impactQuery(context) },
        body,
      };
      const answer = await sendImpact(context, () => client.call<JsonObject>(verb.operation, input));
      await emitCreated(context, body, answer);
    } catch (error) {
      if (index > 0)
        await line(screen.err, `${counted(index, 'record')} of ${grouped(records.length)} saved before this error:`);
      throw error;
    }
  }
}

async function emitCreated(context: VerbContext, body: JsonObject, answer: Answer<JsonObject>): Promise<void> {
  const { screen, args, document, verb, group } = context;
  if (!args.has('dry-run')) {
    const done = answer.httpCode === 201 ? 'Created' : 'Updated';
    const [shown] = answer.results;
    if (shown !== undefined && args.has('json')) return line(screen.out, escapedJson(shown, 2));
    await emitWritten(context, answer, `${done} ${recordWords(group, answer.id, body)}.`);
    // The response can contain a token or one-time password, which no other operation returns.
    if (shown !== undefined) await printRecord(screen.out, shown, document.result(verb.operation), document);
    return;
  }
  if (reportsImpact(context)) return emitImpact(context, answer);
  const [record] = answer.results;
  if (args.has('json')) await line(screen.out, escapedJson(record ?? null, 2));
  else if (record)
    await printRecord(screen.out, withoutIdentity(record, group.identity), document.result(verb.operation), document);
  await line(screen.err, screen.err.style('yellow', 'Dry run: nothing was created.'));
}

/** Removes the id of a record that was rolled back. */
const withoutIdentity = (record: JsonObject, identity: string | undefined): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== identity));

/** Updates some fields of one record. */
export async function update(context: VerbContext): Promise<void> {
  const byKind = await operationForRecord(context);
  return byKind ? updateOne({ ...context, verb: { ...context.verb, operation: byKind } }) : updateOne(context);
}

/** `elementClass` of a network device that responds only to ping. */
const pingableClass = 3;

/** Returns the update operation for the kind of a network device; undefined for other resources. */
async function operationForRecord(context: VerbContext): Promise<OperationInfo | undefined> {
  const { verb, group, args } = context;
  if (verb.name !== 'update' || !verb.operation.id.endsWith('.update-snmp')) return undefined;
  const record = await fetchOne(context, await identityFrom(context, args.positionals[0]!));
  return group.operations.get(record.elementClass === pingableClass ? 'update-pingable' : 'update-snmp');
}

async function updateOne(context: VerbContext): Promise<void> {
  const { screen, client, verb, args, group } = context;
  const { records, settings } = await readRequestRecords(context, bodyOf(context));
  const [record, ...furtherRecords] = records;
  if (!record || furtherRecords.length > 0)
    throw new UsageError('An update accepts one record. Use `import` for several.');
  const isSettings = !verb.positionals.includes('ID');
  const id = isSettings ? undefined : await identityFrom(context, args.positionals[0]!);
  const isByCreate = verb.operation.id.endsWith('.create');
  const isTyped = /\{(?!id\})/.test(verb.operation.path);
  const needsBefore = isByCreate || isTyped || args.has('dry-run') || settings.some(({ steps }) => steps.length > 1);
  const before = needsBefore ? await fetchOne(context, id) : await shownRecord(context, id);
  // A resource without an update operation is updated through create, with the id in the body.
  const identity = isByCreate ? { [group.identity ?? 'id']: id } : {};
  const body = { ...applySettings(record, settings, before), ...identity };
  const input = {
    ...writeOptions(context),
    path: { ...(id !== undefined && { id }), ...(before && pathOfRecord(context, verb.operation, before)) },
    query: { ...(await ownQuery(context)), ...impactQuery(context) },
    body,
  };
  const answer = await sendImpact(context, () => client.call<JsonObject>(verb.operation, input));
  if (!args.has('dry-run')) {
    const after = await shownRecord(context, id);
    await emitWritten(context, answer, `Updated ${recordWords(group, id, after ?? body)}.`);
    if (before && after) await printChanges(screen.out, before, after, body);
    return;
  }
  if (reportsImpact(context)) return emitImpact(context, answer);
  if (args.has('json')) await line(screen.out, escapedJson({ before, after: answer.results[0] ?? null }, 2));
  else await printDifferences(screen.out, before, singleResult(answer, group.name));
  await line(screen.err, screen.err.style('yellow', 'Dry run: nothing was changed.'));
}

/** Prints the changes of an update; of fields that no record shows, such as secrets, only the name. */
async function printChanges(pen: Pen, before: JsonObject, after: JsonObject, requestBody: JsonObject): Promise<void> {
  const changed = ownDifferences(before, after);
  const hidden = Object.keys(requestBody).filter((name) => !(name in after));
  for (const difference of changed) await line(pen, differenceText(pen, difference));
  for (const name of hidden) await line(pen, `${pen.style('bold', `${name}:`)} set`);
  if (changed.length + hidden.length === 0) await line(pen, 'Nothing changed: the record already had these values.');
}

/** Loads the record to print the changes of an update. Not loaded for --json; undefined if the caller may not view it. */
async function shownRecord(context: VerbContext, id: number | undefined): Promise<JsonObject | undefined> {
  const { args, group } = context;
  const isReadable = group.operations.has(id === undefined ? 'read' : 'fetch');
  if (args.has('json') || args.has('dry-run') || !isReadable) return undefined;
  try {
    return await fetchOne(context, id);
  } catch (error) {
    if (error instanceof PortreeveError) return undefined;
    throw error;
  }
}

async function fetchOne(context: VerbContext, id: number | undefined): Promise<JsonObject> {
  const operation = id === undefined ? operationOf(context, 'read') : operationOf(context, 'fetch');
  const answer = await context.client.call<JsonObject>(
    operation,
    id === undefined ? {} : { path: pathOfOne(operation, id) },
  );
  return singleResult(answer, context.group.name);
}
