import { fieldsText } from '@portreeve/server/test/surface/field-readers.ts';
import type { Generator } from './generator.ts';

export const generator: Generator = {
  doc: 'docs/fields.md: which file reads each configured field',
  files: async () => ({ 'docs/fields.md': fieldsText() }),
};
