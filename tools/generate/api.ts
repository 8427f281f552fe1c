import { apiTexts } from './api/api-text.ts';
import { buildDocument } from './build-document.ts';
import type { Generator } from './generator.ts';

export const generator: Generator = {
  doc: 'api: a line for each operation and each field, a file a group',
  folder: 'api',
  async files() {
    const texts = apiTexts(await buildDocument());
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`api/${name}.txt`, text]));
  },
};
