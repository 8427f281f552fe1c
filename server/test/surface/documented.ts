import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { catalogue } from '../../src/catalogue.ts';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import type { Json } from '../../src/kernel/documents/json-schema.ts';
import { documentedPaths, openApiDocument } from '../../src/kernel/documents/openapi.ts';
import { describeOperations } from '../../src/node/describe-operations.ts';
import { documentInfo } from '../../src/node/document-info.ts';
import { modelFor } from '../../src/node/start-service.ts';
import type { Reply } from '../world/client.ts';

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
interface Parameter {
  name?: string;
  in?: string;
}
interface Documented {
  operationId: string;
  summary: string;
  parameters: (Parameter & { $ref?: string })[];
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
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    examples: Record<string, { value: unknown }>;
  };
}

/** All served operations. */
export const operations = describeOperations(catalogue);
export const model = modelFor(catalogue);
export const document = openApiDocument(operations, model, documentInfo) as Document;

const paths = documentedPaths(operations);

/** Returns the entry of the document for an operation. */
export const documented = (operation: Operation): Documented =>
  document.paths[paths.get(operation.path)!]![operation.method.toLowerCase()]!;

export const lastStep = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export function responseOf(operation: Operation, code: number): Response {
  const response = documented(operation).responses[code];
  if (!response) throw new Error(`${operation.operationId} does not document the code ${code}`);
  return response.$ref ? document.components.responses[lastStep(response.$ref)]! : response;
}

const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document as unknown as Json, 'openapi.json');
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** Validates a value against a schema of the document and returns the errors as text. */
export function faultsOf(schema: Json, value: unknown): string {
  const text = JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

/** Expects a documented status code and a body that matches its schema. */
export function expectDocumented(operation: Operation, reply: Reply): void {
  const type = String(reply.headers['content-type']).split(';')[0]!;
  const content = responseOf(operation, reply.code).content[type];
  const faults = content ? faultsOf(content.schema, reply.body) : `${type} is not documented`;
  expect(faults && `${operation.operationId} ${reply.code}: ${faults} in ${reply.text}`).toBe('');
  expect(reply.headers['x-request-id']).toEqual(expect.any(String));
}
