import type { Declaration, Pattern } from './declare.ts';
import type { EventType } from './event-type.ts';
import type { StatusWord } from './failure.ts';
import type { FileContent, FileRequest } from './http/files.ts';
import type { Answer, Call, Operation, QueryParameter, Uploads } from './operation.ts';
import type { PermissionKey, Verb } from './permissions.ts';
import type { Shape } from './shape.ts';
import type { Rules } from './write/engine.ts';

/** An operation that is particular: what it takes, what it answers, and one small function. */
export interface Action<C> {
  kind: 'action';
  of: Declaration;
  /** Kebab-case; with the group's name it makes the operationId. */
  name: string;
  method: Operation['method'];
  /** Behind the group's path, such as `/validate/{id}`. */
  path: string;
  doc: string;
  /** Follows from the shape; said where that misleads. */
  verb?: Verb | 'save';
  permission?: PermissionKey;
  /** Every signed-in caller may: it concerns only what is their own. */
  signedIn?: boolean;
  /** The outside part it asks. Such an action gets no open transaction. */
  asks?: string;
  /** What is asked of the outside world before the transaction opens; a refusal is thrown. A dry run asks nobody. */
  asksFirst?(call: Call, context: C): Promise<void>;
  /** A GET that changes something, or a POST that does not. */
  writes?: boolean;
  /** What the parameters of the path are, besides `{id}`. */
  pathShapes?: Readonly<Record<string, Shape>>;
  query?: Readonly<Record<string, QueryParameter>>;
  body?: Shape;
  bodyOptional?: boolean;
  /** The shape of the answered elements; 'record': that of the group's records. */
  result?: Shape | 'record';
  counted?: boolean;
  /** Takes list parameters. */
  listed?: boolean;
  success?: 200 | 201 | 202;
  /** What takes longer than a request is begun: then it answers 202 and where to follow it. */
  queues?: boolean;
  /** Saves a record of the group: a dry run answers it as it would be. */
  saves?: boolean;
  errors?: readonly StatusWord[];
  example?: unknown;
  /** Takes files. Such an action reads them without a transaction, and so `asks` for them. */
  uploads?: Uploads;
  run(call: Call, context: C): Promise<readonly unknown[] | Answer | undefined>;
}

/** A file that a group serves to everybody, outside the envelope. */
export interface GroupFile<C> {
  /** From the root of the service, such as `/icons/{name}.svg`. */
  path: string;
  read(request: FileRequest, context: C): Promise<FileContent>;
}

/** A group as the catalogue of the service lists it: the declaration, and what is particular to it. */
export interface Group<C> {
  /** Its name in the catalogue of the contract. */
  group: string;
  /** Operations that the contract lists under another name, by what stands behind the dot of their ids. */
  also?: { group: string; operations: readonly string[] } | undefined;
  declaration: Declaration;
  actions: readonly Action<C>[];
  rules: Rules<C> | undefined;
  files: readonly GroupFile<C>[];
  /** What it tells besides the changes of its records. */
  eventTypes: readonly EventType[];
  patterns: readonly Pattern[];
}

/** One line of the catalogue. */
export const group = <C>(
  name: string,
  declaration: Declaration,
  particular: {
    actions?: readonly Action<C>[];
    rules?: Rules<C>;
    files?: readonly GroupFile<C>[];
    eventTypes?: readonly EventType[];
    also?: Group<C>['also'];
  } = {},
): Group<C> => ({
  group: name,
  declaration,
  actions: particular.actions ?? [],
  rules: particular.rules,
  files: particular.files ?? [],
  eventTypes: particular.eventTypes ?? [],
  patterns: declaration.patterns,
  also: particular.also,
});
