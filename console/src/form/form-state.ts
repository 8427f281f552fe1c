import type { Fault } from '@portreeve/sdk/runtime.ts';
import type { InputField } from '../document/group.ts';
import { type Entry, EntryFault, entryOf, isSameEntry, sentValue } from './entry.ts';

/** A field that both this form and another user changed since the record was loaded. */
export interface Clash {
  field: InputField;
  mine: Entry;
  theirs: Entry;
}

type Values = Readonly<Record<string, unknown>>;

/** The entries of a form. Each control subscribes to its own entry, so a key press renders only one field. */
export class FormState {
  readonly fields: readonly InputField[];
  readonly #byName: ReadonlyMap<string, InputField>;
  #initial = new Map<string, Entry>();
  #entries = new Map<string, Entry>();
  #faults = new Map<string, string>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #changes = 0;

  constructor(fields: readonly InputField[], values: Values) {
    this.fields = fields;
    this.#byName = new Map(fields.map((field) => [field.name, field]));
    this.#initial = entriesOf(fields, values);
    this.#entries = new Map(this.#initial);
  }

  entry(name: string): Entry {
    return this.#entries.get(name) ?? '';
  }

  initial(name: string): Entry {
    return this.#initial.get(name) ?? '';
  }

  fault(name: string): string | undefined {
    return this.#faults.get(name);
  }

  get faulty(): readonly InputField[] {
    return this.fields.filter(({ name }) => this.#faults.has(name));
  }

  isChanged(name: string): boolean {
    return !isSameEntry(this.#entries.get(name), this.#initial.get(name));
  }

  get changed(): readonly InputField[] {
    return this.fields.filter(({ name }) => this.isChanged(name));
  }

  /** Counts the changes; components that show all fields subscribe to it. */
  get changes(): number {
    return this.#changes;
  }

  set(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    this.#faults.delete(name);
    this.#notify(name);
  }

  /** Copies the values of a record, as if the user had entered them. */
  take(values: Values): void {
    for (const field of this.fields)
      if (values[field.name] !== undefined) this.#entries.set(field.name, entryOf(field, values[field.name]));
    this.#notifyAll();
  }

  /** Returns the changed fields as a body. If an entry is invalid, marks it and returns undefined. */
  body(): Record<string, unknown> | undefined {
    this.#faults.clear();
    const body: Record<string, unknown> = {};
    for (const field of this.changed) {
      try {
        body[field.name] = sentValue(field, this.entry(field.name));
      } catch (error) {
        if (!(error instanceof EntryFault)) throw error;
        this.#faults.set(field.name, error.message);
      }
    }
    this.#notifyAll();
    return this.#faults.size > 0 ? undefined : body;
  }

  /** Assigns the faults of the service to their fields and returns those without a field. */
  mark(faults: readonly Fault[]): string[] {
    const rest: string[] = [];
    for (const { pointer, parameter, detail } of faults) {
      const [name = '', ...innerPath] = parameter === undefined ? stepsOf(pointer ?? '') : [parameter];
      if (!this.#byName.has(name)) {
        rest.push(detail);
        continue;
      }
      const sentence = innerPath.length > 0 ? `${innerPath.join('.')}: ${detail}` : detail;
      const before = this.#faults.get(name);
      this.#faults.set(name, before === undefined ? sentence : `${before} ${sentence}`);
    }
    this.#notifyAll();
    return rest;
  }

  /** Rebases the form on a newer record: takes over the other changes, keeps its own, and returns the fields that both changed. */
  rebase(values: Values): Clash[] {
    const before = this.#initial;
    const mine = new Map(this.changed.map(({ name }) => [name, this.entry(name)]));
    this.#initial = entriesOf(this.fields, values);
    this.#entries = new Map([...this.#initial, ...mine]);
    this.#faults.clear();
    this.#notifyAll();
    return this.fields.flatMap((field) => {
      const theirs = this.initial(field.name);
      const ownEntry = mine.get(field.name);
      const isClash =
        ownEntry !== undefined && !isSameEntry(theirs, before.get(field.name)) && !isSameEntry(ownEntry, theirs);
      return isClash ? [{ field, mine: ownEntry, theirs }] : [];
    });
  }

  /** Subscribes to one field, or to all without a name. */
  listen(name: string | undefined, onChange: () => void): () => void {
    const key = name ?? '';
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(onChange));
    return () => listeners.delete(onChange);
  }

  #notify(name: string): void {
    this.#changes += 1;
    for (const key of [name, '']) for (const listener of this.#listeners.get(key) ?? []) listener();
  }

  #notifyAll(): void {
    this.#changes += 1;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener();
  }
}

const entriesOf = (fields: readonly InputField[], values: Values): Map<string, Entry> =>
  new Map(fields.map((field) => [field.name, entryOf(field, values[field.name])]));

/** Splits a JSON pointer: `#/criteria/groups/0` has three steps. */
const stepsOf = (pointer: string): string[] =>
  pointer
    .replace(/^#?\//, '')
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns the initial values for a new record. */
export const defaultsOf = (fields: readonly InputField[]): Values =>
  Object.fromEntries(fields.map((field) => [field.name, field.default]));
