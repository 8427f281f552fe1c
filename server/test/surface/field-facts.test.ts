import { describe, expect, test } from 'vitest';
import { type Collection, isCollection } from '../../src/kernel/declare/declaration.ts';
import { pascalCase } from '../../src/kernel/declare/names.ts';
import type { Json } from '../../src/kernel/documents/json-schema.ts';
import { world } from '../world/world.ts';
import { document, model } from './documented.ts';

type Facts = Record<string, unknown>;
type Schemas = Record<string, { properties: Record<string, { 'x-field'?: Facts }> }>;

const served = model.tables.filter(({ declaration }) => declaration.path !== undefined);

/** Returns the fields whose facts in the schemas of records and bodies differ from the declarations. */
function lies(schemas: Schemas): string[] {
  return served.flatMap(({ declaration, fields }) => {
    const name = pascalCase(declaration.name);
    return [name, `${name}Input`].flatMap((component) =>
      [...fields].flatMap(([field, declared]) => {
        const { access, observed, reference, nestedReferences, default: value, immutable, detailOnly } = declared;
        const property = schemas[component]?.properties[field];
        const extra = (declaration as Collection).extraInput ?? {};
        if (!property || (component.endsWith('Input') && field in extra)) return [];
        const isClients = access === 'write' || access === 'secret';
        const declaredFacts = {
          access: observed ? 'observed' : access,
          reference: reference && { group: reference.to, by: reference.by, where: reference.where },
          references: nestedReferences?.map(({ path, to, by, where }) => ({
            path: path.join('.'),
            group: to,
            by: by ?? 'id',
            where,
          })),
          default: isClients ? value : undefined,
          immutable,
          detailOnly,
          unit: declaration.units?.[field],
          section: Object.entries(declaration.sections ?? {}).find(([, names]) => names.includes(field))?.[0],
        };
        const facts = property['x-field'] ?? {};
        const documentedFacts = Object.fromEntries(Object.keys(declaredFacts).map((fact) => [fact, facts[fact]]));
        return isSame(documentedFacts, declaredFacts) ? [] : [`${component}.${field}`];
      }),
    );
  });
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

describe('the facts about fields in the document', () => {
  const schemas = document.components.schemas as Schemas;

  test('are those of the declarations', () => {
    expect(lies(schemas)).toEqual([]);
  });

  test('are reported if wrong: a secret documented as plain, a reference to another group', () => {
    const planted = structuredClone(schemas);
    const facts = (component: string, field: string) => planted[component]!.properties[field]!['x-field']!;
    facts('AaaServerInput', 'secret').access = 'write';
    facts('Adapter', 'hostID').reference = { group: 'port', by: 'id' };
    facts('AccessPolicy', 'criteria').references = [];
    expect(lies(planted).sort()).toEqual(['AaaServerInput.secret', 'AccessPolicy.criteria', 'Adapter.hostID']);
  });

  test('show no secret field in a record', () => {
    const shown = served.flatMap(({ declaration }) => {
      const name = pascalCase(declaration.name);
      const properties = Object.entries(schemas[name]?.properties ?? {});
      const fields = properties.filter(([field]) => field in declaration.fields);
      return fields.map(([field, property]) => [`${name}.${field}`, property['x-field']?.access]);
    });
    expect(shown.length).toBeGreaterThan(500);
    expect(shown.filter(([, access]) => access === 'secret' || access === undefined)).toEqual([]);
  });

  test('include the record of every resource, with its identity and its name', () => {
    const groups = (document as unknown as { tags: { name: string; 'x-group'?: Json }[] }).tags;
    const described = groups.flatMap((tag) => (tag['x-group'] ? [tag['x-group'] as Record<string, string>] : []));
    expect(described.length).toBeGreaterThan(35);
    for (const { record, identity, label } of described) {
      const fields = Object.keys(schemas[record!]?.properties ?? {});
      for (const field of [identity, label]) if (field !== undefined) expect(fields, record).toContain(field);
    }
  });

  describe('match the lists of the service', async () => {
    const { admin } = await world();
    const listed = served.filter(
      ({ declaration }) => declaration.patterns.includes('list') && isCollection(declaration),
    );

    test.each(listed.map(({ declaration }) => declaration))('$name', async ({ name, path, fields }) => {
      const facts = (field: string) => schemas[pascalCase(name)]!.properties[field]?.['x-field'];
      for (const field of Object.keys(fields)) {
        const sorted = await admin.get(`${path}?count=0&sortKey=${field}`);
        expect([field, sorted.code]).toEqual([field, facts(field)?.sort ? 200 : 400]);
        const filtered = await admin.get(`${path}?count=0&filter=${field}=isnull=true`);
        const isKnown = !String(filtered.body.errorMessage).includes('there is no field');
        expect([field, isKnown]).toEqual([field, facts(field)?.filter === true]);
      }
    });
  });
});
