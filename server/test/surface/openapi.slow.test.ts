import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { xmlRequest } from '../../src/kernel/documents/openapi.ts';
import { probeGuard } from '../../src/protocols/outbound/probe-guard.ts';
import { radiusClient } from '../../src/protocols/radius/radius.ts';
import { Client, type Reply } from '../world/client.ts';
import { exampleQuery, Stage } from '../world/example-fixtures.ts';
import { nothing, pathWith } from '../world/paths.ts';
import { loopback, world } from '../world/world.ts';
import { document, expectDocumented, lastStep, operations } from './documented.ts';

const titled = operations.map((operation) => [operation.operationId, operation] as const);

const idOf = (location: unknown): number => Number(lastStep(String(location)));

describe('the running service', async () => {
  // 192.0.2.10 does not reply (RFC 5737): a short timeout is enough.
  const radius = radiusClient({
    outbound: probeGuard({ allow: [], refuse: [], networks: loopback }),
    timeoutMs: 20,
    tries: 1,
  });
  const shared = await world({ parts: { radius }, jobs: 'enqueue' });
  const { admin, service } = shared;
  const clientOf = (token: string) => new Client(service.app, token);
  const stage = await Stage.open(shared);
  const served = (operationId: string) => operations.find((operation) => operation.operationId === operationId)!;

  test.each(titled)('returns for the example of %s a documented response', async (_, operation) => {
    const { path, body, client, headers } = await stage.sending(operation);
    if (operation.writes) {
      const simulated = await client.call(
        operation.method,
        `${path}${path.includes('?') ? '&' : '?'}dryRun=true`,
        body,
      );
      expect([simulated.code, simulated.text]).toEqual([200, expect.any(String)]);
      expectDocumented(operation, simulated);
    }
    const reply = await client.call(operation.method, path, body, headers);
    expect(reply.code, reply.text).toBe(operation.success);
    expectDocumented(operation, reply);
    const [noun, verb] = operation.operationId.split('.') as [string, string];
    const creates = operation.success === 201 && operation.dryRunResult !== undefined;
    if (creates || verb.startsWith('update')) await stage.remove(noun, idOf(reply.headers.location ?? path));
  });

  test.each(titled)('refuses invalid requests to %s with documented responses', async (_, operation) => {
    const { path, example, method, access, errors } = operation;
    const nowhere = pathWith(operation, nothing);
    const expected = async (code: number, reply: Promise<Reply>) => {
      const { code: actualCode, text } = await reply;
      expect([actualCode, text]).toEqual([code, expect.any(String)]);
      expectDocumented(operation, await reply);
    };
    const problem = { accept: 'application/problem+json' };
    await expected(400, admin.call(method, `${nowhere}?noSuchParameter=1`, example));
    await expected(400, admin.call(method, `${nowhere}?noSuchParameter=1`, example, problem));
    if (access.kind !== 'open') await expected(401, clientOf('').call(method, nowhere, example));
    const finds = /\{(?!groupType\}$)/.test(path) && errors.includes('not-found');
    if (finds) await expected(404, admin.call(method, nowhere + exampleQuery(operation), example));
    await expected(406, admin.call(method, nowhere, example, { accept: 'text/csv' }));
    await expected(415, admin.call(method, nowhere, example, { 'content-type': 'text/plain' }));
  });

  test('returns the document without a token, and 304 if it has not changed', async () => {
    const anonymous = clientOf('');
    const first = await anonymous.get('/openapi.json');
    expect([first.code, first.body]).toEqual([200, document]);
    const again = await anonymous.get('/openapi.json', { 'if-none-match': String(first.headers.etag) });
    expect([again.code, again.text]).toEqual([304, '']);
    expect((await anonymous.get('/openapi.json?pretty=1')).code).toBe(400);
    const posted = await anonymous.post('/openapi.json', {});
    expect([posted.code, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await anonymous.get('/schema.xsd?operation=no.such')).body.status).toBe('not-found');
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

    /** Returns the exit code and messages of xmllint: 0 valid, 3 not valid, 5 not a schema. */
    const lint = async (schema: string, text: string): Promise<[code: number, words: string]> => {
      const name = join(folder, String(++files));
      await Promise.all([writeFile(`${name}.xsd`, schema), writeFile(`${name}.xml`, text)]);
      return new Promise((done) => {
        const command = ['--noout', '--nonet', '--schema', `${name}.xsd`, `${name}.xml`];
        execFile('xmllint', command, (error, _, words) => done([error ? Number(error.code) : 0, error ? words : '']));
      });
    };

    const lists = titled.filter(([, operation]) => operation.listed);
    test.each(lists)('returns a list of %s that is valid by its XML schema', async (operationId, operation) => {
      const noun = operationId.split('.')[0]!;
      if (operations.some((candidate) => candidate.operationId === `${noun}.create`)) await stage.record(noun);
      if (operationId === 'port.enforcement') await stage.enforce();
      const reply = await admin.get(stage.path(operation), { accept: 'application/xml' });
      expect(reply.text).toContain('<item>');
      expect(await lint(await schemaOf(operationId), reply.text)).toEqual([0, '']);
    });

    const creates = titled.filter(([, { method, dryRunResult, body }]) => method === 'POST' && dryRunResult && body);
    test.each(creates)(
      'accepts and returns bodies of %s that are valid by its XML schema',
      async (operationId, operation) => {
        const { path, body } = await stage.sending(operation);
        const request = xmlRequest(operation.body!, body);
        const schema = await schemaOf(operationId);
        expect(await lint(schema, request)).toEqual([0, '']);
        const reply = await admin.post(`${path}?dryRun=true`, request, { 'content-type': 'application/xml' });
        expect(reply.code, reply.text).toBe(200);
        expect(await lint(schema, reply.text)).toEqual([0, '']);
      },
    );

    test('returns maps and errors that are valid by the schema, and the schema rejects invalid ones', async () => {
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

    test('returns every record type in one schema', async () => {
      const schema = await schemaOf();
      expect(schema).toContain('<xs:complexType name="Container">');
      // The schema declares types and no elements: it can be parsed, but no document is valid by it.
      expect((await lint(schema, '<response/>'))[0]).toBe(3);
    });
  });
});
