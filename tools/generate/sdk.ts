import type { OpenApi } from '@portreeve/sdk/emitter/document.ts';
import { emit } from '@portreeve/sdk/emitter/emit.ts';
import { buildDocument } from './build-document.ts';
import type { Generator } from './generator.ts';

export const generator: Generator = {
  doc: 'sdk/src/generated, from the OpenAPI document',
  isProduct: true,
  async files() {
    const document = (await buildDocument()) as unknown as OpenApi;
    return Object.fromEntries(
      Object.entries(emit(document)).map(([name, text]) => [`sdk/src/generated/${name}`, text]),
    );
  },
};
