import { type Declaration, isCollection, isLog, isRanked, isSingle, type Unit } from '../declare/declaration.ts';
import type { Field, NestedReference, Reference } from '../declare/field.ts';
import { pascalCase } from '../declare/names.ts';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import type { Model, Table } from '../model/model.ts';
import { scalarType } from '../model/scalar-type.ts';
import type { Json } from './json-schema.ts';
import { labelOf } from './label.ts';

/** What a form, a table or a filter has to know of a field besides its schema; what is absent is false or none. */
interface FieldFacts {
  label: string;
  kind: Shape['kind'];
  /** Who sets it: `observed` are devices, `secret` is written and never shown. */
  access: Field['access'] | 'observed';
  /** The record that it names: by id, or by its name. */
  reference?: { group: string } & Pick<Reference, 'by' | 'where'>;
  /** Records that are named inside its value, by the way there: `who.groups.*`. */
  references?: readonly ({ path: string } & NonNullable<FieldFacts['reference']>)[];
  /** Taken on create when it is absent. */
  default?: unknown;
  /** A create without it is refused. */
  required?: true;
  immutable?: true;
  filter?: true;
  sort?: true;
  search?: true;
  detailOnly?: true;
  /** What its number counts. */
  unit?: Unit;
  /** Under which heading a form has it; none: behind all. */
  section?: string;
}

/** What the model knows of the properties of a document's objects. */
export class ModelFacts {
  readonly #tables: ReadonlyMap<string, Table>;
  /** Fields by their shapes, which bodies of actions take from the declaration; null: a shape that several groups have. */
  readonly #shapes = new Map<Shape, { table: Table; name: string } | null>();
  /** Groups outside the contract, each with the table that it is about. */
  readonly #outside: Readonly<Record<string, string>>;

  constructor({ tables }: Pick<Model, 'tables'>, outside: Readonly<Record<string, string>> = {}) {
    this.#outside = outside;
    const tablesOutside = new Set(Object.values(outside));
    // A resource that is not served has no record in a document, and neither has a log whose rows are only served in aggregate. Another
    // shape may have the name of the record.
    const served = tables.filter(
      ({ declaration }) =>
        (declaration.path !== undefined && !(isLog(declaration) && declaration.patterns.length === 0)) ||
        tablesOutside.has(declaration.name),
    );
    this.#tables = new Map(
      served.flatMap((table) => {
        const name = pascalCase(table.declaration.name);
        return [
          [name, table],
          [`${name}Input`, table],
        ];
      }),
    );
    for (const table of tables)
      for (const [name, { shape }] of Object.entries(table.declaration.fields))
        this.#shapes.set(shape, this.#shapes.has(shape) ? null : { table, name });
  }

  /** The extension of a property of an object; nothing where it is no field of a record. */
  ofProperty(owner: ObjectShape, name: string, shape: Shape): Json {
    const table = owner.name === undefined ? undefined : this.#tables.get(owner.name);
    const field = table?.fields.get(name);
    if (table && isExtraInput(table.declaration, name, owner))
      return { 'x-field': extraFacts(table.declaration, name, shape) };
    if (table) return field ? { 'x-field': factsOf(table, name, field) } : {};
    const taken = this.#shapes.get(shape);
    return taken ? { 'x-field': factsOf(taken.table, taken.name, taken.table.fields.get(taken.name)!) } : {};
  }

  /** What a console has to know of a group: the record that its operations are about, and others under the same heading. */
  ofGroup(nouns: Iterable<string>): Json {
    const tables = new Set(this.#tables.values());
    const named = [...new Set(nouns)].map((noun) => [this.#outside[noun] ?? noun, noun] as const);
    const nounOf = new Map(named);
    const [first, ...more] = [...tables].flatMap(({ declaration }) => {
      const noun = nounOf.get(declaration.name);
      return noun === undefined ? [] : [{ ...groupFacts(declaration), name: noun }];
    });
    return {
      ...(first && { 'x-group': first }),
      ...(more.length > 0 && { 'x-more-groups': more.map((group) => ({ title: labelOf(group.name), ...group })) }),
    };
  }
}

const groupFacts = (declaration: Declaration): Json & { name: string } => ({
  name: declaration.name,
  kind: isSingle(declaration) ? 'settings' : declaration.kind,
  record: pascalCase(declaration.name),
  ...(declaration.identity !== '' && { identity: declaration.identity }),
  ...(declaration.label !== '' && { label: declaration.label }),
  ...(isRanked(declaration) && { ranked: true }),
  ...(isCollection(declaration) && declaration.scopedBy && { scoped: true }),
  ...(declaration.sections && { sections: Object.keys(declaration.sections) }),
});

/** A property that a body has instead of a field, or in addition to them: the rules of the group take it. */
const isExtraInput = (declaration: Declaration, name: string, { name: owner }: ObjectShape): boolean =>
  isCollection(declaration) &&
  owner === `${pascalCase(declaration.name)}Input` &&
  Object.hasOwn(declaration.extraInput ?? {}, name);

const extraFacts = (declaration: Declaration, name: string, { kind }: Shape): FieldFacts => ({
  label: nameInWords(declaration, name),
  kind,
  access: 'write',
});

const nameInWords = ({ labels }: Declaration, name: string): string => labels?.[name] ?? labelOf(name);

function sectionOf({ sections = {} }: Declaration, name: string): Pick<FieldFacts, 'section'> {
  const section = Object.keys(sections).find((heading) => sections[heading]!.includes(name));
  return section === undefined ? {} : { section };
}

const referenceFacts = ({
  to,
  by,
  where,
}: Pick<Reference, 'to' | 'by' | 'where'>): NonNullable<FieldFacts['reference']> => ({
  group: to,
  by,
  ...(where && { where }),
});

const nestedFacts = (nested: readonly NestedReference[]): NonNullable<FieldFacts['references']> =>
  nested.map((inner) => ({ path: inner.path.join('.'), ...referenceFacts({ ...inner, by: inner.by ?? 'id' }) }));

function factsOf({ declaration, selectables }: Table, name: string, field: Field): FieldFacts {
  const { shape, access, reference, nestedReferences = [], stored, default: value } = field;
  const selectable = selectables.get(name);
  const isClients = access === 'write' || access === 'secret';
  return {
    label: nameInWords(declaration, name),
    kind: shape.kind,
    access: field.observed ? 'observed' : access,
    ...(reference && { reference: referenceFacts(reference) }),
    ...(nestedReferences.length > 0 && { references: nestedFacts(nestedReferences) }),
    ...(isClients && value !== undefined && { default: value }),
    ...(isClients && value === undefined && (stored || reference) && { required: true }),
    ...(field.immutable && { immutable: true }),
    ...(selectable && { filter: true }),
    ...((name === declaration.identity || (selectable && scalarType(selectable.shape))) && { sort: true }),
    ...(field.search && { search: true }),
    ...(field.detailOnly && { detailOnly: true }),
    ...(declaration.units?.[name] && { unit: declaration.units[name] }),
    ...sectionOf(declaration, name),
  };
}
