import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, test } from 'vitest';
import serverPackage from '../package.json' with { type: 'json' };
import { catalogue } from './catalogue.ts';
import { describeOperations } from './describe.ts';
import { networkDevice } from './device/network-device/network-device.ts';
import { observePorts } from './device/port/observe-ports.ts';
import type { Collection } from './kernel/declare.ts';
import { readXml } from './kernel/format/xml-reader.ts';
import type { Json } from './kernel/json-schema.ts';
import { documentText, openApiDocument, xmlRequest } from './kernel/openapi.ts';
import type { Operation } from './kernel/operation.ts';
import type { ObjectShape } from './kernel/shape.ts';
import { outboundGuard } from './parts/outbound/outbound.ts';
import { radiusClient } from './parts/radius/radius.ts';
import { systemOrigin } from './system/background-task/follow-jobs.ts';
import { group } from './system/group/group.ts';
import { Client, type Reply } from './testing/client.ts';
import { world } from './testing/world.ts';

interface Content {
  schema: Json;
  example?: unknown;
  examples?: Record<string, { value?: unknown; $ref?: string }>;
}
interface Response {
  $ref?: string;
  headers: Json;
  content: Record<string, Content>;
}
interface Documented {
  operationId: string;
  summary: string;
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response>;
  'x-permission'?: { key: string; verb: string };
  'x-access'?: string;
  'x-status-words': string[];
}
interface Document {
  paths: Record<string, Record<string, Documented>>;
  components: {
    schemas: Json;
    responses: Record<string, Response>;
    examples: Record<string, { value: unknown }>;
  };
}

const operations = describeOperations(catalogue);
const document = openApiDocument(operations, serverPackage) as Document;

const documented = (operation: Operation): Documented =>
  document.paths[operation.path]![operation.method.toLowerCase()]!;

const lastStep = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function responseOf(operation: Operation, code: number): Response {
  const response = documented(operation).responses[code];
  if (!response) throw new Error(`${operation.operationId} does not document the code ${code}`);
  return response.$ref ? document.components.responses[lastStep(response.$ref)]! : response;
}

const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document as unknown as Json, 'openapi.json');
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** What is wrong with a value, by a schema of the document. */
function faultsOf(schema: Json, value: unknown): string {
  const text = JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

/** An answer is of a documented code, and fits what is documented for it. */
function expectDocumented(operation: Operation, reply: Reply): void {
  const type = String(reply.headers['content-type']).split(';')[0]!;
  const content = responseOf(operation, reply.code).content[type];
  const faults = content ? faultsOf(content.schema, reply.body) : `${type} is not documented`;
  expect(faults && `${operation.operationId} ${reply.code}: ${faults} in ${reply.text}`).toBe('');
  expect(reply.headers['x-request-id']).toEqual(expect.any(String));
}

const titled = operations.map((operation) => [operation.operationId, operation] as const);

describe('the OpenAPI document', () => {
  test('is checked in as the declarations give it', async () => {
    const stands = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8');
    // Compared as a flag: a diff of the whole text would help nobody.
    expect(stands === `${documentText(document)}\n`, 'run `npm run openapi`').toBe(true);
  });

  test('is valid by an independent validator, and its references lead somewhere', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document) as unknown as Json);
    expect(result).toEqual({ valid: true });
    expect(validator.resolveRefs()).toHaveProperty('paths');
  });

  test('has every operation, with its name, its access, its words and its errors', () => {
    for (const operation of operations) {
      const { operationId, summary, responses, ...rest } = documented(operation);
      expect(operationId).toBe(operation.operationId);
      expect(summary).not.toBe('');
      expect(rest['x-permission'] ?? rest['x-access'], operationId).toBeDefined();
      expect(rest['x-status-words'], operationId).toContain('invalid');
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['400', '401', '429', '500', '503']));
    }
  });

  test('has examples of every body and of every success, and they fit their schemas', () => {
    for (const operation of operations) {
      const { operationId, requestBody } = documented(operation);
      expect(requestBody !== undefined, operationId).toBe(operation.body !== undefined);
      if (requestBody) {
        const { schema, example } = requestBody.content['application/json']!;
        expect(faultsOf(schema, example), operationId).toBe('');
        // The XML says what the JSON says.
        expect(readXml(requestBody.content['application/xml']!.example as string, operation.body!)).toEqual(example);
      }
      for (const code of [200, operation.success]) {
        if (!documented(operation).responses[code]) continue;
        const { schema, examples } = responseOf(operation, code).content['application/json']!;
        expect(Object.keys(examples ?? {}), operationId).not.toEqual([]);
        for (const { value, $ref } of Object.values(examples ?? {}))
          expect(faultsOf(schema, $ref ? document.components.examples[lastStep($ref)]!.value : value)).toBe('');
      }
    }
  });

  test('does not let two shapes have one name', () => {
    const thing = (max: number): ObjectShape => ({
      kind: 'object',
      name: 'Thing',
      properties: { name: { kind: 'text', max } },
    });
    const clashing = [8, 9].map((max) => ({
      ...operations[0]!,
      operationId: `thing.${max}`,
      path: `/thing/${max}`,
      result: thing(max),
    }));
    expect(() => openApiDocument(clashing, serverPackage)).toThrow('two shapes are both called Thing');
  });
});

const declarationOf = (noun: string): Collection =>
  catalogue.find((group) => group.declaration.name === noun)!.declaration as Collection;

/** Whether no two records of a group may have the same value here. */
function isUnique(noun: string, field: string): boolean {
  const declaration = declarationOf(noun);
  return declaration.fields[field]?.unique || (declaration.uniqueTogether ?? []).flat().includes(field);
}

/** Whether the field takes words of a kind only, which have no spaces. */
function isKey(noun: string, field: string): boolean {
  const shape = declarationOf(noun).fields[field]?.shape;
  return shape?.kind === 'text' && shape.pattern !== undefined;
}

const idOf = (location: unknown): number => Number(lastStep(String(location)));

/** What stands in for the parts of an example that depend on the world it is sent to. */
interface Sending {
  path: string;
  body?: unknown;
  client: Client;
}

/** Makes what an example speaks of: the record of its path, the monitor, the session. */
class Stage {
  readonly #admin: Client;
  readonly #clientOf: (token: string) => Client;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #seen: ReadonlyMap<string, number>;
  readonly #freshGroup: () => Promise<number>;
  #made = 0;

  /** `seen`: records that no client makes, because the service sees them in the network; `freshGroup`: a group that no record names yet. */
  constructor(
    admin: Client,
    clientOf: (token: string) => Client,
    seen: ReadonlyMap<string, number>,
    freshGroup: () => Promise<number>,
  ) {
    this.#admin = admin;
    this.#freshGroup = freshGroup;
    this.#clientOf = clientOf;
    this.#seen = seen;
    this.#operations = new Map(titled);
  }

  /** A new record of a group: its example, under a name that is still free. */
  async record(noun: string): Promise<number> {
    const seen = this.#seen.get(noun);
    if (seen !== undefined) return seen;
    const { path, example } = this.#operations.get(`${noun}.create`)!;
    const number = ++this.#made;
    const fresh = Object.entries(example as Json)
      .filter(([key, value]) => typeof value === 'string' && isUnique(noun, key))
      .map(([key, value]) => [
        key,
        isIP(String(value)) ? `198.18.0.${number}` : `${value}${isKey(noun, key) ? '-' : ' '}${number}`,
      ]);
    const { groupDBID } = example as Json;
    const named = groupDBID === undefined ? {} : { groupDBID: await this.#freshGroup() };
    return this.#admin.create({ path }, { ...(example as Json), ...Object.fromEntries(fresh), ...named });
  }

  /** Takes a record away that has the name of the example, so that the next one can have it. */
  async remove(noun: string, id: number): Promise<void> {
    const many = this.#operations.get(`${noun}.delete-many`);
    if (many) await this.#admin.post(many.path, { id: [id] });
  }

  async sending(operation: Operation): Promise<Sending> {
    const { operationId, path, example, body } = operation;
    const [noun, verb] = operationId.split('.') as [string, string];
    if (noun === 'session' || noun === 'token') return this.#signedIn(operation, noun, verb);
    const id = !path.includes('{id}')
      ? 0
      : verb.startsWith('monitor-')
        ? await this.#monitor(noun)
        : await this.record(noun);
    const sent = body ? await this.#ownIds(noun, example as Json) : undefined;
    return { path: this.path(operation, id), client: this.#admin, ...(sent && { body: sent }) };
  }

  /** The path of an operation, with the parameters that it cannot do without. */
  path({ path, operationId }: Operation, id = 0): string {
    const query = operationId === 'port.by-device' ? `?deviceID=${this.#seen.get('network-device')}` : '';
    return path.replace('{id}', String(id)) + query;
  }

  /** The ids in an example are those of nobody in particular. */
  async #ownIds(noun: string, example: Json): Promise<Json> {
    const { id } = example;
    if (typeof id === 'number') return { ...example, id: await this.record(noun) };
    if (!Array.isArray(id)) return example;
    const ids: number[] = [];
    for (const _ of id) ids.push(await this.record(noun));
    return { ...example, id: ids };
  }

  /** A monitor with something to tell. */
  async #monitor(noun: string): Promise<number> {
    const id = await this.#admin.create({ path: this.#operations.get(`${noun}.monitor-start`)!.path }, {});
    await this.record(noun);
    return id;
  }

  async #signedIn({ path, example }: Operation, noun: string, verb: string): Promise<Sending> {
    const login = { userID: 'system-administrator-1', password: 'correct-horse-battery' };
    if (noun === 'token') {
      const id = path.includes('{id}') ? await this.#token() : 0;
      return { path: path.replace('{id}', String(id)), body: example, client: this.#admin };
    }
    if (verb === 'login') return { path, body: login, client: this.#clientOf('') };
    const reply = await this.#clientOf('').post('/auth/login', login);
    const client = this.#clientOf(String(reply.body.results![0]!.sessionKey));
    if (verb === 'password') {
      const body = { ...(example as Json), currentPassword: login.password, newPassword: login.password };
      return { path, body, client };
    }
    if (verb !== 'revoke') return { path, client };
    const { id } = (await client.get('/auth/sessions')).body.results!.find(({ current }) => current)!;
    return { path: path.replace('{id}', String(id)), client: this.#admin };
  }

  async #token(): Promise<number> {
    const reply = await this.#admin.post('/auth/tokens', { name: `token ${++this.#made}` });
    return reply.body.results![0]!.id as number;
  }
}

describe('the running service', async () => {
  // Nothing answers at 192.0.2.10 (RFC 5737): it need not be waited for as in earnest.
  const radius = radiusClient({ outbound: outboundGuard({ allow: [], refuse: [] }), timeoutMs: 20, tries: 1 });
  const { admin, service } = await world({ parts: { radius } });
  const clientOf = (token: string) => new Client(service.app, token);
  const seen = await service.runtime.transact(systemOrigin('test'), async ({ records, client }) => {
    const { id: deviceID } = await records.create(networkDevice, { name: 'core', container: 'Network' });
    await observePorts(client, [{ deviceID, name: 'Gi1/0/1', ifindex: '1' }]);
    const { rows } = await client.query<{ id: number }>('select p.id from port p');
    return new Map([
      ['network-device', deviceID],
      ['port', rows[0]!.id],
    ]);
  });
  let groups = 0;
  const freshGroup = async () => {
    const record = { name: `people ${++groups}`, type: 'USER' };
    return (await service.runtime.transact(systemOrigin('test'), ({ records }) => records.create(group, record))).id;
  };
  const stage = new Stage(admin, clientOf, seen, freshGroup);
  const served = (operationId: string) => operations.find((operation) => operation.operationId === operationId)!;

  test.each(titled)('answers the example of %s as it is documented', async (_, operation) => {
    const { path, body, client } = await stage.sending(operation);
    if (operation.writes) {
      const rehearsed = await client.call(operation.method, `${path}?dryRun=true`, body);
      expect([rehearsed.code, rehearsed.text]).toEqual([200, expect.any(String)]);
      expectDocumented(operation, rehearsed);
    }
    const reply = await client.call(operation.method, path, body);
    expect(reply.code, reply.text).toBe(operation.success);
    expectDocumented(operation, reply);
    const [noun, verb] = operation.operationId.split('.') as [string, string];
    const creates = operation.success === 201 && operation.rehearsal !== undefined;
    if (creates || verb === 'update') await stage.remove(noun, idOf(reply.headers.location ?? path));
  });

  test.each(titled)('refuses what is wrong about %s as it is documented', async (_, operation) => {
    const { path, example, method, access } = operation;
    const nowhere = path.replace('{id}', '999999999999').replace(/\{\w+\}/, 'nothing');
    const expected = async (code: number, reply: Promise<Reply>) => {
      const { code: found, text } = await reply;
      expect([found, text]).toEqual([code, expect.any(String)]);
      expectDocumented(operation, await reply);
    };
    const problem = { accept: 'application/problem+json' };
    await expected(400, admin.call(method, `${nowhere}?noSuchParameter=1`, example));
    await expected(400, admin.call(method, `${nowhere}?noSuchParameter=1`, example, problem));
    if (access.kind !== 'open') await expected(401, clientOf('').call(method, nowhere, example));
    if (path.includes('{')) await expected(404, admin.call(method, nowhere, example));
    await expected(406, admin.call(method, nowhere, example, { accept: 'text/csv' }));
    await expected(415, admin.call(method, nowhere, example, { 'content-type': 'text/csv' }));
  });

  test('serves the document to everybody, and again only when it has changed', async () => {
    const nobody = clientOf('');
    const first = await nobody.get('/openapi.json');
    expect([first.code, first.body]).toEqual([200, document]);
    const again = await nobody.get('/openapi.json', { 'if-none-match': String(first.headers.etag) });
    expect([again.code, again.text]).toEqual([304, '']);
    expect((await nobody.get('/openapi.json?pretty=1')).code).toBe(400);
    const posted = await nobody.post('/openapi.json', {});
    expect([posted.code, posted.headers.allow]).toEqual([405, 'GET']);
    expect((await nobody.get('/schema.xsd?operation=no.such')).body.status).toBe('not-found');
  });

  describe('with XML', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portreeve-xsd-'));
    afterAll(() => rm(folder, { recursive: true }));
    let files = 0;

    const schemaOf = async (operationId?: string): Promise<string> => {
      const reply = await clientOf('').get(`/schema.xsd${operationId ? `?operation=${operationId}` : ''}`);
      expect(reply.code, reply.text).toBe(200);
      return reply.text;
    };

    /** xmllint's exit code and words: 0 valid, 3 not valid, 5 not a schema. */
    const lint = async (schema: string, text: string): Promise<[code: number, words: string]> => {
      const name = join(folder, String(++files));
      await Promise.all([writeFile(`${name}.xsd`, schema), writeFile(`${name}.xml`, text)]);
      return new Promise((done) => {
        const command = ['--noout', '--nonet', '--schema', `${name}.xsd`, `${name}.xml`];
        execFile('xmllint', command, (error, _, words) => done([error ? Number(error.code) : 0, error ? words : '']));
      });
    };

    const lists = titled.filter(([, operation]) => operation.listed);
    test.each(lists)('answers %s by its XML schema', async (operationId, operation) => {
      const noun = operationId.split('.')[0]!;
      if (operations.some((each) => each.operationId === `${noun}.create`)) await stage.record(noun);
      const reply = await admin.get(stage.path(operation), { accept: 'application/xml' });
      expect(reply.text).toContain('<item>');
      expect(await lint(await schemaOf(operationId), reply.text)).toEqual([0, '']);
    });

    const creates = titled.filter(([, { method, rehearsal, body }]) => method === 'POST' && rehearsal && body);
    test.each(creates)('takes and answers %s by its XML schema', async (operationId, operation) => {
      const { path, body } = await stage.sending(operation);
      const request = xmlRequest(operation.body!, body);
      const schema = await schemaOf(operationId);
      expect(await lint(schema, request)).toEqual([0, '']);
      const reply = await admin.post(`${path}?dryRun=true`, request, { 'content-type': 'application/xml' });
      expect(reply.code, reply.text).toBe(200);
      expect(await lint(schema, reply.text)).toEqual([0, '']);
    });

    test('answers maps and refusals by the schema, and the schema tells right from wrong', async () => {
      const xml = { 'content-type': 'application/xml' };
      const schema = await schemaOf('token.create');
      const request =
        '<request><name>a</name><scopes><entry key="devices"><item>view</item></entry></scopes></request>';
      expect(await lint(schema, request)).toEqual([0, '']);
      const issued = await admin.post(`${served('token.create').path}?dryRun=true`, request, xml);
      expect(await lint(schema, issued.text)).toEqual([0, '']);
      const refused = await admin.post(served('token.create').path, '<request><name/></request>', xml);
      expect(refused.code).toBe(400);
      expect(await lint(schema, refused.text)).toEqual([0, '']);
      for (const wrong of ['<request/>', '<request><name/></request>', request.replace('view', 'rule')])
        expect((await lint(schema, wrong))[0], wrong).toBe(3);
    });

    test('gives every record type in one schema', async () => {
      const schema = await schemaOf();
      expect(schema).toContain('<xs:complexType name="Container">');
      // It declares types and no elements: read as a schema, but no document is valid by it.
      expect((await lint(schema, '<response/>'))[0]).toBe(3);
    });
  });
});
