import { gap } from './api-text.ts';

/** Finds the changes of the API that break a client which was written for the texts before. Additions are no such changes. */

/** A change that can break a client, and the operation or the field that it is about. */
export interface Break {
  key: string;
  /** What changed, for the reader of the report. */
  what: string;
}

interface OperationLine {
  place: string;
  permission: string;
  body: string | undefined;
  takes: ReadonlySet<string>;
  returns: ReadonlyMap<string, string>;
}

interface FieldLine {
  type: string;
  isSent: boolean;
  isReturned: boolean;
  isRequired: boolean;
  isImmutable: boolean;
  default: string | undefined;
  queries: ReadonlySet<string>;
}

interface ApiLines {
  operations: ReadonlyMap<string, OperationLine>;
  fields: ReadonlyMap<string, FieldLine>;
}

/** Returns what breaks between two sets of texts. The names of the files have no meaning: a line may move from one to another. */
export function breaksBetween(before: readonly string[], after: readonly string[]): Break[] {
  const [old, current] = [readLines(before), readLines(after)];
  return [...operationBreaks(old, current), ...fieldBreaks(old, current)];
}

function operationBreaks(old: ApiLines, current: ApiLines): Break[] {
  return [...old.operations].flatMap(([key, operation]) => {
    const now = current.operations.get(key);
    if (!now) return [{ key, what: 'removed operation' }];
    const codes = [...operation.returns.keys()].filter((code) => !now.returns.has(code));
    const results = [...operation.returns].filter(
      ([code, result]) => now.returns.has(code) && now.returns.get(code) !== result,
    );
    const untaken = [...operation.takes].filter((name) => !now.takes.has(name));
    return [
      ...changed(key, 'path', operation.place, now.place),
      ...changed(key, 'permission', operation.permission, now.permission),
      ...bodyBreaks(key, operation.body, now.body),
      ...untaken.map((name) => ({ key, what: `removed parameter ${name}` })),
      ...codes.map((code) => ({ key, what: `removed success code ${code}` })),
      ...results.flatMap(([code, result]) => changed(key, `result of ${code}`, result, now.returns.get(code)!)),
    ];
  });
}

function bodyBreaks(key: string, before: string | undefined, after: string | undefined): Break[] {
  if (before === undefined)
    return after === undefined || after.endsWith(' optional') ? [] : [{ key, what: 'new required body' }];
  return after === `${before} optional` ? [] : changed(key, 'body', before, after ?? 'none');
}

function fieldBreaks(old: ApiLines, current: ApiLines): Break[] {
  const removed = new Set([...old.operations.keys()].filter((id) => !current.operations.has(id)));
  const changes = [...old.fields].flatMap(([key, field]) => {
    // The parameters of a removed operation go with it.
    if (removed.has(ownerOf(key))) return [];
    const now = current.fields.get(key);
    return now ? changesOf(key, field, now) : [{ key, what: 'removed field' }];
  });
  const owners = new Set([...old.fields.keys()].map(ownerOf));
  const demanded = [...current.fields]
    .filter(([key, field]) => field.isRequired && !old.fields.has(key))
    // A body that is new demands what it likes; so does the parameter of a new operation.
    .filter(([key]) => owners.has(ownerOf(key)) || old.operations.has(ownerOf(key)))
    .map(([key]) => ({ key, what: 'new required field' }));
  return [...changes, ...demanded];
}

function changesOf(key: string, old: FieldLine, now: FieldLine): Break[] {
  const lost = [...old.queries].filter((query) => !now.queries.has(query));
  return [
    ...(old.isSent && !now.isSent ? [{ key, what: 'can no longer be sent' }] : []),
    ...(old.isReturned && !now.isReturned ? [{ key, what: 'is no longer returned' }] : []),
    ...(!old.isRequired && now.isRequired ? [{ key, what: 'became required' }] : []),
    ...(!old.isImmutable && now.isImmutable ? [{ key, what: 'became immutable' }] : []),
    ...(old.default !== now.default && !now.isRequired && old.default !== undefined
      ? changed(key, 'default', old.default, now.default ?? 'none')
      : []),
    ...lost.map((query) => ({ key, what: `removed ${query}` })),
    ...typeChanges(key, old, now),
  ];
}

function typeChanges(key: string, old: FieldLine, now: FieldLine): Break[] {
  if (old.type === now.type) return [];
  const change = `${old.type} to ${now.type}`;
  const [before, after] = [parsedType(old.type), parsedType(now.type)];
  if (before.kind !== after.kind) return [{ key, what: `changed type: ${change}` }];
  // A client that sends values is broken by less room, one that reads them by a null that it does not expect.
  if (old.isReturned && after.isNullable && !before.isNullable) return [{ key, what: `changed type: ${change}` }];
  return old.isSent && isTighter(before, after) ? [{ key, what: `tightened bound: ${change}` }] : [];
}

interface ParsedType {
  /** The type without its bounds. */
  kind: string;
  isNullable: boolean;
  bounds: readonly (readonly [min: number, max: number])[];
  choices: readonly ReadonlySet<string>[];
  patterns: readonly string[];
}

const boundPattern = /(-?[\d.]*?\d|)\.\.(-?\d[\d.]*|)/g;
const choicePattern = /\b(?:choice|with) (\S+)/g;
const wordsPattern = / \([^)]*\)/g;
const regularPattern = /\/.*\//;

function parsedType(text: string): ParsedType {
  const isNullable = text.endsWith(' | null');
  const pattern = regularPattern.exec(text)?.[0];
  const plain = text.replace(/ \| null$/, '').replace(regularPattern, '');
  const wordless = plain.replaceAll(wordsPattern, '');
  return {
    kind: wordless.replaceAll(choicePattern, 'choice').replaceAll(boundPattern, '..').replaceAll(/\s+/g, ' ').trim(),
    isNullable,
    bounds: [...wordless.matchAll(boundPattern)].map(([, min, max]) => [
      // Only lengths and counts have no least value in the text, and none is below 0.
      min ? Number(min) : 0,
      max ? Number(max) : Number.POSITIVE_INFINITY,
    ]),
    choices: [...wordless.matchAll(choicePattern)].map(([, values]) => new Set(values!.split('|'))),
    patterns: pattern ? [pattern] : [],
  };
}

function isTighter(before: ParsedType, after: ParsedType): boolean {
  const isNarrower = after.bounds.some(([min, max], index) => {
    const [oldMin, oldMax] = before.bounds[index] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    return min > oldMin || max < oldMax;
  });
  const hasLost = before.choices.some((choices, index) => !choices.isSubsetOf(after.choices[index] ?? new Set()));
  const isOtherPattern = after.patterns.some((pattern) => pattern !== before.patterns[0]);
  return isNarrower || hasLost || isOtherPattern || (before.isNullable && !after.isNullable);
}

const changed = (key: string, what: string, before: string, after: string): Break[] =>
  before === after ? [] : [{ key, what: `changed ${what}: ${before} to ${after}` }];

/** Returns the operation or the component that a line is part of. */
const ownerOf = (key: string): string => /^(\S+?)(?=\?| body| result)/.exec(key)?.[1] ?? key.split('.')[0]!;

function readLines(texts: readonly string[]): ApiLines {
  const operations = new Map<string, OperationLine>();
  const fields = new Map<string, FieldLine>();
  const likes: { key: string; model: string; direction: string; absent: ReadonlySet<string> }[] = [];
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [key, ...parts] = line.split(gap) as [string, ...string[]];
    if (parts.length === 0 || key === 'every operation') continue;
    if (/^[A-Z]+ \//.test(parts[0]!)) operations.set(key, operationIn(parts));
    else if (parts[0]!.startsWith('like '))
      likes.push({
        key,
        model: parts[0]!.slice('like '.length),
        direction: parts[1]!,
        absent: new Set(wordsAfter(parts, 'without ')),
      });
    else fields.set(key, fieldIn(parts));
  }
  for (const { key, model, direction, absent } of likes)
    for (const [name, field] of [...fields]) {
      const property = name.startsWith(`${model}.`) ? name.slice(model.length + 1) : undefined;
      if (property === undefined || absent.has(property) || fields.has(`${key}.${property}`)) continue;
      fields.set(`${key}.${property}`, fieldIn([field.type, direction]));
    }
  return { operations, fields };
}

const wordsAfter = (parts: readonly string[], head: string): string[] =>
  parts
    .find((part) => part.startsWith(head))
    ?.slice(head.length)
    .split(' ') ?? [];

function operationIn(parts: readonly string[]): OperationLine {
  const returns = parts.find((part) => part.startsWith('returns '))?.slice('returns '.length) ?? '';
  return {
    place: parts[0]!,
    permission: parts[1]!,
    body: parts.find((part) => part.startsWith('body '))?.slice('body '.length),
    takes: new Set(wordsAfter(parts, 'takes ')),
    returns: new Map(
      returns.split(', ').map((response) => {
        const [code, ...results] = response.split(' ');
        return [code!, results.join(' ')] as const;
      }),
    ),
  };
}

function fieldIn(parts: readonly string[]): FieldLine {
  const words = new Set((parts[1] ?? '').split(' '));
  const queries = parts.slice(2).find((part) => /^(filter|sort|search)( |$)/.test(part));
  return {
    type: parts[0]!,
    isSent: ['write', 'secret', 'sent', 'both'].some((word) => words.has(word)),
    isReturned: !words.has('secret') && !words.has('sent'),
    isRequired: words.has('required'),
    isImmutable: words.has('immutable'),
    default: parts.find((part) => part.startsWith('default '))?.slice('default '.length),
    queries: new Set(queries?.split(' ')),
  };
}
