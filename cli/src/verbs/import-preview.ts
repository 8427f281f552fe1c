import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import { pathOfOne, type VerbContext } from '../context.ts';
import { differenceText, ownDifferences } from '../difference.ts';
import { line } from '../output.ts';
import type { JsonObject } from '../set.ts';
import { recordWords } from './written.ts';

/** The effect of an imported line. */
export type Previewed = 'created' | 'updated' | 'unchanged';

/** Maximum number of records whose changes are printed. */
const shownMax = 50;

/** Prints the changes of an import. */
export class ImportPreview {
  readonly #context: VerbContext;
  #shown = 0;

  constructor(context: VerbContext) {
    this.#context = context;
  }

  /** Prints the changes of one line; `after` is the resulting record. */
  async show(lineNumber: number, input: JsonObject, after: JsonObject): Promise<Previewed> {
    const before = await this.#stored(input);
    const changed = before ? ownDifferences(before, after) : [];
    const outcome = before ? (changed.length > 0 ? 'updated' : 'unchanged') : 'created';
    if (outcome === 'unchanged' || this.#context.args.has('json')) return outcome;
    if (++this.#shown <= shownMax) await this.#print(lineNumber, outcome, before ?? { ...after, ...input }, changed);
    else if (this.#shown === shownMax + 1)
      await line(this.#context.screen.out, `… the changes of further records are not shown.`);
    return outcome;
  }

  async #print(
    lineNumber: number,
    outcome: Previewed,
    record: JsonObject,
    changed: Parameters<typeof differenceText>[1][],
  ): Promise<void> {
    const { screen, group } = this.#context;
    // The id of a record that was rolled back is meaningless.
    const id = outcome === 'updated' && group.identity !== undefined ? record[group.identity] : undefined;
    await line(screen.out, `line ${lineNumber}: ${recordWords(group, id, record)} would be ${outcome}`);
    for (const difference of changed) await line(screen.out, `  ${differenceText(screen.out, difference)}`);
  }

  async #stored(input: JsonObject): Promise<JsonObject | undefined> {
    const { group, client } = this.#context;
    const fetch = group.operations.get('fetch');
    const id = group.identity === undefined ? 0 : Number(input[group.identity] ?? 0);
    if (!fetch || id === 0) return undefined;
    try {
      return (await client.call<JsonObject>(fetch, { path: pathOfOne(fetch, id) })).results[0];
    } catch (error) {
      if (error instanceof PortreeveError && error.word === 'not-found') return undefined;
      throw error;
    }
  }
}
