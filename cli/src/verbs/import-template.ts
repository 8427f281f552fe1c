import type { VerbContext } from '../context.ts';
import { line } from '../output.ts';
import { isBookkeeping, isSettable, wordsFor } from '../schema.ts';
import { escapedJson } from '../text.ts';

/** Prints a sample line to standard output, and the meaning of each field to standard error. */
export async function printTemplate({ screen, document, verb, group }: VerbContext): Promise<void> {
  const body = document.body(verb.operation);
  await line(screen.out, escapedJson(document.example(verb.operation) ?? {}));
  for (const [name, property] of Object.entries(body?.properties ?? {})) {
    if (name !== group.identity && (isBookkeeping(name) || !isSettable(property))) continue;
    const schema = document.resolve(property);
    const need = property['x-field']?.required ? ', required' : '';
    const doc =
      name === group.identity ? 'ID of the record to update; without it, a record is created' : schema.description;
    const words = [doc, `(${wordsFor(schema, document)}${need})`].filter(Boolean).join(' ');
    await line(screen.err, `${screen.err.style('bold', name)}  ${words}`);
  }
}
