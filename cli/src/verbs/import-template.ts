import type { VerbContext } from '../context.ts';
import { line } from '../output.ts';
import { isBookkeeping, isSettable, wordsFor } from '../schema.ts';
import { escapedJson } from '../text.ts';

/** Prints a line that can be imported, and below it, apart from the line, what each field takes. */
export async function printTemplate({ screen, document, verb, group }: VerbContext): Promise<void> {
  const body = document.body(verb.operation);
  await line(screen.out, escapedJson(document.example(verb.operation) ?? {}));
  for (const [name, property] of Object.entries(body?.properties ?? {})) {
    if (name !== group.identity && (isBookkeeping(name) || !isSettable(property))) continue;
    const schema = document.resolve(property);
    const need = property['x-field']?.required ? ', required' : '';
    const doc = name === group.identity ? 'Record to update; without it one is created' : schema.description;
    const words = [doc, `(${wordsFor(schema, document)}${need})`].filter(Boolean).join(' ');
    await line(screen.err, `${screen.err.style('bold', name)}  ${words}`);
  }
}
