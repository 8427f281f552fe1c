import type { Fault } from '@portreeve/sdk/runtime.ts';
import type { InputField } from '../document/group.ts';
import { type Entry, EntryFault, entryOf, isSameEntry, sentValue } from './entry.ts';

/** A field that is set here and was changed by somebody else since the record was read. */
export interface Clash {
  field: InputField;
  mine: Entry;
  theirs: Entry;
}

type Values = Readonly<Record<string, unknown>>;

/** The entries of a form. Each control listens to its own, so that a key is one field's affair. */
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

  /** Grows with every change: what shows all fields is drawn again. */
  get changes(): number {
    return this.#changes;
  }

  set(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    this.#faults.delete(name);
    this.#notify(name);
  }

  /** Takes over what another record has, as if somebody had entered it. */
  take(values: Values): void {
    for (const field of this.fields)
      if (values[field.name] !== undefined) this.#entries.set(field.name, entryOf(field, values[field.name]));
    this.#notifyAll();
  }

  /** What is sent: the fields that were changed. What cannot be sent is marked, and nothing is returned. */
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

  /** Puts what the service found fault with to its fields; returns what belongs to none. */
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

  /** Goes on from a newer record: what somebody else changed is taken over, what is changed here stays. Returns where both did. */
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

  /** Listens to one field; without a name to all. */
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

/** `#/criteria/groups/0` are three steps. */
const stepsOf = (pointer: string): string[] =>
  pointer
    .replace(/^#?\//, '')
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));

/** What a form for a new record begins with. */
export const defaultsOf = (fields: readonly InputField[]): Values =>
  Object.fromEntries(fields.map((field) => [field.name, field.default]));
