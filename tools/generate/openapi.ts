import { buildDocument } from './build-document.ts';
import type { Generator } from './generator.ts';

export const generator: Generator = {
  doc: 'openapi.json, from the declarations',
  isProduct: true,
  files: async () => ({ 'openapi.json': `${JSON.stringify(await buildDocument())}\n` }),
};
