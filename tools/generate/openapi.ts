import { catalogue } from '@portreeve/server/catalogue.ts';
import { pageOfGroup } from '@portreeve/server/console/console.service.ts';
import { documentText, openApiDocument } from '@portreeve/server/kernel/documents/openapi.ts';
import { describeOperations } from '@portreeve/server/node/describe-operations.ts';
import { modelFor } from '@portreeve/server/node/start-service.ts';
import serverPackage from '../../server/package.json' with { type: 'json' };
import type { Generator } from './generator.ts';

export const generator: Generator = {
  doc: 'openapi.json, from the declarations',
  async files() {
    const document = openApiDocument(describeOperations(catalogue), modelFor(catalogue), {
      version: serverPackage.version,
      pages: pageOfGroup,
    });
    return { 'openapi.json': `${documentText(document)}\n` };
  },
};
