import { type Client, PortreeveError } from '@portreeve/sdk/runtime.ts';
import { valueAt } from './columns.ts';
import type { Document, Schema } from './document.ts';
import { shippedGroups } from './groups.ts';
import type { JsonObject } from './set.ts';

/** Maximum number of records to look up; above it, the table shows ids. */
const namedMax = 400;
/** Ids per request. */
const atOnce = 100;

/** Looks up the names of records that shown fields refer to by id. */
export class ReferenceNames {
  readonly #client: Client;
  readonly #names = new Map<string, Map<number, string>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Returns the name of a record; undefined if it has none or is not visible to the caller. */
  of(schema: Schema | undefined, id: number): string | undefined {
    const reference = schema?.['x-field']?.reference;
    return reference?.by === 'id' ? this.#names.get(reference.group)?.get(id) : undefined;
  }

  /** Loads the names of the records that these fields refer to. */
  async load(
    records: readonly JsonObject[],
    record: Schema | undefined,
    paths: readonly string[],
    document: Document,
  ): Promise<void> {
    const idsByGroup = new Map<string, Set<number>>();
    for (const path of paths) {
      const property = record?.properties?.[path];
      const reference = property && document.resolve(property)['x-field']?.reference;
      if (reference?.by !== 'id') continue;
      const ids = records.map((row) => valueAt(row, path)).filter((id) => typeof id === 'number' && id > 0);
      idsByGroup.set(reference.group, new Set([...(idsByGroup.get(reference.group) ?? []), ...(ids as number[])]));
    }
    await Promise.all([...idsByGroup].map(([group, ids]) => this.#find(group, [...ids])));
  }

  async #find(name: string, requestedIds: readonly number[]): Promise<void> {
    const group = shippedGroups().find(name);
    const list = group?.operations.get('list');
    const names = this.#names.get(name) ?? new Map<number, string>();
    const ids = requestedIds.filter((id) => !names.has(id));
    if (!group || !list || !group.label || !group.identity || ids.length > namedMax) return;
    this.#names.set(name, names);
    for (let offset = 0; offset < ids.length; offset += atOnce) {
      const filter = [`${group.identity}=in=(${ids.slice(offset, offset + atOnce).join(',')})`];
      try {
        const { results } = await this.#client.call<JsonObject>(list, { query: { filter, count: atOnce } });
        for (const row of results) names.set(Number(row[group.identity]), String(row[group.label] ?? ''));
      } catch (error) {
        // Without the permission to view the other records, their ids are shown.
        if (error instanceof PortreeveError) return;
        throw error;
      }
    }
  }
}
