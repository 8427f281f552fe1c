import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import serverPackage from '../../package.json' with { type: 'json' };
import type { ObjectShape } from '../../src/kernel/declare/shape.ts';
import type { Json } from '../../src/kernel/documents/json-schema.ts';
import { openApiDocument } from '../../src/kernel/documents/openapi.ts';
import { readXml } from '../../src/kernel/format/xml-reader.ts';
import { document, documented, faultsOf, lastStep, model, operations, responseOf } from './documented.ts';

describe('the OpenAPI document', () => {
  test('is valid by an independent validator, and all its references can be resolved', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document) as unknown as Json);
    expect(result).toEqual({ valid: true });
    expect(validator.resolveRefs()).toHaveProperty('paths');
  });

  test('has every operation, with its name, access, description and errors', () => {
    for (const operation of operations) {
      const { operationId, summary, responses, ...rest } = documented(operation);
      expect(operationId).toBe(operation.operationId);
      expect(summary).not.toBe('');
      expect(rest['x-permission'] ?? rest['x-access'], operationId).toBeDefined();
      expect(rest['x-status-words'], operationId).toContain('invalid');
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['400', '401', '429', '500', '503']));
    }
  });

  test('has an example of every body and every success, and each matches its schema', () => {
    for (const operation of operations) {
      const { operationId, requestBody } = documented(operation);
      expect(requestBody !== undefined, operationId).toBe(
        operation.body !== undefined || operation.uploads !== undefined,
      );
      if (operation.body && requestBody) {
        const { schema, example } = requestBody.content['application/json']!;
        expect(faultsOf(schema, example), operationId).toBe('');
        // The XML example has the same content as the JSON example.
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

  test('has no two paths that differ only in the names of their parameters, and no parameter that is not in its path', () => {
    const paths = Object.keys(document.paths);
    const templates = paths.map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
    expect(templates.filter((template, index) => templates.indexOf(template) < index)).toEqual([]);
    expect(Object.values(document.paths).flatMap((methods) => Object.values(methods)).length).toBe(operations.length);
    for (const [path, methods] of Object.entries(document.paths))
      for (const { operationId, parameters } of Object.values(methods)) {
        const pathParameters = parameters
          .map(({ $ref, ...inline }) => ($ref ? document.components.parameters[lastStep($ref)]! : inline))
          .filter(({ in: place }) => place === 'path');
        expect(
          pathParameters.map(({ name }) => `{${name}}`),
          operationId,
        ).toEqual(path.match(/\{\w+\}/g) ?? []);
      }
  });

  test('refuses two shapes with one name', () => {
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
    expect(() => openApiDocument(clashing, model, serverPackage)).toThrow('two shapes are both called Thing');
  });
});
