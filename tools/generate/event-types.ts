import { readFile } from 'node:fs/promises';
import { catalogue } from '@portreeve/server/catalogue.ts';
import { storedEventTypeNumbers } from '@portreeve/server/node/event-type-numbers.ts';
import { declaredEventTypes } from '@portreeve/server/node/number-event-types.ts';
import { modelFor } from '@portreeve/server/node/start-service.ts';
import { freeNumber } from './free-number.ts';
import type { Generator } from './generator.ts';

/** A number never changes: a type that no code declares any more keeps its own, because stored events carry it. */
export const generator: Generator = {
  doc: 'event-types: gives new event types a number, in a file a group',
  async files() {
    const model = modelFor(catalogue);
    const numbersByName: Record<string, number> = { ...storedEventTypeNumbers() };
    const added = new Map<string, Record<string, number>>();
    const groups = groupsOfTypes(model);
    for (const { name } of declaredEventTypes(catalogue, model)) {
      if (numbersByName[name] !== undefined) continue;
      const number = freeNumber(name, new Set(Object.values(numbersByName)));
      numbersByName[name] = number;
      const path = `event-types/${groups.get(name) ?? 'service'}.json`;
      const numbers = added.get(path) ?? (await readNumbers(path));
      added.set(path, { ...numbers, [name]: number });
    }
    return Object.fromEntries([...added].map(([path, numbers]) => [path, `${JSON.stringify(numbers, null, 2)}\n`]));
  },
};

/** The group that declares each type; types of the service itself have none. */
const groupsOfTypes = ({ tables }: ReturnType<typeof modelFor>): ReadonlyMap<string, string> =>
  new Map([
    ...tables.flatMap(({ declaration, changes }) =>
      Object.values((changes ?? {}) as Record<string, { name: string }>).map(
        ({ name }) => [name, declaration.name] as const,
      ),
    ),
    ...catalogue.flatMap(({ declaration, events }) => events.map(({ name }) => [name, declaration.name] as const)),
  ]);

async function readNumbers(path: string): Promise<Record<string, number>> {
  try {
    return JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')) as Record<string, number>;
  } catch (error) {
    // The first new type of a group.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
