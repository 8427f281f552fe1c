import { catalogue } from '@portreeve/server/catalogue.ts';
import { documentText, openApiDocument } from '@portreeve/server/kernel/documents/openapi.ts';
import { describeOperations } from '@portreeve/server/node/describe-operations.ts';
import { documentInfo } from '@portreeve/server/node/document-info.ts';
import { modelFor } from '@portreeve/server/node/start-service.ts';
import type { Generator } from './generator.ts';

export const generator: Generator = {
  doc: 'openapi.json, from the declarations',
  async files() {
    const document = openApiDocument(describeOperations(catalogue), modelFor(catalogue), documentInfo);
    return { 'openapi.json': `${documentText(document)}\n` };
  },
};
