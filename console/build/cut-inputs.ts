import { labelOf } from '@portreeve/server/kernel/documents/label.ts';
import type { FieldInfo, InputField, Reference } from '../src/document/group.ts';
import { controlOf } from '../src/form/entry.ts';
import type { Document, Parameter, Schema } from './cut-document.ts';

/** Returns whether the service sets the field, so that it is not an input. */
const isSetByService = (access: FieldInfo['access'] | undefined): boolean =>
  access === 'readOnly' || access === 'computed' || access === 'observed';

/** Parameters of lists and writes for which the pages have their own controls. */
const listParameters: ReadonlySet<string> = new Set([
  'start',
  'count',
  'after',
  'sortKey',
  'sortDir',
  'filter',
  'fields',
  'from',
  'format',
  'dryRun',
  'maxImpact',
]);

/** A reference within a value, and the path to it. */
interface ReferencePath {
  path: readonly string[];
  reference: Reference;
}

/** Set by the service, also within structured values. */
const versionOfPart = 'version';

/** Maximum number of properties of a nested form. */
const partsMax = 16;

/** A body with this field is a complete record, with fields that the service sets. In other bodies, `id` selects the target records. */
const completeRecordField = 'lastModifiedDate';

/** Converts bodies and parameters of the OpenAPI document to inputs of a form. */
export class InputCutter {
  readonly #schemas: Document['components']['schemas'];
  /** References by kind and name: `containerID` refers to a container in every body; null if the name is ambiguous. */
  readonly #references = new Map<string, Reference | null>();

  constructor({ components }: Pick<Document, 'components'>) {
    this.#schemas = components.schemas;
    for (const { properties = {} } of Object.values(components.schemas))
      for (const [name, { 'x-field': about }] of Object.entries(properties))
        if (about?.reference) this.#note(`${about.kind} ${name}`, about.reference);
  }

  #note(key: string, reference: Reference): void {
    const storedReference = this.#references.get(key);
    const isSame =
      storedReference === undefined ||
      (storedReference?.group === reference.group && storedReference.by === reference.by);
    this.#references.set(key, isSame ? (storedReference ?? reference) : null);
  }

  /** Returns the inputs of a body. Attributes that the body does not declare are taken from the record of its resource. */
  bodyFields(
    schema: Schema,
    record: Schema,
    example: Readonly<Record<string, unknown>>,
    ownReference: Reference,
  ): InputField[] {
    const { properties = {}, required = [] } = this.#resolved(schema);
    const isWhole = completeRecordField in properties || properties[ownReference.by]?.['x-field'] !== undefined;
    return Object.entries(properties).flatMap(([name, property]) => {
      const about = property['x-field'] ?? (isWhole ? record.properties?.[name]?.['x-field'] : undefined);
      if (isWhole && isSetByService(about?.access)) return [];
      const field = this.#field(name, property, about, ownReference);
      return [
        {
          ...field,
          ...((about?.required || required.includes(name)) && { required: true }),
          ...(example[name] !== undefined && typeof example[name] === 'object' && { example: example[name] }),
        },
      ];
    });
  }

  /** Returns the parameters that are inputs. */
  parameterFields(parameters: readonly Parameter[], ownReference: Reference): InputField[] {
    return parameters
      .filter(({ name, in: place }) => place === 'path' || (place === 'query' && !listParameters.has(name)))
      .map((parameter) => ({
        ...this.#field(parameter.name, parameter.schema ?? {}, undefined, ownReference),
        ...(parameter.in === 'query' && parameter.name === ownReference.by && { reference: ownReference }),
        ...(parameter.description && {
          doc: withoutCodeMarks(parameter.schema?.['x-help'] ?? parameter.description),
        }),
        ...(parameter.required && { required: true }),
        in: parameter.in as 'path' | 'query',
      }));
  }

  #field(
    name: string,
    property: Schema,
    about: Schema['x-field'],
    ownReference: Reference | undefined,
    references: readonly ReferencePath[] = referencesIn(about),
  ): InputField {
    const schema = this.#resolved(property);
    const kind = about?.kind ?? kindOf(schema);
    const items = kind === 'list' && schema.items ? this.#resolved(schema.items) : undefined;
    const choices = (schema.enum ?? items?.enum)?.filter((value) => value !== null);
    const inner = kind === 'list' ? referencesWithin(references, '*') : references;
    const reference =
      about?.reference ??
      inner.find(({ path }) => path.length === 0)?.reference ??
      (about === undefined && name === ownReference?.by && kind !== 'text'
        ? ownReference
        : this.#references.get(`${kind} ${name}`));
    return {
      name,
      // The control selects a record by name, so the label has no "ID".
      label: (about?.label ?? labelOf(name)).replace(reference ? / IDs?$/ : /$^/, ''),
      kind,
      doc: withoutCodeMarks(helpOf(property) ?? helpOf(schema) ?? ''),
      nullable: isNullable(property) || isNullable(schema),
      ...(choices && { choices }),
      ...(schema['x-words'] && { words: schema['x-words'] }),
      ...(reference && { reference }),
      ...(items && { items: kindOf(items) }),
      ...(!(kind === 'object' && reference) && this.#partsOf(kind, items ?? schema, inner)),
      ...(about?.unit && { unit: about.unit }),
      ...(about?.section && { section: about.section }),
      ...(about && 'default' in about && { default: about.default }),
      ...(!about && schema.default !== undefined && { default: schema.default }),
      ...(schema['x-list-with'] && { listWith: schema['x-list-with'] }),
      ...(about?.immutable && { isImmutable: true }),
      ...((about?.access === 'secret' || schema.format === 'password') && { isSecret: true }),
      ...(schema.maxLength !== undefined && { lengthMax: schema.maxLength }),
      ...(schema.minimum !== undefined && { min: schema.minimum }),
      ...(schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER && { max: schema.maximum }),
    };
  }

  /** Returns the inputs of an object; none if they are too many, or if a property can only be entered as JSON. */
  #partsOf(
    kind: string,
    object: Schema,
    references: readonly ReferencePath[],
  ): Pick<InputField, 'parts' | 'keys' | 'isSchedule'> {
    const { properties = {}, required = [] } = object;
    if (kind === 'map') return this.#marksOf(object);
    if (kindOf(object) !== 'object') return {};
    if ('daysOfWeek' in properties && 'startTimeOfDay' in properties) return { isSchedule: true };
    // The object shows a record of another resource, which is selected by its id.
    if (kind === 'object' && references.some(({ path }) => path.join() === 'id')) return {};
    const settable = Object.entries(properties).filter(
      ([name, { 'x-field': about }]) => name !== versionOfPart && !isSetByService(about?.access),
    );
    const parts = settable.map(([name, property]) => ({
      ...this.#field(name, property, property['x-field'], undefined, referencesWithin(references, name)),
      ...(required.includes(name) && { required: true }),
    }));
    return parts.length > 0 && parts.every(isEntered) && sizeOf(parts) <= partsMax ? { parts } : {};
  }

  /** Returns the checkboxes for each key of a map; other properties are entered as JSON. */
  #marksOf({ propertyNames, additionalProperties: value }: Schema): Pick<InputField, 'parts' | 'keys'> {
    const keys = propertyNames?.enum;
    if (!keys || typeof value !== 'object') return {};
    const marks = Object.entries(this.#resolved(value).properties ?? {})
      .map(([name, property]) => this.#field(name, property, property['x-field'], undefined, []))
      .filter(({ kind }) => kind === 'flag');
    return marks.length > 0 ? { keys, parts: marks } : {};
  }

  #resolved(schema: Schema): Schema {
    const inner = schema.anyOf?.find(({ $ref }) => $ref !== undefined) ?? schema;
    if (inner.$ref === undefined) return schema;
    const { $ref: _, anyOf: __, ...ownKeywords } = schema;
    return { ...this.#schemas[inner.$ref.split('/').at(-1)!], ...ownKeywords };
  }
}

const referencesIn = (about: Schema['x-field']): ReferencePath[] =>
  (about?.references ?? []).map(({ path, ...reference }) => ({ path: path.split('.'), reference }));

/** Returns the references within a property of the value. */
const referencesWithin = (references: readonly ReferencePath[], step: string): ReferencePath[] =>
  references.filter(({ path }) => path[0] === step).map(({ path, reference }) => ({ path: path.slice(1), reference }));

/** Returns whether a property can be an input; a secret cannot, because the form would show it. */
const isEntered = (part: InputField): boolean =>
  !part.isSecret && (controlOf(part) !== 'code' || part.parts !== undefined || part.isSchedule === true);

const sizeOf = (parts: readonly InputField[]): number =>
  parts.reduce((sum, { parts: inner }) => sum + (inner ? sizeOf(inner) : 1), 0);

/** Removes the Markdown code marks, which the console would show. */
const withoutCodeMarks = (doc: string): string => doc.replaceAll('`', '');

/** Returns the help of an input; the description of the API if there is none. */
const helpOf = ({ anyOf = [], ...schema }: Schema): string | undefined =>
  schema['x-help'] ?? schema.description ?? anyOf.map(helpOf).find((help) => help !== undefined);

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat();

const isNullable = (schema: Schema): boolean =>
  typesOf(schema).includes('null') ||
  (schema.anyOf?.some((alternative) => typesOf(alternative).includes('null')) ?? false);

/** Returns the kind of a field without `x-field`. */
function kindOf(schema: Schema): string {
  if (schema['x-field']) return schema['x-field'].kind;
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.includes('string') && types.includes('array')) return 'mixed';
  if (types.length !== 1) return 'json';
  if (schema.enum) return 'choice';
  if (schema.format === 'date-time') return 'time';
  const kinds: Readonly<Record<string, string>> = {
    boolean: 'flag',
    integer: 'integer',
    number: 'decimal',
    array: 'list',
    object: 'object',
  };
  return kinds[types[0]!] ?? 'text';
}
