import type { Answer } from '@portreeve/sdk/runtime.ts';
import {
  identityFrom,
  onlyResult,
  operationOf,
  ownQuery,
  pathFrom,
  pathOfRecord,
  type VerbContext,
  writeOptions,
} from '../context.ts';
import { printDifferences } from '../difference.ts';
import type { Schema } from '../document.ts';
import { readRecords } from '../input.ts';
import { line } from '../output.ts';
import { printRecord } from '../record-view.ts';
import { applySettings, type JsonObject, readSetting, readSettingFile, type Setting } from '../set.ts';
import { counted, grouped, harmlessJson } from '../text.ts';
import { UsageError } from '../usage-error.ts';
import { tellWritten } from './written.ts';

/** What is to be sent: records from a file or standard input, and settings on top of each. */
export interface Sent {
  records: JsonObject[];
  settings: Setting[];
}

export async function readSent({ args, document }: VerbContext, body: Schema, isNeeded = true): Promise<Sent> {
  const settings = args.texts('set').map((text) => readSetting(text, body, document));
  for (const text of args.texts('set-file')) settings.push(await readSettingFile(text, body, document));
  const isPiped = settings.length === 0 && isNeeded && !process.stdin.isTTY;
  const file = args.text('file') ?? (isPiped ? '-' : undefined);
  if (file === undefined && settings.length === 0 && isNeeded)
    throw new UsageError('Say what: --set NAME=VALUE, --file FILE, or JSON on standard input.');
  return { records: file === undefined ? [{}] : (await readRecords(file)).map(({ record }) => record), settings };
}

const bodyOf = ({ document, verb }: VerbContext): Schema => document.body(verb.operation) ?? {};

/** A new record, or several. */
export async function create(context: VerbContext): Promise<void> {
  const { screen, client, verb, args } = context;
  const path = await pathFrom(context, args.positionals);
  const { records, settings } = await readSent(context, bodyOf(context));
  for (const [at, record] of records.entries()) {
    const body = applySettings(record, settings);
    try {
      const answer = await client.call<JsonObject>(verb.operation, {
        ...writeOptions(context),
        path,
        query: ownQuery(context),
        body,
      });
      await tellCreated(context, answer);
    } catch (error) {
      if (at > 0) await line(screen.err, `${counted(at, 'record')} of ${grouped(records.length)} done, then:`);
      throw error;
    }
  }
}

async function tellCreated(context: VerbContext, answer: Answer<JsonObject>): Promise<void> {
  const { screen, args, document, verb, group } = context;
  if (!args.has('dry-run')) {
    const done = answer.httpCode === 201 ? 'Created' : 'Updated';
    return tellWritten(context, answer, `${done} ${group.name}${answer.id === undefined ? '' : ` ${answer.id}`}.`);
  }
  const [record] = answer.results;
  if (args.has('json')) await line(screen.out, harmlessJson(record ?? null, 2));
  else if (record)
    await printRecord(screen.out, withoutIdentity(record, group.identity), document.result(verb.operation), document);
  await line(screen.err, screen.err.style('yellow', 'Dry run: nothing was created.'));
}

/** The identity of a record that was undone is nobody's. */
const withoutIdentity = (record: JsonObject, identity: string | undefined): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== identity));

/** Some fields of one record. */
export async function update(context: VerbContext): Promise<void> {
  const { screen, client, verb, args, group } = context;
  const { records, settings } = await readSent(context, bodyOf(context));
  const [record, ...others] = records;
  if (!record || others.length > 0) throw new UsageError('An update takes one record; `import` takes many.');
  const isSettings = !verb.positionals.includes('ID');
  const id = isSettings ? undefined : await identityFrom(context, args.positionals[0]!);
  const isByCreate = verb.operation.id.endsWith('.create');
  const isTyped = /\{(?!id\})/.test(verb.operation.path);
  const needsBefore = isByCreate || isTyped || args.has('dry-run') || settings.some(({ steps }) => steps.length > 1);
  const before = needsBefore ? await fetchBefore(context, id) : undefined;
  // A group without an update of its own updates the record whose identity is sent.
  const identity = isByCreate ? { [group.identity ?? 'id']: id } : {};
  const answer = await client.call<JsonObject>(verb.operation, {
    ...writeOptions(context),
    path: { ...(id !== undefined && { id }), ...(before && pathOfRecord(context, verb.operation, before)) },
    query: ownQuery(context),
    body: { ...applySettings(record, settings, before), ...identity },
  });
  const what = id === undefined ? group.name : `${group.name} ${id}`;
  if (!args.has('dry-run')) return tellWritten(context, answer, `Updated ${what}.`);
  if (args.has('json')) await line(screen.out, harmlessJson({ before, after: answer.results[0] ?? null }, 2));
  else await printDifferences(screen.out, before, onlyResult(answer, group.name));
  await line(screen.err, screen.err.style('yellow', 'Dry run: nothing was changed.'));
}

async function fetchBefore(context: VerbContext, id: number | undefined): Promise<JsonObject> {
  const operation = id === undefined ? operationOf(context, 'read') : operationOf(context, 'fetch');
  const answer = await context.client.call<JsonObject>(operation, id === undefined ? {} : { path: { id } });
  return onlyResult(answer, context.group.name);
}
