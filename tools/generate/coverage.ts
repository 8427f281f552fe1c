import { catalogue } from '@portreeve/server/catalogue.ts';
import { describeOperations } from '@portreeve/server/node/describe-operations.ts';
import contract from '../../catalogue.json' with { type: 'json' };
import { coverageText } from './coverage-text.ts';
import type { Generator } from './generator.ts';

export const generator: Generator = {
  doc: 'docs/coverage.md: which operations of the contract each group serves',
  async files() {
    const served = describeOperations(catalogue).map(
      ({ method, path }) => `${method} ${path.replace(/^\/api\/v2/, '')}`,
    );
    return { 'docs/coverage.md': coverageText(contract, new Set(served)) };
  },
};
