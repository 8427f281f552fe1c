import type { Collection } from '../declare/declaration.ts';
import type { Field } from '../declare/field.ts';
import type { SecretBinding } from '../declare/secret-binding.ts';
import type { Shape } from '../declare/shape.ts';
import { Failure, type Fault } from '../failure.ts';
import { nameOf } from '../format/check-value.ts';
import { holdsSecrets, replaceSecrets, secretMask } from '../model/nested-secrets.ts';
import { changedBounds } from '../model/secret-binding.ts';
import type { RecordValue } from '../read/select.ts';

type Parts = Record<string, string>;

export const partsOf = (text: string): Parts => (text === '' ? {} : (JSON.parse(text) as Parts));

/** The text to store for a secret of several parts: absent parts keep their value, empty ones are deleted. */
export function mergeParts(sentText: string, storedText: string): string {
  if (sentText === '') return '';
  const parts = Object.entries({ ...partsOf(storedText), ...partsOf(sentText) }).filter(([, text]) => text !== '');
  return parts.length === 0 ? '' : JSON.stringify(Object.fromEntries(parts));
}

/** The sent values, with each secret of several parts completed by its stored parts. */
export async function withStoredParts(
  fields: Iterable<readonly [string, Field]>,
  requestValues: Readonly<RecordValue>,
  storedText: (field: string) => Promise<string>,
): Promise<RecordValue> {
  const completed = { ...requestValues };
  for (const [name, field] of fields) {
    const text = requestValues[name];
    if (field.secretParts && typeof text === 'string') completed[name] = mergeParts(text, await storedText(name));
  }
  return completed;
}

/** A change of a record that has stored secrets. */
interface Change {
  before: Readonly<RecordValue>;
  after: Readonly<RecordValue>;
  /** The values of the request: a secret in it was entered for the changed record. */
  sent: Readonly<RecordValue>;
}

/**
 * Refuses a change that would send a stored secret to another address than the one it was entered for. A caller who may
 * change a record but not read its secrets could otherwise receive them at an address of their own.
 */
export async function requireBoundSecrets(
  fields: ReadonlyMap<string, Field>,
  change: Change,
  storedText: (field: string) => Promise<string>,
): Promise<void> {
  const { before, after, sent: requestValues } = change;
  const declared = Object.fromEntries(fields);
  const changed = (binding: SecretBinding) => changedBounds(declared, binding, before, after);
  const faults: Fault[] = [];
  for (const [name, field] of fields) {
    if (field.access === 'secret') {
      const bounds = changed(field.binding!);
      if (bounds.length === 0 || (typeof requestValues[name] === 'string' && !field.secretParts)) continue;
      const paths = keptPaths(name, field, await storedText(name), requestValues[name]);
      faults.push(...paths.map((path) => faultOf(`/${path.replaceAll('.', '/')}`, bounds)));
    } else if (field.stored && holdsSecrets(field.shape)) {
      for (const { pointer, binding } of masksIn(field.shape, after[name], `/${name}`)) {
        const bounds = changed(binding);
        if (bounds.length > 0) faults.push(faultOf(pointer, bounds));
      }
    }
  }
  if (faults.length > 0) throw new Failure('rejected', faults.map(({ message }) => message).join(' '), { faults });
}

/** Checks the same for an action that uses the stored secrets of a record together with values that are not saved. */
export const requireBoundSecretsOf = (
  declaration: Collection,
  change: Change,
  { secretOf }: { secretOf(collection: Collection, id: number, field: string, version?: number): Promise<string> },
): Promise<void> =>
  requireBoundSecrets(new Map(Object.entries(declaration.fields)), change, (field) =>
    secretOf(declaration, Number(change.before[declaration.identity]), field, Number(change.before.version)),
  );

/** Returns the paths of the stored secrets of a field that the request does not replace. */
function keptPaths(name: string, { secretParts }: Field, storedText: string, sentText: unknown): string[] {
  if (storedText === '' || sentText === '') return [];
  if (!secretParts) return [name];
  const replaced = typeof sentText === 'string' ? partsOf(sentText) : {};
  return Object.keys(partsOf(storedText))
    .filter((part) => !Object.hasOwn(replaced, part))
    .map((part) => secretParts[part] ?? name);
}

/** Returns the secrets inside a value that a mask keeps as stored. */
function masksIn(shape: Shape, value: unknown, pointer: string): { pointer: string; binding: SecretBinding }[] {
  const masks: { pointer: string; binding: SecretBinding }[] = [];
  replaceSecrets(
    shape,
    value,
    undefined,
    (text, _stored, maskPointer, binding) => {
      if (text === secretMask) masks.push({ pointer: maskPointer, binding: binding! });
      return text;
    },
    pointer,
  );
  return masks;
}

function faultOf(pointer: string, bounds: readonly string[]): Fault {
  const name = nameOf(pointer);
  const reason = `${bounds.join(', ')} ${bounds.length === 1 ? 'changes' : 'change'}, and the stored secret was entered for the previous ${bounds.length === 1 ? 'value' : 'values'}`;
  return { pointer, message: `${name}: ${reason}; send ${name} again in the same request, or delete it.` };
}
