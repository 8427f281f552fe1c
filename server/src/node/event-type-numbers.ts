import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the numbers of event types: `first.json`, and a file for each group that was added later. */
export const eventTypesFolder = fileURLToPath(new URL('../../../event-types/', import.meta.url));

/** Reads the number of every event type. A name or a number that stands twice is an error: stored events carry the numbers. */
export function storedEventTypeNumbers(folder = eventTypesFolder): Readonly<Record<string, number>> {
  const numbers: Record<string, number> = {};
  const names = new Map<number, string>();
  for (const file of readdirSync(folder).sort()) {
    const stored = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, number>;
    for (const [name, number] of Object.entries(stored)) {
      const holder = names.get(number);
      if (holder !== undefined || name in numbers)
        throw new Error(`event-types/${file}: ${name} has number ${number}, which ${holder ?? 'it'} has already`);
      numbers[name] = number;
      names.set(number, name);
    }
  }
  return numbers;
}
