import type { ApiDocument } from './api/api-document.ts';

let document: Promise<ApiDocument> | undefined;

/** Builds the OpenAPI document from the declarations, once for all generators of a process. */
export function buildDocument(): Promise<ApiDocument> {
  document ??= build();
  return document;
}

async function build(): Promise<ApiDocument> {
  const { catalogue } = await import('@portreeve/server/catalogue.ts');
  const { openApiDocument } = await import('@portreeve/server/kernel/documents/openapi.ts');
  const { describeOperations } = await import('@portreeve/server/node/describe-operations.ts');
  const { documentInfo } = await import('@portreeve/server/node/document-info.ts');
  const { modelFor } = await import('@portreeve/server/node/start-service.ts');
  return openApiDocument(describeOperations(catalogue), modelFor(catalogue), documentInfo) as ApiDocument;
}
