import type { CallInput } from '@portreeve/sdk/runtime.ts';
import type { GroupOperation } from '../document/group.ts';

/** Where an operation takes the records that it is about, and their identities. */
export interface OwnInput {
  name: string;
  ids: readonly string[];
}

/** Puts what was entered to where the operation takes it; the records that the act is about are added. */
export function callInputOf(
  operation: GroupOperation,
  values: Readonly<Record<string, unknown>>,
  ownInput: OwnInput | undefined,
): Pick<CallInput, 'path' | 'query' | 'body'> {
  const all = { ...values, ...(ownInput && { [ownInput.name]: ownValue(operation, ownInput) }) };
  const { parameters = [], fields = [] } = operation;
  const pickValues = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  const namesIn = (place: 'path' | 'query') =>
    parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  const body = pickValues(fields.map(({ name }) => name));
  return {
    path: pickValues(namesIn('path')) as Record<string, string>,
    query: pickValues(namesIn('query')),
    ...(operation.bodyIsList && { body: all.body }),
    ...(operation.fields && !operation.bodyIsList && hasBody(operation, body) && { body }),
  };
}

const hasBody = ({ bodyRequired }: GroupOperation, body: object): boolean =>
  bodyRequired || Object.keys(body).length > 0;

/** As a list where the operation takes several, as a number where it takes one. */
function ownValue({ fields = [] }: GroupOperation, { name, ids }: OwnInput): unknown {
  const field = fields.find((candidate) => candidate.name === name);
  if (!field) return ids[0];
  const isNumber = field.kind === 'integer' || field.items === 'integer';
  const values = isNumber ? ids.map(Number) : ids;
  return field.kind === 'list' ? values : values[0];
}

const types: Readonly<Record<string, string>> = { csv: 'text/csv', json: 'application/json' };

/** The type of a file by its name; what has no name of its own is lines of JSON. */
export const fileTypeOf = ({ fileTypes = [] }: GroupOperation, name: string): string =>
  types[name.split('.').at(-1)!.toLowerCase()] ??
  fileTypes.find((type) => type.includes('ndjson')) ??
  fileTypes[0] ??
  '';
