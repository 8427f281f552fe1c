import type { CallInput } from '@portreeve/sdk/runtime.ts';
import type { GroupOperation } from '../document/group.ts';

/** The input that takes the ids of the target records, and these ids. */
export interface OwnInput {
  name: string;
  ids: readonly string[];
}

/** Distributes the entered values to path, query and body, and adds the ids of the target records. */
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

/** Converts the ids to the type of the input: a list if the operation takes several, otherwise one value. */
function ownValue({ fields = [] }: GroupOperation, { name, ids }: OwnInput): unknown {
  const field = fields.find((candidate) => candidate.name === name);
  if (!field) return ids[0];
  const isNumber = field.kind === 'integer' || field.items === 'integer';
  const values = isNumber ? ids.map(Number) : ids;
  return field.kind === 'list' ? values : values[0];
}

const types: Readonly<Record<string, string>> = { csv: 'text/csv', json: 'application/json' };

/** Returns the media type for a file name; files with an unknown extension are sent as NDJSON if the operation accepts it. */
export const fileTypeOf = ({ fileTypes = [] }: GroupOperation, name: string): string =>
  types[name.split('.').at(-1)!.toLowerCase()] ??
  fileTypes.find((type) => type.includes('ndjson')) ??
  fileTypes[0] ??
  '';
